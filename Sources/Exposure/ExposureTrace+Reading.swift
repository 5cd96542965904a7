import Frames

extension ExposureTrace {
  /// The range of frame and source numbers: those that a double holds exactly, so that every program can read a trace.
  static let numbers: ClosedRange<Int64> = 0...(1 << 53)

  /// Reads an event's line.
  static func event(_ text: String) throws(TraceLine.Fault) -> ExposureEvent {
    var line = try TraceLine(text)
    let event: ExposureEvent
    switch line.word {
    case "configure":
      let configuration = try configuration(&line)
      event = .configure(configuration, current: try setting(&line, "current"))
    case "frame":
      let frame = Int(try line.number("n", numbers))
      let reading = MeterReading(
        level: try line.stops("level"), clipped: try share(&line, "clipped"), crushed: try share(&line, "crushed"),
        spread: try line.stops("spread"), cells: try cells(&line))
      // A missing value means the frame itself.
      var newest = frame
      if let text = try line.optionalValue("newest") {
        newest = Int(try TraceLine.number(text, "newest", Int64(frame) + 1...numbers.upperBound + 1))
      }
      event = .frame(
        ExposureMeasurement(frame: frame, newest: newest, reading: reading, shown: try setting(&line, "shown")))
    case "applied": event = .applied(try TraceLine.setting(try line.value("setting"), "setting"))
    default:
      throw TraceLine.Fault("expected an event (configure, frame, applied), found \(TraceLine.quoted(line.word))")
    }
    try line.end()
    return event
  }

  private static func share(_ line: inout TraceLine, _ key: String) throws(TraceLine.Fault) -> Int {
    Int(try line.number(key, 0...Int64(MeterReading.whole)))
  }

  private static func cells(_ line: inout TraceLine) throws(TraceLine.Fault) -> MeterCells? {
    guard let text = try line.optionalValue("cells") else { return nil }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == MeterCells.count else {
      throw TraceLine.Fault("cells is \(TraceLine.quoted(text)); write \(MeterCells.count) levels")
    }
    var cells = MeterCells()
    for (index, part) in parts.enumerated() where part != "-" { cells[index] = try TraceLine.stops(part, "cells") }
    return cells
  }

  private static func setting(_ line: inout TraceLine, _ key: String) throws(TraceLine.Fault) -> ExposureSetting? {
    guard let text = try line.optionalValue(key) else { return nil }
    return try TraceLine.setting(text, key)
  }

  private static func configuration(_ line: inout TraceLine) throws(TraceLine.Fault) -> ExposureConfiguration {
    let mode = try mode(try line.value("mode"))
    let isLocked = try line.flag("lock"), bias = try line.stops("bias"), rate = try line.value("rate")
    guard let frameRate = FrameRate(parsing: rate) else {
      throw TraceLine.Fault("rate is \(TraceLine.quoted(rate)); write frames per second")
    }
    let angle = Int(try line.number("angle", 1...Int64(ExposureConfiguration.fullCircle)))
    let longest = ExposureLimits.longestTime
    let times = try range(try line.value("times"), "times", 1...longest)
    let step = try line.number("step", 1...longest * 1000), gains = try gains(try line.value("gains"))
    let delay = Int(try line.number("delay", 1...Int64(ExposureConfiguration.longestDelay)))
    let source = Int(try line.number("source", numbers))
    do {
      return try ExposureConfiguration(
        mode: mode, isLocked: isLocked, bias: bias, frameRate: frameRate, shutterAngle: angle,
        limits: ExposureLimits(times: times, timeStep: step, gains: gains), delay: delay, source: source)
    } catch {
      throw TraceLine.Fault(error.message)
    }
  }

  private static func mode(_ text: String) throws(TraceLine.Fault) -> ExposureMode {
    switch text {
    case "auto": return .auto
    case "shutter-priority": return .shutterPriority
    default:
      guard text.hasPrefix("manual:") else {
        throw TraceLine.Fault(
          "mode is \(TraceLine.quoted(text)); write auto, shutter-priority or manual:NANOSECONDS/GAIN")
      }
      return .manual(try TraceLine.setting(text.dropFirst("manual:".count), "mode"))
    }
  }

  private static func gains(_ text: String) throws(TraceLine.Fault) -> GainScale {
    let limit = Int64(Stops.limit)
    guard !text.contains("...") else {
      let ends = try range(text, "gains", -limit...limit)
      return .continuous(Stops(units: Int(ends.lowerBound))...Stops(units: Int(ends.upperBound)))
    }
    var steps: [Stops] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      steps.append(try TraceLine.stops(part, "gains"))
    }
    return .steps(steps)
  }

  /// `LEAST...GREATEST`.
  private static func range(
    _ text: String, _ key: String, _ allowed: ClosedRange<Int64>
  ) throws(TraceLine.Fault) -> ClosedRange<Int64> {
    let dots = text.firstRange(of: "...")
    guard let dots else { throw TraceLine.Fault("\(key) is \(TraceLine.quoted(text)); write LEAST...GREATEST") }
    let least = try TraceLine.number(text[..<dots.lowerBound], key, allowed)
    let greatest = try TraceLine.number(text[dots.upperBound...], key, allowed)
    guard least <= greatest else {
      throw TraceLine.Fault("\(key) is \(TraceLine.quoted(text)); write the smaller number first")
    }
    return least...greatest
  }
}
