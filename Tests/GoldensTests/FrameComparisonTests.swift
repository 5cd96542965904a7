import Frames
import Goldens
import Testing

/// What of a film is not as in its golden, each fault by its name.
@Suite struct FrameComparisonTests {
  /// 24 a second; each letter is a picture, a blank none at that time.
  static func film(_ pictures: String, late: Int64 = 0, timeBase: Rational = Rational(1, 24000), last: Int64 = 1000)
    -> FrameHashes
  {
    let ticks = (timeBase.inverse * Rational(1, 24000)).scaling(1000)
    var lines = pictures.enumerated().filter { $0.element != " " }.map { index, letter in
      FrameHashes.Picture(time: Int64(index) * ticks + late, duration: ticks, size: 4608, hash: "\(letter)")
    }
    if let end = lines.popLast() {
      lines.append(FrameHashes.Picture(time: end.time, duration: last * ticks / 1000, size: 4608, hash: end.hash))
    }
    return FrameHashes(timeBase: timeBase, dimensions: "64x48", pictures: lines)
  }

  static func differences(_ golden: String, _ got: String) -> [FrameDifference] {
    FrameComparison(golden: film(golden), film: film(got)).differences
  }

  @Test func theSameIsTheSame() {
    #expect(Self.differences("abcdef", "abcdef") == [])
    #expect(Self.differences("aaaaaa", "aaaaaa") == [] && Self.differences("", "") == [])
    let golden = Self.film("abcdef")
    #expect(FrameComparison(golden: golden, film: Self.film("abcdef", timeBase: Rational(1, 48000))).differences == [])
  }

  @Test func pictures_thatAreOthers() {
    #expect(Self.differences("abcdef", "abXdef") == [.changed(2...2)])
    #expect(Self.differences("abcdef", "XYcdeZ") == [.changed(0...1), .changed(5...5)])
    #expect(Self.differences("abcdef", "UVWXYZ") == [.changed(0...5)])
    #expect(Self.differences("aaaaaa", "aaXaaa") == [.changed(2...2)])
  }

  @Test func aPictureThatIsMissing() {
    // Its time stays empty, or those behind it move up.
    #expect(Self.differences("abcdef", "abc ef") == [.dropped(3...3)])
    #expect(Self.differences("abcdef", "abcef") == [.dropped(3...3), .shifted(4...5, nanoseconds: -41_666_667)])
    #expect(Self.differences("abcdef", "abcd") == [.dropped(4...5)])
    #expect(Self.differences("abcdef", "cdef").first == .dropped(0...1))
    #expect(Self.differences("abcdef", "") == [.dropped(0...5)])
    // Where they all look the same one of them is.
    #expect(Self.differences("aaaaaab", "aaaaab") == [.dropped(5...5), .shifted(6...6, nanoseconds: -41_666_667)])
  }

  /// Behind a gap an encoder gives frames other bits. Which one is missing is then known from those before it, unless
  /// they are other frames, or the bits behind it say otherwise.
  @Test func aPictureThatIsMissingBehindAnEncoder() {
    func differences(_ golden: String, _ got: String, before: (String, String)) -> [FrameDifference] {
      let before = FrameComparison(golden: Self.film(before.0), film: Self.film(before.1))
      return FrameComparison(golden: Self.film(golden), film: Self.film(got), before: before).differences
    }
    #expect(
      differences("ABCDEF", "ABXYZ", before: ("abcdef", "abdef"))
        == [.dropped(2...2), .changed(3...5), .shifted(3...5, nanoseconds: -41_666_667)])
    #expect(
      differences("ABCDEF", "ABVWXYZ", before: ("abcdef", "ab-cdef"))
        == [.added(2...2), .changed(2...5), .shifted(2...5, nanoseconds: 41_666_667)])
    for before in [("abcdef", "abcXef"), ("abcd", "abd")] {
      #expect(differences("ABCDEF", "ABXYZ", before: before) == [.changed(2...4), .dropped(5...5)])
    }
    #expect(differences("ABCDEF", "ABDEF", before: ("abcdef", "abcde")) == Self.differences("ABCDEF", "ABDEF"))
  }

  /// At another rate, too: those before the encoder say that every frame is there.
  @Test(arguments: [Int64(500), 800, 1100]) func aHigherOrLowerRateBehindAnEncoder(ticks: Int64) {
    func film(_ pictures: String) -> FrameHashes {
      let film = Self.film(pictures)
      let timed = film.pictures.enumerated().map { index, picture in
        FrameHashes.Picture(time: Int64(index) * ticks, duration: ticks, size: picture.size, hash: picture.hash)
      }
      return FrameHashes(timeBase: film.timeBase, dimensions: film.dimensions, pictures: timed)
    }
    let before = FrameComparison(golden: Self.film("abcdefgh"), film: film("abcdefgh"))
    let found = FrameComparison(golden: Self.film("ABCDEFGH"), film: film("STUVWXYZ"), before: before).differences
    let late = (1...7).map { FrameDifference.shifted($0...$0, nanoseconds: Int64($0) * (ticks - 1000) * 125_000 / 3) }
    #expect(found.count == 8 && found.first == .changed(0...7), "\(found)")
    for (one, other) in zip(found.dropFirst(), late) {
      guard case .shifted(let run, let nanoseconds, nil) = one,
        case .shifted(let wanted, let exact, nil) = other
      else {
        Issue.record("\(one) is not \(other)")
        continue
      }
      #expect(run == wanted && abs(nanoseconds - exact) <= 1, "\(one) is not \(other)")
    }
  }

  @Test func aPictureThatIsThereTwice() {
    // In place of the next one, or in front of it.
    #expect(Self.differences("abcdef", "abbdef") == [.replaced(of: 2, shows: 1)])
    #expect(
      Self.differences("abcdef", "abbcdef")
        == [.repeated(of: 1, film: 2...2), .shifted(2...5, nanoseconds: 41_666_667)])
    #expect(Self.differences("abcdef", "abcdeff") == [.repeated(of: 5, film: 6...6)])
    #expect(
      Self.differences("abcdef", "abbbcdef")
        == [.repeated(of: 1, film: 2...3), .shifted(2...5, nanoseconds: 83_333_334)])
    #expect(Self.differences("abcdef", "abcdefff") == [.repeated(of: 5, film: 6...7)])
    #expect(Self.differences("abcdef", "adcbef") == [.replaced(of: 1, shows: 3), .replaced(of: 3, shows: 1)])
  }

  /// One or more frames between the two come late or early.
  @Test func aPictureThatIsThereTwice_andAnotherThatIsMissingForIt() {
    for (golden, got) in [("abcdefg", "abbcefg"), ("abcdefgh", "abbcdfgh")] {
      let late = got.count - 5
      #expect(
        Self.differences(golden, got) == [
          .repeated(of: 1, film: 2...2), .dropped(late + 1...late + 1), .shifted(2...late, nanoseconds: 41_666_667),
        ])
    }
    #expect(
      Self.differences("abcdefg", "abdeefg")
        == [.dropped(2...2), .repeated(of: 4, film: 4...4), .shifted(3...4, nanoseconds: -41_666_667)])
    #expect(
      Self.differences("abcdefghijkl", "abbcefghhikl") == [
        .repeated(of: 1, film: 2...2), .dropped(3...3), .repeated(of: 7, film: 8...8), .dropped(9...9),
        .shifted(2...2, nanoseconds: 41_666_667), .shifted(8...8, nanoseconds: 41_666_667),
      ])
  }

  /// The second of two that have changed places repeats nothing.
  @Test func picturesThatHaveChangedPlaces() {
    #expect(Self.differences("abcdef", "abdcef") == [.swapped(first: 2)])
    #expect(Self.differences("abcdefgh", "acbdegfh") == [.swapped(first: 1), .swapped(first: 5)])
  }

  /// What lies elsewhere is neither missing nor unknown to the golden.
  @Test func picturesThatHaveMoved() {
    #expect(
      Self.differences("abcdefgh", "agbcdefh")
        == [.moved(6...6, film: 1...1), .shifted(1...5, nanoseconds: 41_666_666)])
    #expect(
      Self.differences("abcdefgh", "acdefgbh")
        == [.moved(1...1, film: 6...6), .shifted(2...6, nanoseconds: -41_666_666)])
    #expect(
      Self.differences("abcdefghijkl", "aijbcdefghkl")
        == [.moved(8...9, film: 1...2), .shifted(1...7, nanoseconds: 83_333_333)])
    // One beside it that is new to the golden stays so.
    #expect(
      Self.differences("abcdefgh", "agXbcdefh")
        == [
          .moved(6...6, film: 1...1), .added(2...2), .shifted(1...5, nanoseconds: 83_333_333),
          .shifted(7...7, nanoseconds: 41_666_666),
        ])
  }

  /// A frame that does not come is neither early nor late.
  @Test func timesOnBothSidesOfAMissingPicture() {
    let golden = Self.film("abcdef")
    #expect(
      FrameComparison(golden: golden, film: Self.film("abc ef", late: 24)).differences
        == [.dropped(3...3), .shifted(0...2, nanoseconds: 1_000_000), .shifted(4...5, nanoseconds: 1_000_000)])
  }

  @Test func picturesThatTheGoldenLacks() {
    #expect(Self.differences("abcdef", "abXYcdef") == [.added(2...3), .shifted(2...5, nanoseconds: 83_333_334)])
    #expect(Self.differences("", "ab") == [.added(0...1)])
  }

  @Test func times() {
    let golden = Self.film("abcdef")
    let late = FrameComparison(golden: golden, film: Self.film("abcdef", late: 24)).differences
    #expect(late == [.shifted(0...5, nanoseconds: 1_000_000)])
    // Within a millisecond or so, as Matroska rounds, frames share a sentence, which says how far they are apart.
    func rounded(_ times: [Int64]) -> [String] {
      let pictures = zip("abcdef", times).map { (letter, time) in
        FrameHashes.Picture(time: time, duration: 42, size: 4608, hash: "\(letter)")
      }
      let film = FrameHashes(timeBase: Rational(1, 1000), dimensions: "64x48", pictures: pictures)
      return FrameComparison(golden: Self.film("abcdef"), film: film).differences.map { $0.sentence(golden: golden) }
    }
    #expect(rounded([2, 44, 86, 127, 169, 211]) == ["all 6 frames come 2.000 to 2.667 ms later"])
    let both = rounded([0, 42, 83, 125, 166, 208]), early = rounded([0, 39, 81, 125, 167, 208])
    #expect(both.first == "frames 1 to 2 (0.042 s to 0.083 s) come 0.333 ms earlier to 0.333 ms later")
    #expect(early.first == "frames 1 to 2 (0.042 s to 0.083 s) come 2.333 to 2.667 ms earlier")
    let ending = FrameComparison(golden: golden, film: Self.film("abcdef", last: 500)).differences
    #expect(ending.map { $0.sentence(golden: golden) } == ["the last frame lasts 20.833 ms, not 41.667 ms"])
  }

  @Test func anotherSizeIsAllThatIsSaid() {
    let golden = Self.film("abc")
    let tall = FrameHashes(
      timeBase: golden.timeBase, dimensions: "48x64",
      pictures: golden.pictures.map { FrameHashes.Picture(time: $0.time, duration: 1000, size: $0.size, hash: "x") })
    #expect(
      FrameComparison(golden: golden, film: tall).differences.map { $0.sentence(golden: golden) } == [
        "the frames are 48x64, 4608 bytes, not 64x48, 4608 bytes"
      ])
    let mixed = FrameHashes(
      timeBase: golden.timeBase, dimensions: "64x48",
      pictures: golden.pictures.enumerated().map { (place, picture) in
        FrameHashes.Picture(time: picture.time, duration: 1000, size: 4608 + place, hash: picture.hash)
      })
    #expect(
      FrameComparison(golden: mixed, film: golden).differences.map { $0.sentence(golden: mixed) } == [
        "the frames are 64x48, 4608 bytes, not 64x48, 4608 to 4610 bytes"
      ])
  }

  @Test func sentences() {
    let golden = Self.film("abcdefghijklm")
    func said(_ difference: FrameDifference) -> String { difference.sentence(golden: golden) }
    #expect(said(.changed(12...12)) == "frame 12 (0.500 s) differs")
    #expect(said(.changed(3...12)) == "frames 3 to 12 (0.125 s to 0.500 s) differ")
    #expect(said(.changed(0...12)) == "all 13 frames differ")
    #expect(said(.replaced(of: 3, shows: 2)) == "frame 3 (0.125 s) shows frame 2, the one before it")
    #expect(said(.replaced(of: 3, shows: 9)) == "frame 3 (0.125 s) shows frame 9")
    #expect(said(.swapped(first: 2)) == "frames 2 and 3 (0.083 s and 0.125 s) have changed places")
    #expect(said(.moved(6...6, film: 1...1)) == "frame 6 (0.250 s) has moved: it is the film's frame 1")
    #expect(
      said(.moved(6...7, film: 1...2))
        == "frames 6 to 7 (0.250 s to 0.292 s) have moved: they are the film's frames 1 to 2")
    #expect(said(.dropped(3...3)) == "frame 3 (0.125 s) is missing")
    #expect(said(.repeated(of: 3, film: 4...4)) == "frame 3 (0.125 s) appears twice")
    #expect(said(.repeated(of: 3, film: 4...5)) == "frame 3 (0.125 s) appears 3 times")
    #expect(said(.added(2...2)) == "the film's frame 2 is not in the golden")
    #expect(said(.added(2...3)) == "the film's frames 2 to 3 are not in the golden")
    #expect(
      said(.shifted(3...12, nanoseconds: -1_000_000)) == "frames 3 to 12 (0.125 s to 0.500 s) come 1.000 ms earlier")
    #expect(said(.shifted(0...12, nanoseconds: 41_666_667)) == "all 13 frames come 41.667 ms later")
  }

  /// Whatever is done to a film: differences are found exactly where there are some, and an hour takes no time.
  @Test func longFilms() {
    let pictures = (0..<86_400).map {
      FrameHashes.Picture(time: Int64($0), duration: 1, size: 9, hash: "\($0 % 50_000)")
    }
    let golden = FrameHashes(timeBase: Rational(1, 24), dimensions: nil, pictures: pictures)
    var others = pictures
    others.remove(at: 60_000)
    let got = FrameHashes(timeBase: Rational(1, 24), dimensions: nil, pictures: others)
    #expect(FrameComparison(golden: golden, film: golden).differences == [])
    #expect(FrameComparison(golden: golden, film: got).differences == [.dropped(60_000...60_000)])
    let all = FrameHashes(
      timeBase: Rational(1, 24), dimensions: nil,
      pictures: pictures.map { FrameHashes.Picture(time: $0.time, duration: 1, size: 9, hash: "x\($0.hash)") })
    #expect(FrameComparison(golden: golden, film: all).differences == [.changed(0...86_399)])
  }
}
