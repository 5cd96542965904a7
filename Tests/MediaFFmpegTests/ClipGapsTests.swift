import Frames
import MediaFFmpeg
import Testing

/// What a clip lacks by its frames' times.
@Suite struct ClipGapsTests {
  private static func gaps(_ rate: String, _ timeBase: Rational, _ ticks: [Int64?]) throws -> ClipGaps {
    var gaps = ClipGaps(frameRate: try #require(FrameRate(parsing: rate)), timeBase: timeBase)
    for time in ticks { if let time { gaps.read(time) } else { gaps.damage() } }
    return gaps
  }

  @Test func framesThatAreMissingBetweenOthersAreCounted() throws {
    let none = try Self.gaps("25", Rational(1, 12_800), [512, 1024, 1536])
    #expect(none.frames == 0 && none.count == 0)
    let some = try Self.gaps("25", Rational(1, 100), [40, 44, 56, 60, 68])
    #expect(some.frames == 3 && some.count == 2 && some.first == 2.0 / 25)
  }

  /// Matroska's milliseconds.
  @Test func roundedTimesAreOnTheGrid() throws {
    let times = (0..<2000).filter { !(700..<703).contains($0) }.map { Int64((Double($0) * 1001 / 24).rounded()) }
    let gaps = try Self.gaps("23.976", Rational(1, 1000), times)
    #expect(gaps.frames == 3 && gaps.count == 1 && abs(gaps.first - 700 * 1.001 / 24) < 1e-9)
  }

  /// They are there, and counted as damaged.
  @Test func damagedFramesAreNotMissing() throws {
    #expect(try Self.gaps("25", Rational(1, 100), [nil, nil, 16, 20, nil, nil, 32]).frames == 0)
    #expect(try Self.gaps("25", Rational(1, 100), [0, nil, 12, 24]).frames == 3)
  }

  /// Of a variable rate nobody knows what is missing.
  @Test func withoutAConstantRateNothingIsSaid() throws {
    let odd = try Self.gaps("25", Rational(1, 1000), [0, 40, 160, 215, 260])
    #expect(odd.frames == 0 && odd.count == 0)
    #expect(try Self.gaps("25", Rational(1, 100), [0, 4, 4, 16]).frames == 0, "a time that comes twice")
    #expect(try Self.gaps("25", Rational(1, 25 * 2), [0, 2, 8]).frames == 0, "ticks as coarse as half a frame")
  }
}
