package import Exposure

/// A bracketed series for people: each set as a ruler like the exposure scale in a viewfinder, dark on the left.
///
///     set 1 of 3: centre 1/250
///        −2       −1        ▼       +1       +2
///         ┃  ╷  ╷  ┃  ╷  ╷  ┃  ╷  ╷  ┃  ╷  ╷  ┃
///      1/1000    1/500    1/250    1/125    1/60
package enum BracketRuler {
  /// Columns of an ordinary terminal.
  private static let width = 80
  /// Columns per 1/3 EV if there is room: the thirds can be counted, and names that are 1 EV apart do not touch.
  private static let widestThird = 3
  /// The first tick's column: half of the longest name stands before it.
  private static let indent = 5
  /// Half of the longest name, after the last tick.
  private static let overhang = 3

  package static func lines(of plan: BracketPlan) -> [String] {
    let ends = "highlights \(plan.highlight), shadows \(plan.shadow): range \(plan.range) EV"
    guard !plan.sets.isEmpty else {
      return [ends, "no bracketing required: 1 exposure at \(plan.highlight)"]
    }
    let sets = plan.sets.count == 1 ? "1 set" : "\(plan.sets.count) sets"
    let frames = "\(sets) of \(plan.frames.rawValue) frames, \(plan.spacing.step) EV apart: \(plan.exposures) exposures"
    let third = columnsPerThird(plan)
    return [ends, frames]
      + plan.sets.enumerated().flatMap { number, set in
        ["", "set \(number + 1) of \(plan.sets.count): \(heading(of: set))"] + ruler(of: set, third: third)
      }
  }

  /// Columns per 1/3 EV, the most that fit; the same for all sets.
  private static func columnsPerThird(_ plan: BracketPlan) -> Int {
    let longest = plan.sets.map { $0.speeds[0].distance(to: $0.speeds[$0.speeds.count - 1]).count }.max() ?? 1
    return max(1, min(widestThird, (width - indent - overhang) / max(1, longest)))
  }

  private static func heading(of set: BracketSet) -> String {
    let alike = set.speeds.count { $0 == .last }
    return "centre \(set.center)"
      + (alike > 1 ? "; \(alike) frames are alike, because the table ends at \(ShutterSpeed.last)" : "")
  }

  private static func ruler(of set: BracketSet, third: Int) -> [String] {
    let first = set.speeds[0], last = set.speeds[set.speeds.count - 1]
    func column(_ speed: ShutterSpeed) -> Int { indent + first.distance(to: speed).count * third }
    var offsets = TextRow(), ticks = TextRow()
    for index in first.index...last.index { ticks.put("╷", at: column(ShutterSpeed(index: index))) }
    var frames: [ShutterSpeed] = []
    for speed in set.speeds where speed != frames.last { frames.append(speed) }
    for speed in frames {
      ticks.put("┃", at: column(speed))
      offsets.put(speed == set.center ? "▼" : offset(from: set.center, to: speed), at: column(speed))
    }
    let names = frames.map { speed in
      let count = set.speeds.count { $0 == speed }
      return (text: count == 1 ? speed.name : "\(speed)×\(count)", column: column(speed))
    }
    return [offsets.text, ticks.text] + rows(of: names)
  }

  /// One row, or two rows in turn if the names would touch.
  private static func rows(of names: [(text: String, column: Int)]) -> [String] {
    var row = TextRow()
    for name in names {
      guard row.hasRoom(for: name.text, at: name.column) else {
        var both = [TextRow(), TextRow()]
        for (place, name) in names.enumerated() { both[place % 2].put(name.text, at: name.column) }
        return both.map(\.text)
      }
      row.put(name.text, at: name.column)
    }
    return [row.text]
  }

  /// `−2`, `+1⅔`.
  private static func offset(from center: ShutterSpeed, to speed: ShutterSpeed) -> String {
    let distance = center.distance(to: speed)
    return (distance.count > 0 ? "+" : "") + distance.description
  }
}
