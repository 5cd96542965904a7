import Foundation
import MovieBoxes
import TestKit

/// Films in memory, as the two readers of fragments see them.
enum ReadFilm {
  static func scan(_ bytes: [UInt8]) -> FragmentScanner {
    var scanner = FragmentScanner()
    advance(&scanner, bytes, to: bytes.count)
    return scanner
  }

  /// Goes on to a size that the file has by now.
  static func advance(_ scanner: inout FragmentScanner, _ bytes: [UInt8], to size: Int) {
    scanner.advance(to: UInt64(size)) { (offset: UInt64, count: Int) -> [UInt8] in
      Array(bytes[Int(offset)..<min(size, Int(offset) + count)])
    }
  }

  static func salvage(_ bytes: [UInt8]) -> MovieSalvage {
    MovieSalvage(size: UInt64(bytes.count)) { (offset: UInt64, count: Int) -> [UInt8] in
      let begin = min(Int(offset), bytes.count)
      return Array(bytes[begin..<min(bytes.count, begin + count)])
    }
  }

  /// The file with its index, as a stop leaves it.
  static func finish(_ bytes: [UInt8], chapters: [MovieChapter] = []) throws -> [UInt8] {
    let scanner = scan(bytes), ending = try scanner.ending(chapters: chapters)
    var file = Array(bytes[..<Int(scanner.wholeEnd)]) + ending.index
    let place = Int(scanner.headerOffset)
    file.replaceSubrange(place..<place + ending.cover.count, with: ending.cover)
    return file
  }

  /// Where the outermost boxes of a type begin.
  static func offsets(of type: String, in bytes: [UInt8]) -> [Int] {
    FilmBoxes(bytes: bytes).boxes.filter { $0.path == type }.map(\.offset)
  }

  /// A table of a track, as numbers of 32 bits from the number of its entries on.
  ///
  /// - Parameter track: from 0, in the file's order.
  static func table(_ name: String, ofTrack track: Int, in bytes: [UInt8]) -> [UInt64] {
    let tables = FilmBoxes(bytes: bytes).all("moov/trak/mdia/minf/stbl/\(name)")
    guard tables.indices.contains(track) else { return [] }
    return (1..<tables[track].count / 4).map { FilmBoxes.number(tables[track], 4 * $0, 4) }
  }
}
