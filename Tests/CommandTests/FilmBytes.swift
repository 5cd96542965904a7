import Foundation
import TestKit

/// A film's bytes, in which a test plants what is wrong.
struct FilmBytes {
  private(set) var data: Data

  init(_ path: String) throws { data = try Data(contentsOf: URL(fileURLWithPath: path)) }

  struct Missing: Error, CustomStringConvertible { let description: String }

  func number(at offset: Int) -> Int { Int(FilmBoxes.number(data, offset, 4)) }

  /// Where a box begins: `moov/trak/mdia`, and of several of one name the one with this number: `trak[2]`.
  func offset(of path: String) throws -> Int {
    let boxes = FilmBoxes(bytes: Array(data)).boxes
    var range = 0..<data.count
    var name = ""
    for part in path.split(separator: "/") {
      let pieces = part.split(separator: "[")
      name += (name.isEmpty ? "" : "/") + pieces[0]
      let number = pieces.count > 1 ? Int(pieces[1].dropLast()) ?? 1 : 1
      let found = boxes.filter { $0.path == name && range.contains($0.offset) }.dropFirst(number - 1).first
      guard let found else { throw Missing(description: "no \(part) in \(path)") }
      range = found.offset..<found.body.endIndex
    }
    return range.lowerBound
  }

  /// Overwrites bytes of a box, counted from its first.
  mutating func put(_ path: String, at offset: Int, _ bytes: [UInt8]) throws {
    let start = try self.offset(of: path) + offset
    data.replaceSubrange(start..<start + bytes.count, with: bytes)
  }

  /// Gives a box another name, so that it is not there any more.
  mutating func hide(_ path: String) throws { try put(path, at: 4, Array("free".utf8)) }

  /// Puts bytes at a box's end; all boxes around it grow. What lies behind must be of no chunk.
  mutating func add(_ bytes: [UInt8], to path: String) throws {
    let parts = path.split(separator: "/")
    let around = try parts.indices.map { try offset(of: parts[...$0].joined(separator: "/")) }
    let end = around[around.count - 1] + number(at: around[around.count - 1])
    data.insert(contentsOf: bytes, at: end)
    for start in around {
      data.replaceSubrange(start..<start + 4, with: FilmBytes.word(number(at: start) + bytes.count))
    }
  }

  /// A box: its size, its name and what is in it.
  static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    word(content.count + 8) + Array(name.utf8) + content
  }

  static func word(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }

  mutating func append(_ bytes: [UInt8]) { data.append(contentsOf: bytes) }

  mutating func cut(to count: Int) { data = data.prefix(count) }

  func write(to path: String) throws { try data.write(to: URL(fileURLWithPath: path)) }
}
