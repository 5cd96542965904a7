import Foundation
import MovieBoxes
import TestKit
import Testing

/// Films in fragments, whole and broken, and the index that makes ordinary ones of them.
struct FragmentScannerTests {
  private let whole = HandMade.fragments(parts: 4)

  @Test func theIndexHasEverySampleWhereItLies() throws {
    let file = try ReadFilm.finish(whole.content)
    #expect(FilmBoxes(bytes: file).topLevel == ["ftyp", "mdat", "moov"])
    let pictures = HandMade.tracks[0].samples
    #expect(ReadFilm.table("stts", ofTrack: 0, in: file) == [1, 12, 1000])
    #expect(ReadFilm.table("stss", ofTrack: 0, in: file) == [4, 1, 4, 7, 10], "each fragment begins with a key frame")
    #expect(ReadFilm.table("stsc", ofTrack: 0, in: file) == [1, 1, 3, 1])
    #expect(ReadFilm.table("stsz", ofTrack: 0, in: file) == [0, 12] + pictures.map { UInt64($0.count) })
    let chunks = ReadFilm.table("stco", ofTrack: 0, in: file)
    #expect(chunks.first == 4 && chunks.count == 5)
    for (chunk, offset) in chunks.dropFirst().enumerated() {
      var place = Int(offset)
      for sample in pictures[3 * chunk..<3 * chunk + 3] {
        #expect(Array(file[place..<place + sample.count]) == sample)
        place += sample.count
      }
    }
  }

  @Test func packetsOfPCMBecomeSamples_andALabelLastsAsLongAsThePicture() throws {
    let file = try ReadFilm.finish(whole.content)
    #expect(ReadFilm.table("stts", ofTrack: 1, in: file) == [1, 4000, 1])
    #expect(ReadFilm.table("stsz", ofTrack: 1, in: file) == [2, 4000])
    #expect(ReadFilm.table("stsc", ofTrack: 1, in: file) == [1, 1, 1000, 1])
    #expect(ReadFilm.table("stss", ofTrack: 1, in: file) == [], "all of them can be decoded alone")
    #expect(ReadFilm.table("stts", ofTrack: 2, in: file) == [1, 1, 12000])
  }

  @Test func headersSayHowLongItIs() throws {
    let boxes = FilmBoxes(bytes: try ReadFilm.finish(whole.content))
    let movie = try #require(boxes.all("moov/mvhd").first)
    #expect(FilmBoxes.number(movie, 16, 4) == 500 && FilmBoxes.number(movie, 96, 4) == 4)
    #expect(boxes.all("moov/trak/tkhd").map { FilmBoxes.number($0, 20, 4) } == [500, 500, 500])
    #expect(boxes.all("moov/trak/mdia/mdhd").map { FilmBoxes.number($0, 16, 4) } == [12000, 4000, 12000])
    #expect(boxes.all("moov/mvex").isEmpty && boxes.all("moov/meta").count == 1)
  }

  @Test func aFileThatGrowsIsReadOnFromWhereItStopped() throws {
    let bytes = whole.content
    var scanner = FragmentScanner(), end: UInt64 = 0
    for size in Array(stride(from: 0, to: bytes.count, by: 13)) + [bytes.count] {
      ReadFilm.advance(&scanner, bytes, to: size)
      #expect(scanner.wholeEnd >= end && scanner.wholeEnd <= UInt64(size))
      end = scanner.wholeEnd
    }
    #expect(scanner.damage == nil && end == UInt64(bytes.count))
    let index = try scanner.ending().index
    #expect(try index == ReadFilm.scan(bytes).ending().index)
    #expect(scanner.indexBytes >= Int64(index.count))
  }

  @Test func whatIsCutOffIsNotInTheIndex() throws {
    let bytes = whole.content, data = ReadFilm.offsets(of: "mdat", in: bytes)[2]
    let scanner = ReadFilm.scan(Array(bytes[..<(data + 20)]))
    #expect(scanner.damage?.box == "mdat" && scanner.damage?.reason == "is cut off" && scanner.damage?.offset == data)
    #expect(scanner.wholeEnd == UInt64(ReadFilm.offsets(of: "moof", in: bytes)[2]))
    let file = try ReadFilm.finish(Array(bytes[..<(data + 20)]))
    #expect(ReadFilm.table("stts", ofTrack: 0, in: file) == [1, 6, 1000])
    #expect(ReadFilm.table("stts", ofTrack: 1, in: file) == [1, 2000, 1])
  }

  @Test func aBrokenFragmentEndsTheFilmBeforeIt() throws {
    let faults: [(box: String, reason: String, change: (inout HandMade.Box) -> Void)] = [
      ("trun", "has 1048577 samples", { $0["moof[2]/traf/trun"]?.put(HandMade.big(1 << 20 + 1, 4), at: 4) }),
      ("trun", "ends within a number", { $0["moof[2]/traf/trun"]?.put(HandMade.big(4, 4), at: 4) }),
      ("trun", "lies outside its fragment's data", { $0["moof[2]/traf/trun"]?.put(HandMade.big(0, 4), at: 8) }),
      (
        "trun", "has samples beyond its fragment's data",
        { $0["moof[2]/traf/trun"]?.put(HandMade.big(1 << 30, 4), at: 12) }
      ),
      (
        "trun", "has audio samples of another size than the track",
        { $0["moof[2]/traf[2]/trun"]?.put(HandMade.big(1999, 4), at: 16) }
      ),
      ("tfhd", "is for track 9, which does not exist", { $0["moof[2]/traf/tfhd"]?.put(HandMade.big(9, 4), at: 4) }),
      ("traf", "has no header", { $0["moof[2]/traf/tfhd"] = nil }),
    ]
    for fault in faults {
      var film = whole
      fault.change(&film)
      let scanner = ReadFilm.scan(film.content)
      #expect(scanner.damage?.box == fault.box && scanner.damage?.reason == fault.reason, "\(scanner.damage as Any)")
      #expect(scanner.wholeEnd == UInt64(ReadFilm.offsets(of: "moof", in: whole.content)[1]))
      let file = try ReadFilm.finish(film.content)
      #expect(ReadFilm.table("stts", ofTrack: 0, in: file) == [1, 3, 1000], "\(fault.reason)")
    }
  }

  @Test func boxesInTheWrongPlaceEndTheFilm() {
    let boxes = whole.boxes, (kind, movie, fragment, data) = (boxes[0], boxes[1], boxes[2], boxes[3])
    let cases: [(boxes: [HandMade.Box], box: String, reason: String)] = [
      ([kind, fragment, data, movie], "moof", "comes before the movie's header"),
      ([kind, movie, movie], "moov", "comes a second time"),
      ([kind, movie, data], "mdat", "belongs to no fragment"),
      ([kind, movie, HandMade.Box("abcd", [1])], "abcd", "is not a box of a movie"),
      ([kind, movie, HandMade.Box("\0\0\0\0", [1])], "....", "is not a box"),
    ]
    for entry in cases {
      let scanner = ReadFilm.scan(HandMade.Box("", [], entry.boxes).content)
      #expect(scanner.damage?.box == entry.box && scanner.damage?.reason == entry.reason, "\(scanner.damage as Any)")
    }
  }

  @Test func aHeaderHasToBeOfAMovieInFragments() {
    var ordinary = whole, nameless = whole
    ordinary["moov/mvex"] = nil
    nameless["moov/trak[2]/mdia/hdlr"] = nil
    #expect(ReadFilm.scan(ordinary.content).damage?.reason == "does not belong to a movie in fragments")
    #expect(
      ReadFilm.scan(nameless.content).damage?.reason == "lacks the track's number, time scale or handler")
    #expect(ReadFilm.scan(nameless.content).wholeEnd == 0)
  }

  @Test func withoutASampleThereIsNoIndex() {
    let empty = HandMade.Box("", [], Array(whole.boxes.prefix(2)))
    let error = #expect(throws: BoxDamage.self) { try ReadFilm.scan(empty.content).ending() }
    #expect(error?.description == "moov at 20: has no samples")
  }

  @Test func otherBoxesArePassedOver_andAFileThatHasNoFrameYetSaysSo() throws {
    let boxes = whole.boxes, begin = boxes[0].bytes + PreparedMark.bytes
    let waiting = ReadFilm.scan(begin)
    #expect(waiting.damage == nil && waiting.movie == nil && waiting.wholeEnd == 0)
    #expect(PreparedMark.bytes.count < boxes[1].bytes.count, "the header covers it")
    let free = HandMade.Box("free", [1, 2, 3])
    // Offsets within fragments begin with the fragment.
    let rest = HandMade.Box("", [], [boxes[1], free] + Array(boxes.dropFirst(2)) + [free])
    let scanner = ReadFilm.scan(begin + rest.content)
    #expect(scanner.damage == nil && scanner.headerOffset == UInt64(begin.count))
    #expect(try ReadFilm.table("stts", ofTrack: 0, in: scanner.ending().index) == [1, 12, 1000])
  }

  @Test func noAlteredByteMakesItTrap() {
    let bytes = HandMade.fragments([.pictures(), .timecode()], parts: 2).content
    for place in bytes.indices {
      for value in [0, 0x7F, 0xFF] where bytes[place] != UInt8(value) {
        var altered = bytes
        altered[place] = UInt8(value)
        let scanner = ReadFilm.scan(altered)
        #expect(scanner.wholeEnd <= UInt64(bytes.count))
        if let ending = try? scanner.ending() {
          #expect(FilmBoxes(bytes: ending.index).topLevel == ["moov"], "byte \(place) is \(value)")
        }
      }
    }
  }
}
