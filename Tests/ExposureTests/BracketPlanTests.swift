import Exposure
import Foundation
import Frames
import Testing

struct BracketPlanTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let shadow: String
    let highlight: String
    let frames: BracketFrames
    let spacing: BracketSpacing
    let thirds: Int
    let sets: [String]
    var testDescription: String { "\(shadow), \(highlight), \(frames.rawValue), \(spacing)" }

    init(
      _ shadow: String, _ highlight: String, _ frames: BracketFrames, _ spacing: BracketSpacing, thirds: Int,
      _ sets: String...
    ) {
      self.shadow = shadow
      self.highlight = highlight
      self.frames = frames
      self.spacing = spacing
      self.thirds = thirds
      self.sets = sets
    }
  }

  static let rows = [
    Row(
      "1/4", "1/1000", .five, .one, thirds: 24,
      "1/1000 1/500 1/250 1/125 1/60", "1/60 1/30 1/15 1/8 1/4"),
    Row("1/30", "1/250", .five, .one, thirds: 9, "1/250 1/125 1/60 1/30 1/15"),
    Row(
      "2″", "1/4000", .three, .two, thirds: 39,
      "1/4000 1/1000 1/250", "1/250 1/60 1/15", "1/15 1/4 1″", "1″ 4″ 15″"),
    Row(
      "1/2", "1/2000", .nine, .one, thirds: 30,
      "1/2000 1/1000 1/500 1/250 1/125 1/60 1/30 1/15 1/8", "1/8 1/4 1/2 1″ 2″ 4″ 8″ 15″ 30″"),
    Row(
      "1/4", "1/2000", .five, .oneAndAHalf, thirds: 27,
      "1/2000 1/640 1/200 1/60 1/20", "1/20 1/6 1/2 1.6″ 5″"),
    Row(
      "30″", "1/8000", .five, .one, thirds: 54,
      "1/8000 1/4000 1/2000 1/1000 1/500", "1/500 1/250 1/125 1/60 1/30", "1/30 1/15 1/8 1/4 1/2",
      "1/2 1″ 2″ 4″ 8″", "8″ 15″ 30″ 30″ 30″"),
    // The frames of the last set end exactly at the range: that is enough.
    Row("1/15", "1/250", .five, .one, thirds: 12, "1/250 1/125 1/60 1/30 1/15"),
    Row("1/125", "1/500", .three, .one, thirds: 6, "1/500 1/250 1/125"),
    Row("1/60", "1/500", .three, .one, thirds: 9, "1/500 1/250 1/125", "1/125 1/60 1/30"),
    Row("1/30", "1/500", .three, .one, thirds: 12, "1/500 1/250 1/125", "1/125 1/60 1/30"),
    Row("1/8", "1/500", .three, .one, thirds: 18, "1/500 1/250 1/125", "1/125 1/60 1/30", "1/30 1/15 1/8"),
    // 1.5 EV are planned as 1⅔, and a set of five covers 6⅔.
    Row("1/25", "1/2000", .five, .oneAndAHalf, thirds: 19, "1/2000 1/640 1/200 1/60 1/20"),
    Row("1/20", "1/2000", .five, .oneAndAHalf, thirds: 20, "1/2000 1/640 1/200 1/60 1/20"),
    Row(
      "1/15", "1/2000", .five, .oneAndAHalf, thirds: 21,
      "1/2000 1/640 1/200 1/60 1/20", "1/20 1/6 1/2 1.6″ 5″"),
    // At the end of the table the only set stays there.
    Row("30″", "10″", .seven, .two, thirds: 5, "10″ 30″ 30″ 30″ 30″ 30″ 30″"),
  ]

  private func plan(_ row: Row, swapped: Bool = false) throws -> BracketPlan {
    let ends = [try ShutterSpeed(parsing: row.shadow), try ShutterSpeed(parsing: row.highlight)]
    return BracketPlan(
      from: ends[swapped ? 1 : 0], to: ends[swapped ? 0 : 1], frames: row.frames, spacing: row.spacing)
  }

  @Test(arguments: rows)
  func theSetsComeOutExactly(_ row: Row) throws {
    let plan = try plan(row)
    #expect(plan.range == ThirdStops(row.thirds))
    #expect(plan.sets.map { $0.speeds.map(\.name).joined(separator: " ") } == row.sets)
    #expect(plan.exposures == row.sets.count * row.frames.rawValue)
    #expect(try self.plan(row, swapped: true) == plan)
  }

  @Test func exposuresAreThoseOfAllFramesAndTheRangeIsInEV() throws {
    #expect(try plan(BracketPlanTests.rows[0]).exposures == 10 && plan(BracketPlanTests.rows[0]).range.ev == 8)
    #expect(try plan(BracketPlanTests.rows[3]).exposures == 18 && plan(BracketPlanTests.rows[3]).range.ev == 10)
  }

  @Test(arguments: BracketFrames.allCases, BracketSpacing.allCases)
  func twoEqualSpeedsNeedNoBracketing(_ frames: BracketFrames, _ spacing: BracketSpacing) throws {
    for speed in ShutterSpeed.all {
      let plan = BracketPlan(from: speed, to: speed, frames: frames, spacing: spacing)
      #expect(plan.sets.isEmpty && plan.exposures == 1 && plan.range == ThirdStops(0))
    }
  }

  @Test func theCentreIsTheMiddleFrame() throws {
    let centers = try BracketPlanTests.rows.map { try plan($0).sets.map(\.center.name) }
    #expect(centers[0] == ["1/250", "1/15"])
    #expect(centers[2] == ["1/1000", "1/60", "1/4", "4″"])
    #expect(centers[3] == ["1/125", "2″"])
    #expect(centers[5].last == "30″")
  }

  /// Every pair of speeds, with every way to bracket them, against the rules in EV and seconds rather than by index.
  @Test(arguments: BracketFrames.allCases, BracketSpacing.allCases)
  func everyPlanKeepsTheRules(_ frames: BracketFrames, _ spacing: BracketSpacing) throws {
    let ev = spacing.ev.doubleValue
    var breaches: [String] = []
    for highlight in ShutterSpeed.all {
      for shadow in ShutterSpeed.all where shadow > highlight {
        let plan = BracketPlan(from: shadow, to: highlight, frames: frames, spacing: spacing)
        let sets = plan.sets.map(\.speeds)
        let range = log2(shadow.exactSeconds / highlight.exactSeconds)
        func check(_ holds: Bool, _ rule: String) { if !holds { breaches.append("\(highlight) \(shadow): \(rule)") } }
        check(abs(plan.range.ev - range) < 1e-9, "range")
        check(sets.first?.first == highlight, "starts at the highlights")
        check(sets.allSatisfy { $0.count == frames.rawValue }, "as many frames as asked for")
        check(zip(sets, sets.dropFirst()).allSatisfy { $0.last == $1.first }, "each starts where the last ended")
        for (a, b) in sets.flatMap({ zip($0, $0.dropFirst()) }) {
          let next = ShutterSpeed.all.first { log2($0.exactSeconds / a.exactSeconds) >= ev - 1e-9 } ?? .last
          check(b == next, "the next slower speed that is the spacing away, or the end")
        }
        let ends = sets.compactMap(\.last)
        check(ends.last.map { $0 >= shadow } == true, "reaches the shadows")
        check(ends.dropLast().allSatisfy { $0 < shadow }, "with no set more")
      }
    }
    #expect(breaches.isEmpty, "\(breaches.prefix(5))")
  }

  @Test func stepsOfOneAndAHalfStopsAreRoundedUp() {
    #expect(BracketSpacing.allCases.map(\.step) == [ThirdStops(3), ThirdStops(5), ThirdStops(6)])
    #expect(BracketSpacing.allCases.map(\.description) == ["1", "1.5", "2"])
  }

  @Test func onlyTheseNumbersAreRead() throws {
    #expect(try ["3", "5", "7", "9"].map { try BracketFrames(parsing: $0) } == BracketFrames.allCases)
    #expect(try ["1", "1.5", "2"].map { try BracketSpacing(parsing: $0) } == BracketSpacing.allCases)
    for text in ["4", "1", "11", "five", "", "-3", "5.0"] {
      let error = #expect(throws: CamrecError.self) { try BracketFrames(parsing: text) }
      #expect(error == CamrecError(.usage, "a bracketed set has 3, 5, 7 or 9 frames; this is '\(text)'"))
    }
    for text in ["0", "0.5", "3", "1,5", "one", "", "-1"] {
      let error = #expect(throws: CamrecError.self) { try BracketSpacing(parsing: text) }
      #expect(error == CamrecError(.usage, "the frames of a bracketed set are 1, 1.5 or 2 EV apart; this is '\(text)'"))
    }
  }
}
