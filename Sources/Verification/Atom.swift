import MovieBoxes

/// A box, and where it lies. QuickTime's word for it.
struct Atom {
  let type: BoxType
  /// From the outermost on, tracks by their number: `moov/trak[2]/mdia`.
  let path: String
  /// Of its first byte in the file.
  let offset: UInt64
  /// Everything behind its header.
  let content: BoxReader
}

/// Opens atoms, and remembers what of them is damaged.
///
/// Whatever the bytes are, nothing is read beyond an atom's end, and no more is kept than a film can have.
struct AtomOpener {
  /// Where in the file the bytes begin that are looked at.
  let base: UInt64
  /// Of what is damaged: of what no player needs, a note.
  let severity: FilmFinding.Severity
  private(set) var findings: [FilmFinding] = []

  /// Atoms within one, and findings, of any film.
  private static let most = 1024

  init(base: UInt64, severity: FilmFinding.Severity = .error) {
    self.base = base
    self.severity = severity
  }

  /// What lies in an atom, as far as it is sound.
  ///
  /// - Parameter skipped: bytes in front of the first: version and flags, a count, a sample description's fields.
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

  /// What `read` makes of an atom; `nil` where the atom is missing, or damaged, which is then a finding.
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
        breaks: severity == .error ? "players refuse the film, or show a part of it" : nil,
        remedy: severity == .error ? Remedy.copyAgain : nil))
  }
}
