import Foundation
import MovieBoxes
import TestKit
import Testing

/// What is left of a film of four fragments, three frames each, when something has happened to its file.
struct MovieSalvageTests {
  private let whole = HandMade.fragments(parts: 4).content

  private func times(_ salvage: MovieSalvage) -> [Int64] {
    var times: [Int64] = []
    salvage.presentationTimes { times.append($0) }
    return times
  }

  private func fragment(_ number: Int) -> Int { ReadFilm.offsets(of: "moof", in: whole)[number] }

  @Test func ofAWholeOneNothingIsMissing() throws {
    let salvage = ReadFilm.salvage(whole)
    #expect(salvage.kind == .fragments && salvage.fragments == 4 && salvage.lostBytes == [])
    #expect(salvage.pictures == 12 && salvage.tornPictures == 0 && salvage.seconds == 0.5)
    #expect(salvage.soundSamples == 4000 && salvage.silentSamples == 0 && !salvage.lacksTimecode)
    #expect(times(salvage) == (0..<12).map { 1000 * $0 } && salvage.timescale == 24000)
    #expect(salvage.wholeEnd == UInt64(whole.count))
    let ending = try salvage.ending()
    #expect(ending.offset == UInt64(whole.count))
    #expect(try ending.appendix == ReadFilm.scan(whole).ending().index, "the index of a film that was stopped")
  }

  /// The last frame is at 11,000.
  @Test(arguments: [
    (11_600, 11_600), (11_001, 11_001), (12_000, 12_000), (20_000, 12_000), (11_000, 12_000), (0, 12_000),
  ] as [(Int64, Int64)])
  func aLastFrameIsShownNoLongerThanItWasRecorded(time: Int64, end: Int64) throws {
    var salvage = ReadFilm.salvage(whole)
    salvage.shorten(to: time)
    #expect(salvage.seconds == Double(end) / 24000 && times(salvage) == (0..<12).map { 1000 * $0 })
    let durations: [UInt64] = end == 12_000 ? [1, 12, 1000] : [2, 11, 1000, 1, UInt64(end - 11_000)]
    #expect(ReadFilm.table("stts", ofTrack: 0, in: try salvage.ending().appendix) == durations)
  }

  @Test func overAHoleTheLastFrameStays_andSilenceReplacesAudio() throws {
    var bytes = whole
    for place in fragment(2)..<fragment(2) + 24 { bytes[place] = 0xEE }
    let salvage = ReadFilm.salvage(bytes)
    #expect(salvage.fragments == 3 && salvage.lostBytes == [UInt64(fragment(2))..<UInt64(fragment(3))])
    #expect(times(salvage) == [0, 1000, 2000, 3000, 4000, 5000, 9000, 10000, 11000])
    #expect(salvage.soundSamples == 4000 && salvage.silentSamples == 1000 && salvage.seconds == 0.5)
    #expect(salvage.silence == [2000..<3000])
    let ending = try salvage.ending()
    #expect(ending.appendix.prefix(2000).allSatisfy { $0 == 0 }, "1000 samples of 16 bits")
    let index = Array(ending.appendix.dropFirst(2000))
    #expect(ReadFilm.table("stts", ofTrack: 0, in: index) == [3, 5, 1000, 1, 4000, 3, 1000])
    let chunks = ReadFilm.table("stco", ofTrack: 1, in: index)
    #expect(chunks.count == 5 && chunks[3] == ending.offset, "what is silent lies behind everything else")
  }

  @Test func withoutItsBeginningAFilmBeginsLate_andGetsALabel() throws {
    var bytes = whole
    for place in fragment(0)..<fragment(0) + 24 { bytes[place] = 0xEE }
    let salvage = ReadFilm.salvage(bytes)
    #expect(times(salvage) == (3..<12).map { 1000 * $0 } && salvage.lacksTimecode && salvage.seconds == 0.5)
    let ending = try salvage.ending(timecode: 86403)
    #expect(Array(ending.appendix[2000..<2004]) == HandMade.big(86403, 4))
    let index = Array(ending.appendix.dropFirst(2004))
    #expect(ReadFilm.table("stco", ofTrack: 2, in: index) == [1, ending.offset + 2000])
  }

  /// The second of the last fragment's three frames is only partly there.
  private var torn: Int {
    ReadFilm.offsets(of: "mdat", in: whole)[3] + 8 + HandMade.tracks[0].samples[9].count + 3
  }

  @Test func aTornFragmentKeepsTheFramesThatAreThere() throws {
    let salvage = ReadFilm.salvage(Array(whole[..<torn]))
    #expect(salvage.pictures == 10 && salvage.tornPictures == 2 && salvage.fragments == 4)
    #expect(salvage.soundSamples == 3000 && salvage.wholeEnd == UInt64(torn))
    #expect(try salvage.ending().offset == UInt64(whole.count), "behind all that the fragment's header mentions")
  }

  @Test func zerosWereNeverWritten() {
    var bytes = whole
    for place in torn..<bytes.count { bytes[place] = 0 }
    let salvage = ReadFilm.salvage(bytes)
    #expect(salvage.pictures == 10 && salvage.tornPictures == 2 && salvage.soundSamples == 3000)
  }

  /// A film with more audio: 20,000 bytes behind the three frames of each fragment.
  private static let loud = HandMade.fragments([.pictures(), .sound(40_000)], parts: 4).content

  /// Where a fragment's audio lies in it, and the third page that it reaches.
  private func place(ofAudio number: Int) -> (bytes: Range<Int>, page: Int) {
    let frames = HandMade.tracks[0].samples[3 * number..<3 * number + 3].reduce(0) { $0 + $1.count }
    let begin = ReadFilm.offsets(of: "mdat", in: Self.loud)[number] + 8 + frames
    return (begin..<begin + 20_000, (begin / 4096 + 2) * 4096)
  }

  private func zeroed(_ places: Range<Int>) -> [UInt8] {
    var bytes = Self.loud
    bytes.replaceSubrange(places, with: Array(repeating: 0, count: places.count))
    return bytes
  }

  @Test func pagesOfZerosInAudioAreSilence() throws {
    let (audio, page) = place(ofAudio: 2), end = page + 8192
    let salvage = ReadFilm.salvage(zeroed(page..<end))
    let first = (page - audio.lowerBound) / 2, behind = (end - audio.lowerBound + 1) / 2
    #expect(salvage.silentSamples == UInt64(behind - first) && salvage.soundSamples == 40_000)
    #expect(salvage.silence == [UInt64(20_000 + first)..<UInt64(20_000 + behind)])
    #expect(salvage.pictures == 12 && salvage.tornPictures == 0 && salvage.lostBytes == [])
    let ending = try salvage.ending()
    let chunks = ReadFilm.table("stco", ofTrack: 1, in: Array(ending.appendix.dropFirst(2 * (behind - first))))
    try #require(chunks.count == 7)
    #expect(chunks[3] == UInt64(audio.lowerBound) && chunks[4] == ending.offset)
    #expect(chunks[5] == UInt64(audio.lowerBound + 2 * behind))
  }

  @Test func pagesOfZerosUpToTheFilesEndAreSilence() {
    let (audio, page) = place(ofAudio: 3)
    #expect(audio.upperBound == Self.loud.count)
    let salvage = ReadFilm.salvage(zeroed(page..<Self.loud.count))
    #expect(salvage.silentSamples == UInt64(10_000 - (page - audio.lowerBound) / 2))
    #expect(salvage.soundSamples == 40_000 && salvage.pictures == 12)
  }

  @Test func besideFramesOfZerosAudioOfZerosIsLost() {
    let audio = place(ofAudio: 2).bytes
    let salvage = ReadFilm.salvage(zeroed(ReadFilm.offsets(of: "mdat", in: Self.loud)[2] + 8..<audio.upperBound))
    #expect(salvage.pictures == 9 && salvage.tornPictures == 3)
    #expect(salvage.silentSamples == 10_000 && salvage.soundSamples == 40_000)
  }

  /// Its zeros begin anywhere, or are everywhere.
  @Test func aSilentMicrophoneHasLostNothing() {
    let (audio, page) = place(ofAudio: 2)
    for places in [audio, page + 100..<audio.upperBound, page..<page + 4196, page - 100..<page + 4096] {
      let salvage = ReadFilm.salvage(zeroed(places))
      #expect(salvage.silentSamples == 0 && salvage.soundSamples == 40_000, "\(places)")
    }
  }

  /// Its frames are stored as those of HEVC or ProRes.
  @Test(arguments: ["hvc1", "apch"])
  func overwrittenFramesAreNone(type: String) {
    var track = HandMade.Track.pictures()
    track.description.type = type
    track.description.boxes[0].fields = Array(repeating: 0xFF, count: 23)
    track.samples = track.samples.map { sample in
      if type == "apch" { return HandMade.big(sample.count + 8, 4) + Array("icpf".utf8) + sample }
      let first: [UInt8] = [0, 0, 0, 3, 1, 2, 3]
      return first + HandMade.big(sample.count, 4) + sample
    }
    let film = HandMade.fragments([track], parts: 4).content
    #expect(ReadFilm.salvage(film).pictures == 12)
    func overwritten(_ fragments: [Int]) -> MovieSalvage {
      var bytes = film
      for number in fragments {
        let begin = ReadFilm.offsets(of: "mdat", in: film)[number] + 8, count = track.samples[3 * number].count
        bytes.replaceSubrange(begin..<begin + count, with: Array(repeating: 0xFF, count: count))
      }
      return ReadFilm.salvage(bytes)
    }
    let salvage = overwritten([1])
    #expect(salvage.pictures == 11 && salvage.tornPictures == 1 && salvage.seconds == 0.5)
    #expect(times(salvage) == [0, 1000, 2000, 4000, 5000, 6000, 7000, 8000, 9000, 10000, 11000])
    // The first one that is whole tells how a frame begins.
    for numbers in [[0], [0, 1]] {
      let salvage = overwritten(numbers)
      #expect(salvage.pictures == 11 && salvage.tornPictures == 1, "\(numbers)")
    }
    #expect(overwritten([0, 1, 2, 3]).pictures == 12, "a film without it stores its frames in another way")
  }

  @Test func piecesOfOlderFilmsDoNotFit() {
    // The fourth fragment is said to come before the third, which is damaged.
    var film = HandMade.fragments(parts: 4)
    film["moof[4]/mfhd"]?.put(HandMade.big(2, 4), at: 4)
    var bytes = film.content
    for place in fragment(2)..<fragment(2) + 24 { bytes[place] = 0xEE }
    let salvage = ReadFilm.salvage(bytes)
    #expect(salvage.pictures == 6 && salvage.lostBytes == [UInt64(fragment(2))..<UInt64(whole.count)])
  }

  @Test func filesAreToldApart() {
    let boxes = HandMade.fragments(parts: 4).boxes
    let headless = HandMade.Box("", [], [boxes[0]] + Array(boxes.dropFirst(2))).content
    #expect(ReadFilm.salvage(HandMade.film().content).kind == .ordinary)
    #expect(ReadFilm.salvage(headless).kind == .headless)
    #expect(ReadFilm.salvage(headless).lostBytes == [20..<UInt64(headless.count)])
    #expect(ReadFilm.salvage([]).kind == .headless && ReadFilm.salvage([1, 2, 3]).kind == .headless)
    #expect(throws: BoxDamage.self) { try ReadFilm.salvage(headless).ending() }
  }

  @Test func noAlteredByteMakesItTrap() {
    let bytes = HandMade.fragments([.pictures(), .timecode()], parts: 2).content
    for place in bytes.indices {
      var altered = bytes
      altered[place] ^= 0xFF
      let salvage = ReadFilm.salvage(altered)
      #expect(salvage.pictures <= 12 && salvage.wholeEnd <= UInt64(bytes.count), "byte \(place)")
      #expect(salvage.lostBytes.allSatisfy { $0.upperBound <= UInt64(bytes.count) }, "byte \(place)")
      _ = try? salvage.ending(timecode: 1)
    }
  }
}
