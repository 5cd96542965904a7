import Audio
import Foundation
import Frames
import MediaFFmpeg
import MovieBoxes
import Movies
import TestKit
import Testing

/// A live .mov is finished in place: whatever it is cut off at, it plays.
struct MovieEndingTests {
  /// A finished film, and its bytes as they were before.
  struct Finished {
    let settings: MovieSettings
    let bytes: [UInt8]
    /// Where its header lay, as long as it was in fragments, and where these end.
    let header: Int
    let end: Int
    /// The bytes over which the finish has written.
    let covered: [UInt8]

    init(_ directory: MovieDirectory, frames: Int = 48) throws {
      settings = MovieTake.settings(directory.path("take.mov"), width: 96, height: 64, audio: .standard)
      let copy = directory.path("before.mov")
      let path = settings.path
      var inode: UInt64 = 0
      let writer = try MovieWriter.open(settings)
      let report = try MovieTake(settings, frames: frames).record(to: writer) { number in
        guard number == frames - 1 else { return }
        writer.settle()
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        inode = try MovieEndingTests.inode(path)
      }
      #expect(report.warnings == [] && report.frames == frames)
      #expect(try MovieEndingTests.inode(path) == inode, "the file is the one that was recorded into")
      bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      let boxes = try FilmBoxes(path)
      try #require(boxes.topLevel == ["ftyp", "mdat", "moov"])
      header = try #require(boxes.boxes.first { $0.path == "mdat" }).offset
      end = try #require(boxes.boxes.first { $0.path == "moov" }).offset
      let before = Array(try Data(contentsOf: URL(fileURLWithPath: copy)))
      covered = Array(before[header..<header + 16])
      #expect(before.count <= end && Array(before[(header + 16)...]) == Array(bytes[(header + 16)..<before.count]))
    }

    /// As the file was before its end was covered, with so many bytes of the index.
    func inFragments(index: Int) -> [UInt8] {
      var state = Array(bytes[..<(end + index)])
      state.replaceSubrange(header..<header + 16, with: covered)
      return state
    }
  }

  private static func inode(_ path: String) throws -> UInt64 {
    var information = stat()
    try #require(stat(path, &information) == 0)
    return UInt64(information.st_ino)
  }

  private static func scan(_ bytes: [UInt8], from begun: FragmentScanner = .init(), to end: Int? = nil)
    -> FragmentScanner
  {
    var scanner = begun
    let end = end ?? bytes.count
    scanner.advance(to: UInt64(end)) { (offset, count) in Array(bytes[Int(offset)..<min(end, Int(offset) + count)]) }
    return scanner
  }

  /// The ordinary movie that `bytes` become.
  private static func recovered(_ bytes: [UInt8]) throws -> [UInt8] {
    let scanner = scan(bytes), ending = try scanner.ending()
    var movie = Array(bytes[..<Int(scanner.wholeEnd)]) + ending.index
    movie.replaceSubrange(Int(scanner.headerOffset)..<Int(scanner.headerOffset) + 16, with: ending.cover)
    return movie
  }

  @Test func finishedInPlaceTheFilmHasThePacketsOfItsFragments() throws {
    let directory = try MovieDirectory()
    let film = try Finished(directory)
    let fragments = directory.path("fragments.mov")
    try Data(film.inFragments(index: 0)).write(to: URL(fileURLWithPath: fragments))
    let packets = try MovieProbe.packets(film.settings.path)
    let stored = try MovieProbe.packets(fragments)
    #expect(packets.count == 48 && packets == stored)
    let sound = try MovieProbe.samples(fragments)
    #expect(try MovieProbe.samples(film.settings.path) == sound)
    #expect(try MovieProbe.decodedTimes(film.settings.path) == (0..<48).map { $0 * 1000 })
    #expect(try MovieProbe.samples(film.settings.path).count == 2 * 2 * 48000)
  }

  /// A kill, or a power failure, between any two writes of the finish.
  @Test func cutOffWhileItIsFinishedTheFilmPlays() throws {
    let directory = try MovieDirectory()
    let film = try Finished(directory)
    let index = film.bytes.count - film.end
    for part in [0, 1, 4, 7, 8, 9, 100, index / 2, index - 1, index] {
      let path = directory.path("cut-\(part).mov")
      try Data(film.inFragments(index: part)).write(to: URL(fileURLWithPath: path))
      #expect(try MovieProbe.decodedTimes(path) == (0..<48).map { $0 * 1000 }, "with \(part) bytes of the index")
      #expect(try MovieProbe.samples(path).count == 2 * 2 * 48000)
    }
  }

  @Test func cutOffAtAnyByteOfItsLastFragmentTheRestIsIndexed() throws {
    let directory = try MovieDirectory()
    let film = try Finished(directory)
    let whole = film.inFragments(index: 0), boxes = Self.scan(whole)
    #expect(boxes.damage == nil && boxes.wholeEnd == UInt64(whole.count))
    let last = try #require(FilmBoxes(bytes: whole).boxes.last { $0.path == "moof" }).offset
    let before = Self.scan(whole, to: last)
    #expect(before.wholeEnd == UInt64(last))
    for length in last..<whole.count {
      let wholeEnd = Self.scan(whole, from: before, to: length).wholeEnd
      if wholeEnd != UInt64(last) { Issue.record("cut off at byte \(length), it is whole up to \(wholeEnd)") }
    }
    let torn = [last + 3, (last + whole.count) / 2, whole.count - 1].map { Array(whole[..<$0]) }
    for tail in torn + [whole[..<last] + Array(repeating: 0, count: 4096)] {
      let path = directory.path("recovered.mov")
      try Data(Self.recovered(tail)).write(to: URL(fileURLWithPath: path))
      let times = try MovieProbe.decodedTimes(path)
      #expect(times == (0..<times.count).map { Int64($0) * 1000 } && times.count >= 36)
    }
  }

  /// The last fragment lies behind five gigabytes of nothing, which take no room on the disk.
  @Test func aFilmBeyondFourGigabytesIsIndexed() throws {
    let directory = try MovieDirectory()
    let film = try Finished(directory)
    var whole = film.inFragments(index: 0)
    let boxes = FilmBoxes(bytes: whole).boxes
    let last = try #require(boxes.last { $0.path == "moof" }).offset, hole = UInt64(5) << 30
    for box in boxes where box.path == "moof/traf/tfhd" && box.offset > last {
      // Its data's place in the file stands behind size, type, flags and track.
      let place = box.offset + 16
      let moved = FilmBoxes.number(Data(whole), place, 8) + hole
      for byte in 0..<8 { whole[place + byte] = UInt8(truncatingIfNeeded: moved >> (56 - 8 * UInt64(byte))) }
    }
    let path = directory.path("large.mov")
    try Data(whole[..<last]).write(to: URL(fileURLWithPath: path))
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    func put(_ bytes: some Sequence<UInt8>, at offset: UInt64) throws {
      try file.seek(toOffset: offset)
      try file.write(contentsOf: Data(bytes))
    }
    // A `free` box with a size of 64 bits.
    try put([0, 0, 0, 1] + Array("free".utf8) + [0, 0, 0, 1, 0x40, 0, 0, 0], at: UInt64(last))
    try put(whole[last...], at: UInt64(last) + hole)
    var scanner = FragmentScanner()
    try scanner.advance(to: UInt64(whole.count) + hole) { (offset, count) throws(any Error) in
      try file.seek(toOffset: offset)
      return Array(try file.read(upToCount: count) ?? Data())
    }
    #expect(scanner.damage == nil && scanner.wholeEnd == UInt64(whole.count) + hole)
    let ending = try scanner.ending()
    try put(ending.index, at: scanner.wholeEnd)
    try put(ending.cover, at: scanner.headerOffset)
    try file.close()
    #expect(try FilmBoxes(path).boxes.contains { $0.path == "moov/trak/mdia/minf/stbl/co64" })
    #expect(try MovieProbe.decodedTimes(path) == (0..<48).map { $0 * 1000 })
    let sound = try MovieProbe.samples(path).count
    #expect(sound == 2 * 2 * 48000)
  }

  @Test func aSecondScanGoesOnWhereTheFirstEnded() throws {
    let film = try Finished(try MovieDirectory())
    let whole = film.inFragments(index: 0)
    var scanner = FragmentScanner()
    for length in stride(from: 0, through: whole.count, by: 997) + [whole.count] {
      scanner = Self.scan(whole, from: scanner, to: length)
    }
    #expect(try scanner.ending().index == Array(film.bytes[film.end...]))
  }

  /// Nothing traps, and no sample lies outside the file.
  @Test func damagedFilesAreScannedToTheirDamage() throws {
    let film = try Finished(try MovieDirectory(), frames: 24)
    let whole = film.inFragments(index: 0)
    var random = SplitMix(seed: 5)
    let heads = FilmBoxes(bytes: whole).boxes.map(\.offset)
    var damaged = 0
    for _ in 0..<3000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = heads.randomElement(using: &random)! + Int.random(in: 0..<80, using: &random)
        let value = [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random)!
        // A byte, or a whole number of 32 or 64 bits.
        for byte in 0..<[1, 4, 8].randomElement(using: &random)! where place + byte < bytes.count {
          bytes[place + byte] = value
        }
      }
      let scanner = Self.scan(bytes)
      #expect(scanner.wholeEnd <= UInt64(bytes.count))
      if scanner.damage != nil { damaged += 1 }
      _ = try? scanner.ending()
    }
    #expect(damaged > 300)
  }
}
