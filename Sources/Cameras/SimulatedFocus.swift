/// The focus of a simulated camera: found half a second after the trigger, at the distance of the object at the point.
/// It fails on the lamp, which has nothing to focus on.
struct SimulatedFocus {
  static let states = ["idle", "busy", "reached", "failed"]

  var isAutomatic = true
  var distance = 0.0
  var point = (x: 0.5, y: 0.5)
  private(set) var state = "idle"
  private var end: UInt64 = 0

  /// Searches for the focus until frame `end` is captured.
  mutating func trigger(until end: UInt64) {
    state = "busy"
    self.end = end
  }

  /// The end of the search, if it ends when `frame` is captured.
  mutating func change(at frame: UInt64) -> ControlChange? {
    guard state == "busy", frame >= end else { return nil }
    if let found = SimulatedFocus.distance(of: point) {
      distance = found
      state = "reached"
    } else {
      state = "failed"
    }
    return ControlChange(.focusState, .choice(state))
  }

  /// The wall is far, the table near.
  private static func distance(of point: (x: Double, y: Double)) -> Double? {
    let lamp = SimulatedScene.lamp
    let (x, y) = (point.x * SceneCanvas.stageWidth - lamp.x, point.y * 1080 - lamp.y)
    if x * x + y * y < lamp.radius * lamp.radius { return nil }
    return point.y * 1080 < SimulatedScene.tableTop ? 60 : 160
  }
}
