import Exposure
import Foundation
import Frames
import TestKit
import Testing

struct MainsFrequencyTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let rate: String
    let mains: MainsFrequency
    /// Degrees and EV; `nil` where there is no such angle.
    let below: (String, Double)?
    let above: (String, Double)?
    let nearest: String
    var testDescription: String { "\(rate) fps, \(mains.rawValue) Hz" }

    init(
      _ rate: String, _ mains: MainsFrequency, below: (String, Double)?, above: (String, Double)?, nearest: String
    ) {
      self.rate = rate
      self.mains = mains
      self.below = below
      self.above = above
      self.nearest = nearest
    }
  }

  /// Near 180°.
  static let rows = [
    Row("24", .hz50, below: ("172.8°", -0.06), above: ("259.2°", 0.53), nearest: "172.8°"),
    Row("30", .hz50, below: ("108°", -0.74), above: ("216°", 0.26), nearest: "216°"),
    Row("24", .hz60, below: ("144°", -0.32), above: ("216°", 0.26), nearest: "216°"),
    Row("25", .hz60, below: ("150°", -0.26), above: ("225°", 0.32), nearest: "150°"),
    Row("25", .hz50, below: ("180°", 0), above: ("270°", 0.58), nearest: "180°"),
    Row("30", .hz60, below: ("180°", 0), above: ("270°", 0.58), nearest: "180°"),
    Row("23.976", .hz50, below: ("172.63°", -0.06), above: ("258.94°", 0.52), nearest: "172.63°"),
    Row("23.976", .hz60, below: ("143.86°", -0.32), above: ("215.78°", 0.26), nearest: "215.78°"),
    Row("29.97", .hz60, below: ("179.82°", 0), above: ("269.73°", 0.58), nearest: "179.82°"),
    Row("50", .hz50, below: ("180°", 0), above: ("360°", 1), nearest: "180°"),
    Row("60", .hz50, below: nil, above: ("216°", 0.26), nearest: "216°"),
    Row("60", .hz60, below: ("180°", 0), above: ("360°", 1), nearest: "180°"),
    Row("100", .hz50, below: nil, above: ("360°", 1), nearest: "360°"),
    Row("120", .hz60, below: nil, above: ("360°", 1), nearest: "360°"),
  ]

  @Test(arguments: rows)
  func theNeighboursOfHalfATurnAndWhatTheyCost(_ row: Row) throws {
    let rate = try #require(FrameRate(parsing: row.rate))
    let choice = try #require(try row.mains.choice(near: .standard, at: rate))
    for (found, expected) in [(choice.below, row.below), (choice.above, row.above)] {
      #expect(found?.angle.description == expected?.0)
      #expect(abs((found?.cost ?? 0) - (expected?.1 ?? 0)) < 0.005)
    }
    #expect(choice.nearest?.angle.description == row.nearest && choice.angle == choice.nearest?.angle)
  }

  @Test(arguments: [
    (MainsFrequency.hz50, "24", "172.8", "a wish that is safe already costs nothing", 2),
    (.hz60, "24", "144", "likewise", 2), (.hz50, "24", "90", "a quarter turn is 10.4 ms", 1),
    (.hz50, "24", "360", "41.67 ms have room for four", 4), (.hz60, "24", "1", "half a pulse and less becomes one", 1),
  ])
  func theNearestIsAWholeNumberOfPulses(
    _ mains: MainsFrequency, _ rate: String, _ wished: String, _ why: String, _ count: Int
  ) throws {
    let rate = try #require(FrameRate(parsing: rate))
    let choice = try #require(try mains.choice(near: try ShutterAngle(parsing: wished), at: rate))
    #expect(choice.nearest?.halfPeriods == count, "\(why)")
    if why.contains("safe already") { #expect(choice.nearest?.cost == 0) }
  }

  @Test func noWholeNumberOfPulsesIsNearerThanTheNearest() throws {
    var random = SplitMix(seed: 5060)
    for _ in 0..<1000 {
      let rate = try #require(FrameRate(Rational(Int64.random(in: 1000...150_000, using: &random), 1001)))
      let wished = try ShutterAngle(degrees: Rational(Int64.random(in: 1...3600, using: &random), 10))
      for (mains, pulses) in [(MainsFrequency.hz50, 100.0), (.hz60, 120.0)] {
        let choice = try #require(try mains.choice(near: wished, at: rate))
        let time = try wished.exposureTime(at: rate).doubleValue
        let frame = rate.frameDuration.doubleValue
        let safe = (1...130).map { Double($0) / pulses }.filter { $0 <= frame + 1e-12 }
        let best = safe.map { abs(log2($0 / time)) }.min()
        #expect((best == nil) == (choice.nearest == nil))
        if let best, let nearest = choice.nearest { #expect(abs(abs(nearest.cost) - best) < 1e-9) }
      }
    }
  }

  @Test func whereNoneIsSafeItIsSaidPlainly() throws {
    let rate = try #require(FrameRate(parsing: "120"))
    let choice = try #require(try MainsFrequency.hz50.choice(near: .standard, at: rate))
    #expect(choice.nearest == nil && choice.below == nil && choice.above == nil && choice.angle == .standard)
    #expect(
      choice.statement == "at 120 fps no shutter angle is free of flicker under 50 Hz mains: a frame lasts 8.33 ms and "
        + "the light pulses every 10 ms; record at 100 fps or less, or use lamps that do not pulse")
  }

  @Test func whatIsChosenIsSaidWithItsCost() throws {
    let rate = try #require(FrameRate(parsing: "24"))
    let choice = try #require(try MainsFrequency.hz50.choice(near: .standard, at: rate))
    #expect(
      choice.statement
        == "at 24 fps 172.8° is free of flicker under 50 Hz mains: 20 ms, 2 pulses of the light, −0.06 EV against 180°")
    let fifty = try #require(FrameRate(parsing: "50"))
    let same = try #require(try MainsFrequency.hz50.choice(near: .standard, at: fifty))
    #expect(same.statement.hasSuffix("10 ms, 1 pulse of the light, 0 EV against 180°"))
  }

  @Test func withoutMainsThereIsNothingToChoose() throws {
    let rate = try #require(FrameRate(parsing: "24"))
    #expect(try MainsFrequency.off.choice(near: .standard, at: rate) == nil)
  }

  @Test func theFrequencyIsReadByItsNumber() throws {
    #expect(try ["off", "50", "60"].map { try MainsFrequency(parsing: $0) } == MainsFrequency.allCases)
    let error = #expect(throws: CamrecError.self) { try MainsFrequency(parsing: "55") }
    #expect(error == CamrecError(.usage, "the mains frequency is off, 50 or 60 (Hz); this is '55'"))
  }
}
