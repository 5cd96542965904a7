import Exposure
import Frames
import TestKit
import Testing

struct ShutterAngleTests {
  @Test(arguments: [
    ("24", 1, 48), ("24000/1001", 1001, 48000), ("25", 1, 50), ("30000/1001", 1001, 60000), ("60", 1, 120),
    ("120", 1, 240),
  ])
  func halfATurnIsHalfAFrameExactly(_ rate: String, _ numerator: Int64, _ denominator: Int64) throws {
    let rate = try #require(FrameRate(parsing: rate))
    let time = try ShutterAngle.standard.exposureTime(at: rate)
    #expect(time == Rational(numerator, denominator))
    #expect(try ShutterAngle(exposureTime: time, at: rate) == .standard)
    #expect(abs(ShutterAngle.degrees(ofExposureTime: time.doubleValue, at: rate) - 180) < 1e-9)
  }

  @Test func everyAngleComesBackFromItsTime() throws {
    var random = SplitMix(seed: 180)
    for _ in 0..<2000 {
      let rate = try #require(FrameRate(Rational(Int64.random(in: 1...240_000, using: &random), 1001)))
      let degrees = Rational(Int64.random(in: 1...3_600_000, using: &random), 10_000)
      let angle = try ShutterAngle(degrees: degrees)
      let time = try angle.exposureTime(at: rate)
      #expect(time <= rate.frameDuration)
      #expect(try ShutterAngle(exposureTime: time, at: rate) == angle)
    }
  }

  @Test func anAngleIsReadToTheLetter() throws {
    #expect(try ShutterAngle(parsing: "180") == .standard)
    #expect(try ShutterAngle(parsing: "172.8°").degrees == Rational(864, 5))
    #expect(try ShutterAngle(parsing: "360").degrees == ShutterAngle.limit)
    #expect(try ShutterAngle(parsing: "0.000001").degrees == Rational(1, 1_000_000))
    #expect(try ShutterAngle(parsing: "359.999999").degrees == Rational(359_999_999, 1_000_000))
  }

  @Test func anAngleThatAProgramHasComputedIsRoundedToAMillionth() throws {
    #expect(try ShutterAngle(parsing: "25.714285714285715").degrees == Rational(25_714_286, 1_000_000))
    #expect(try ShutterAngle(parsing: "180.0000000") == .standard)
    #expect(try ShutterAngle(parsing: "2.5e-05°").degrees == Rational(25, 1_000_000))
  }

  @Test(arguments: ["0", "360.1", "400", "-180", "wide", "", "°", "1e2", "0x10", "360.000001"])
  func whatIsNoAngleIsRefusedInOneSentence(_ text: String) {
    let error = #expect(throws: CamrecError.self) { try ShutterAngle(parsing: text) }
    #expect(error?.code == .usage)
    let sentence = "a shutter angle is greater than 0° and at most 360°, as in 180 or 172.8; this is '\(text)"
    #expect(error?.message.hasPrefix(sentence) == true, "\(error?.message ?? "")")
  }

  @Test func aTimeThatIsLongerThanAFrameIsRefused() throws {
    let rate = try #require(FrameRate(parsing: "24"))
    #expect(try ShutterAngle(exposureTime: Rational(1, 24), at: rate).degrees == Rational(360))
    for time in [Rational(1, 20), Rational(0), Rational(-1, 50)] {
      let error = #expect(throws: CamrecError.self) { try ShutterAngle(exposureTime: time, at: rate) }
      let sentence = "does not fit into a frame at 24 fps; it is greater than 0 and at most 41.67 ms"
      #expect(error?.message.contains(sentence) == true, "\(error?.message ?? "")")
    }
  }

  @Test func fractionsTooFineFor64BitsAreRefusedInsteadOfTrapping() throws {
    let rate = try #require(FrameRate(Rational(Int64.max, Int64.max / 24 - 1)))
    let angle = try ShutterAngle(degrees: Rational(Int64.max - 2, Int64.max / 200))
    let error = #expect(throws: CamrecError.self) { try angle.exposureTime(at: rate) }
    #expect(
      error?.code == .usage && error?.message.hasPrefix("a shutter angle cannot be calculated exactly at") == true)
  }

  @Test func anglesAreWrittenWithTwoDecimalsAtMost() throws {
    for (text, written) in [("180", "180°"), ("172.8", "172.8°"), ("179.712", "179.71°"), ("90.004", "90°")] {
      #expect(try ShutterAngle(parsing: text).description == written)
    }
  }
}
