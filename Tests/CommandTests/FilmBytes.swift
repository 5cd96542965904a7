import Foundation

/// A film's bytes, in which a test plants what is wrong. Finds atoms by their path, in its own way.
struct FilmBytes {
  private(set) var data: Data

  init(_ path: String) throws { data = try Data(contentsOf: URL(fileURLWithPath: path)) }

  struct Missing: Error, CustomStringConvertible { let description: String }

  func number(at offset: Int, bytes: Int = 4) -> Int { data[offset..<offset + bytes].reduce(0) { $0 << 8 | Int($1) } }

  /// Where an atom begins: `moov/trak/mdia`, and of several of one name the one with this number: `trak[2]`.
  func offset(of path: String) throws -> Int {
    var range = 0..<data.count
    var found = 0
    for part in path.split(separator: "/") {
      let pieces = part.split(separator: "[")
      let name = String(pieces[0])
      let number = pieces.count > 1 ? Int(pieces[1].dropLast()) ?? 1 : 1
      guard let atom = atoms(in: range).filter({ $0.name == name }).dropFirst(number - 1).first else {
        throw Missing(description: "no \(part) in \(path)")
      }
      found = atom.range.lowerBound
      // Behind the header, the version and the fields of those that have some.
      let skipped = ["stsd": 16, "hvc1": 86, "apcn": 86, "ap4h": 86, "apch": 86][name] ?? 8
      range = min(found + skipped, atom.range.upperBound)..<atom.range.upperBound
    }
    return found
  }

  private func atoms(in range: Range<Int>) -> [(name: String, range: Range<Int>)] {
    var atoms: [(String, Range<Int>)] = []
    var position = range.lowerBound
    while position + 8 <= range.upperBound {
      var size = number(at: position)
      if size == 1 { size = number(at: position + 8, bytes: 8) }
      if size == 0 { size = range.upperBound - position }
      guard size >= 8, position + size <= range.upperBound else { break }
      atoms.append((String(decoding: data[position + 4..<position + 8], as: UTF8.self), position..<position + size))
      position += size
    }
    return atoms
  }

  /// Overwrites bytes of an atom, counted from its first.
  mutating func put(_ path: String, at offset: Int, _ bytes: [UInt8]) throws {
    let start = try self.offset(of: path) + offset
    data.replaceSubrange(start..<start + bytes.count, with: bytes)
  }

  /// Gives an atom another name, so that it is not there any more.
  mutating func hide(_ path: String) throws { try put(path, at: 4, Array("free".utf8)) }

  mutating func append(_ bytes: [UInt8]) { data.append(contentsOf: bytes) }

  mutating func cut(to count: Int) { data = data.prefix(count) }

  func write(to path: String) throws { try data.write(to: URL(fileURLWithPath: path)) }
}
