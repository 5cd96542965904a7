import MovieBoxes

/// A box and its place; QuickTime's word is atom.
struct Atom {
  let type: BoxType
  /// The path from the outermost, with tracks by their number: `moov/trak[2]/mdia`.
  let path: String
  /// Offset of its first byte in the file.
  let offset: UInt64
  /// Everything after its header.
  let content: BoxReader
}

/// Opens atoms, and collects findings on damaged ones.
///
/// Whatever the bytes are, it reads nothing beyond an atom's end, and keeps no more than a film can have.
struct AtomOpener {
  /// Where in the file the bytes begin.
  let base: UInt64
  /// Severity of damage: a note for atoms that no player needs.
  let severity: FilmFinding.Severity
  private(set) var findings: [FilmFinding] = []

  /// Most atoms within one, and most findings, in any film.
  private static let most = 1024

  init(base: UInt64, severity: FilmFinding.Severity = .error) {
    self.base = base
    self.severity = severity
  }

  /// The atoms within an atom, up to any damage.
  ///
  /// - Parameter skipped: bytes before the first: version and flags, a count, a sample description's fields.
  mutating func children(of parent: Atom, behind skipped: Int = 0) -> [Atom] {
    var reader = parent.content
    var atoms: [Atom] = []
    do throws(BoxDamage) {
      try reader.skip(skipped)
      var tracks = 0
      while let box = try reader.box() {
        guard atoms.count < AtomOpener.most else { throw reader.damage("has more atoms than any film") }
        if box.type == .track { tracks += 1 }
        let number = box.type == .track ? "[\(tracks)]" : ""
        atoms.append(
          Atom(
            type: box.type, path: "\(parent.path)/\(box.type)\(number)", offset: base + UInt64(box.whole.startIndex),
            content: box.reader))
      }
    } catch { damaged(parent, error) }
    return atoms
  }

  /// What `read` makes of an atom; `nil` if the atom is missing, or damaged, which becomes a finding.
  mutating func read<Value>(_ atom: Atom?, _ read: (inout BoxReader) throws(BoxDamage) -> Value) -> Value? {
    guard let atom else { return nil }
    var reader = atom.content
    do throws(BoxDamage) { return try read(&reader) } catch {
      damaged(atom, error)
      return nil
    }
  }

  private mutating func damaged(_ atom: Atom, _ damage: BoxDamage) {
    guard findings.count < AtomOpener.most else { return }
    findings.append(
      FilmFinding(
        severity, atom.path, at: atom.offset, "\(damage.box) at \(base + UInt64(damage.offset)) \(damage.reason)",
        breaks: severity == .error ? "players refuse the film, or show only part of it" : nil,
        remedy: severity == .error ? Remedy.copyWhole : nil))
  }
}
