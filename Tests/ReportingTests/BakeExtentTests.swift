import Frames
import Recorder
import Reporting
import Testing

/// What the progress of a bake counts: at the end it is all of it.
@Suite struct BakeExtentTests {
  /// Of a clip of 4 s that lacks 49 of 100 frames.
  private static func extent(
    _ listed: Int?, _ limit: RecordingLimit? = nil, fillsGaps: Bool = false, filled: Int? = nil
  ) -> BakeExtent {
    BakeExtent(
      promised: 100, listed: listed, limit: limit, fillsGaps: fillsGaps, filled: filled,
      frameRate: FrameRate(Rational(25)).unsafelyUnwrapped)
  }

  /// Where gaps are filled, or frames not listed, time counts.
  @Test func theEndIsAllOfIt() {
    for (extent, total) in [
      (Self.extent(51), 51), (Self.extent(51, fillsGaps: true), 100), (Self.extent(nil), 100),
      (Self.extent(51, .frames(1000)), 51),
    ] {
      #expect(extent.total == total && extent.done(frames: 51, seconds: 4) == total, "\(extent)")
    }
  }

  @Test func aLimitCountsWhatItLimits() {
    #expect(Self.extent(51, .frames(20)).total == 20)
    // Of the film, which has more frames than it takes; a gap behind the last one is none of them.
    let filled = Self.extent(51, .frames(20), fillsGaps: true, filled: 38)
    #expect(filled.total == 38 && filled.done(frames: 10, seconds: 0.8) == 20)
    #expect(filled.done(frames: 20, seconds: 1.6) == 38)
    let unknown = Self.extent(nil, .frames(20), fillsGaps: true)
    #expect(unknown.total == nil && unknown.done(frames: 20, seconds: 1.6) == 20)
    let half = Self.extent(51, .seconds(Rational(2)))
    #expect(half.total == 50 && half.done(frames: 25, seconds: 2) == 50)
    #expect(Self.extent(51, .seconds(Rational(9))).total == 51)
  }
}
