/// The text format for a controller's events and decisions: `Documentation/ExposureTrace.md`.
///
/// The first line is `heading`; then an event and its decision, each on a line of its own. All numbers are whole.
public enum ExposureTrace {
  /// The version changes when the meaning of a line changes.
  public static let heading = "camrec exposure trace 1"

  /// An event's line, without a line end.
  public static func line(_ event: ExposureEvent) -> String {
    switch event {
    case .configure(let configuration, let current):
      "configure \(fields(configuration))" + (current.map { " current=\(text($0))" } ?? "")
    case .frame(let measurement):
      "frame n=\(measurement.frame) level=\(measurement.reading.level.units) clipped=\(measurement.reading.clipped)"
        + " crushed=\(measurement.reading.crushed) spread=\(measurement.reading.spread.units)"
        + (measurement.reading.cells.map { " cells=\(text($0))" } ?? "")
        + (measurement.newest > measurement.frame ? " newest=\(measurement.newest)" : "")
        + (measurement.shown.map { " shown=\(text($0))" } ?? "")
    case .applied(let setting): "applied setting=\(text(setting))"
    }
  }

  /// A decision's line, without a line end.
  public static func line(_ decision: ExposureDecision) -> String {
    "= setting=\(text(decision.setting)) change=\(decision.isChange ? 1 : 0) from=\(decision.frame)"
      + " state=\(decision.state.rawValue) deviation=\(decision.deviation.units) missing=\(decision.missing.units)"
  }

  private static func text(_ cells: MeterCells) -> String {
    (0..<MeterCells.count).map { cells[$0].map { "\($0.units)" } ?? "-" }.joined(separator: ",")
  }

  private static func text(_ setting: ExposureSetting) -> String { "\(setting.nanoseconds)/\(setting.gainStops.units)" }

  private static func fields(_ configuration: ExposureConfiguration) -> String {
    let mode =
      switch configuration.mode {
      case .auto: "auto"
      case .shutterPriority: "shutter-priority"
      case .manual(let setting): "manual:\(text(setting))"
      }
    let limits = configuration.limits
    let gains =
      switch limits.gains {
      case .continuous(let range): "\(range.lowerBound.units)...\(range.upperBound.units)"
      case .steps(let steps): steps.map { "\($0.units)" }.joined(separator: ",")
      }
    return "mode=\(mode) lock=\(configuration.isLocked ? 1 : 0) bias=\(configuration.bias.units)"
      + " rate=\(configuration.frameRate) angle=\(configuration.shutterAngle)"
      + " times=\(limits.times.lowerBound)...\(limits.times.upperBound) step=\(limits.timeStep) gains=\(gains)"
      + " delay=\(configuration.delay) source=\(configuration.source)"
  }
}
