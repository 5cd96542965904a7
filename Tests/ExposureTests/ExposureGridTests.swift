import Exposure
import Frames
import TestKit
import Testing

struct ExposureGridTests {
  private func rate(_ text: String) throws -> FrameRate { try #require(FrameRate(parsing: text)) }

  /// UVC counts in 100 µs.
  @Test(arguments: [
    ("24", 208, "179.71°"), ("23.976", 209, "180.4°"), ("25", 200, "180°"), ("29.97", 167, "180.18°"),
    ("30", 167, "180.36°"), ("50", 100, "180°"), ("59.94", 83, "179.1°"), ("60", 83, "179.28°"), ("120", 42, "181.44°"),
  ])
  func halfATurnOnAUVCCamera(_ rate: String, _ units: Int64, _ angle: String) throws {
    let grid = try ExposureGrid.uvc(minimum: 1, maximum: 5000)
    let reached = try grid.nearest(to: .standard, at: try self.rate(rate))
    #expect(reached.units == units && reached.exposureTime == Rational(units, 10_000))
    #expect(reached.angle.description == angle && reached.description == "\(angle) (\(units) units)")
    #expect(abs(reached.error) <= 0.012 && reached.bound == nil && reached.wished == .standard)
  }

  @Test func theAngleReachedIsExact() throws {
    let reached = try ExposureGrid.uvc(minimum: 1, maximum: 5000).nearest(to: .standard, at: try rate("24"))
    #expect(reached.angle.degrees == Rational(179_712, 1000))
    #expect(abs(reached.error - -0.00231) < 1e-5)
  }

  @Test func aSensorExposesWholeLines() throws {
    // 1125 lines a frame at 30 fps: half of them is 562.5, and of two equally near the longer is taken.
    let grid = try ExposureGrid.lines(lineTime: Rational(1, 33_750), minimum: 4, maximum: 1121)
    let reached = try grid.nearest(to: .standard, at: try rate("30"))
    #expect(reached.units == 563 && reached.angle.degrees == Rational(18016, 100))
    let smallest = try grid.nearest(to: try ShutterAngle(parsing: "0.1"), at: try rate("30"))
    #expect(smallest.units == 4 && smallest.bound == .deviceMinimum && smallest.angle.description == "1.28°")
    let largest = try grid.nearest(to: try ShutterAngle(parsing: "360"), at: try rate("30"))
    #expect(largest.units == 1121 && largest.bound == .deviceMaximum && largest.angle.description == "358.72°")
  }

  /// A frame of 41.67 ms has room for 416 units, though 417 are nearer to its whole length.
  @Test func aFullTurnIsNeverLongerThanTheFrame() throws {
    let reached = try ExposureGrid.uvc(minimum: 1, maximum: 5000).nearest(
      to: try ShutterAngle(parsing: "360"), at: try rate("24"))
    #expect(reached.units == 416 && reached.angle.description == "359.42°" && reached.bound == nil)
  }

  @Test func nothingOnTheGridIsNearerThanTheNearest() throws {
    var random = SplitMix(seed: 100)
    for _ in 0..<1000 {
      let rate = try #require(FrameRate(Rational(Int64.random(in: 5000...120_000, using: &random), 1001)))
      let angle = try ShutterAngle(degrees: Rational(Int64.random(in: 1...3600, using: &random), 10))
      let minimum = Int64.random(in: 1...20, using: &random), step = Int64.random(in: 1...7, using: &random)
      let maximum = Int64.random(in: 20...3000, using: &random)
      let grid = try ExposureGrid.uvc(minimum: minimum, maximum: maximum, step: step)
      let reached = try grid.nearest(to: angle, at: rate)
      let wished = try angle.exposureTime(at: rate).doubleValue * 10_000
      #expect((minimum...maximum).contains(reached.units) && (reached.units - minimum) % step == 0)
      #expect(reached.exposureTime <= rate.frameDuration)
      let allowed = stride(from: minimum, through: maximum, by: Int(step)).filter {
        Rational($0, 10_000) <= rate.frameDuration
      }
      let best = allowed.map { abs(Double($0) - wished) }.min() ?? 0
      // A wish is first rounded to a unit and then to a step, which costs a unit at most between two steps.
      #expect(abs(Double(reached.units) - wished) <= best + (step == 1 ? 1e-9 : 1))
    }
  }

  @Test func aMinimumOfNothingIsTheFirstStepThatIsSomething() throws {
    let grid = try ExposureGrid.uvc(minimum: 0, maximum: 101, step: 5)
    #expect(grid.minimum == 5 && grid.maximum == 100)
  }

  @Test func aCameraWhoseShortestExposureIsLongerThanAFrameIsSaid() throws {
    let grid = try ExposureGrid.uvc(minimum: 200, maximum: 5000)
    let error = #expect(throws: CamrecError.self) { try grid.nearest(to: .standard, at: try rate("60")) }
    let sentence =
      "the camera's shortest exposure, 20 ms, is longer than a frame at 60 fps, 16.67 ms; choose a lower --fps"
    #expect(error == CamrecError(.device, sentence))
  }

  @Test(arguments: [
    (Int64(5000), Int64(3), Int64(1)), (-5, 100, 1), (1, 100, 0), (1, 100, -3), (0, 3, 5), (0, 0, 1), (1, .max, 1),
    (.max, .max, .max), (.min, .max, 1), (1, 100, .max),
  ])
  func whatADriverMakesUpIsRefused(_ minimum: Int64, _ maximum: Int64, _ step: Int64) {
    let error = #expect(throws: CamrecError.self) {
      try ExposureGrid.uvc(minimum: minimum, maximum: maximum, step: step)
    }
    #expect(error?.code == .device)
    #expect(
      error?.message == "the camera reports exposure times of \(minimum) to \(maximum) in steps of \(step), which is "
        + "not a range; its exposure cannot be set")
  }
}
