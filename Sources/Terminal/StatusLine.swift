import Foundation
import Movies
import Recorder
public import RecorderAPI

/// The line that a terminal shows while a recorder runs, to be read at a glance.
public struct StatusLine: Hashable, Sendable {
  public var state: RecorderState
  /// The film's bitrate over the last seconds; `nil` while unknown.
  public var megabitsPerSecond: Double?
  /// The pre-roll asked for, in seconds.
  public var preRoll: Double?
  /// For how many seconds the camera has been gone; `nil` while unknown, or while it is there.
  public var absentSeconds: Double?
  /// Whether keys control the recorder: only those of a terminal do.
  public var hasKeys: Bool

  public init(
    _ state: RecorderState, megabitsPerSecond: Double? = nil, preRoll: Double? = nil, absentSeconds: Double? = nil,
    hasKeys: Bool = true
  ) {
    self.state = state
    self.megabitsPerSecond = megabitsPerSecond
    self.preRoll = preRoll
    self.absentSeconds = absentSeconds
    self.hasKeys = hasKeys
  }

  /// One thing on the line, in several lengths.
  private struct Part {
    /// The longest first.
    var forms: [String]
    /// 0: never left out.
    var rank: Int
    var style = Style.plain
  }

  private enum Style: String {
    case plain = ""
    case bold = "\u{1B}[1m"
    /// For anything that harms the film.
    case alarm = "\u{1B}[1;31m"
  }

  /// As many parts as fit, the most important first. Parts take their short form if that makes room for more.
  ///
  /// - Parameters:
  ///   - columns: the terminal's width. The line stays shorter, so that it does not wrap.
  ///   - isColored: adds escape sequences for bold and red; the words are the same.
  public func text(columns: Int, isColored: Bool = false) -> String {
    let parts = parts
    func width(_ chosen: [Int: Int], _ gap: Int) -> Int {
      chosen.reduce(gap * max(0, chosen.count - 1)) { $0 + parts[$1.key].forms[$1.value].count }
    }
    let order = parts.indices.sorted { parts[$0].rank < parts[$1].rank }
    let shortest = Dictionary(uniqueKeysWithValues: parts.indices.map { ($0, parts[$0].forms.count - 1) })
    // Rather move the parts closer together than leave one out.
    let gap = width(shortest, 2) >= columns && width(shortest, 1) < columns ? 1 : 2
    var chosen: [Int: Int] = [:]
    for part in order {
      var more = chosen
      more[part] = parts[part].forms.count - 1
      if width(more, gap) < columns || chosen.isEmpty { chosen = more }
    }
    for part in order where chosen[part] != nil {
      for form in parts[part].forms.indices {
        var longer = chosen
        longer[part] = form
        guard width(longer, gap) < columns else { continue }
        chosen = longer
        break
      }
    }
    return chosen.sorted { $0.key < $1.key }.map { place, form in
      let (text, style) = (parts[place].forms[form], parts[place].style)
      return isColored && style != .plain ? style.rawValue + text + "\u{1B}[0m" : text
    }.joined(separator: String(repeating: " ", count: gap))
  }

  /// From left to right.
  private var parts: [Part] {
    [phase, losses, lostSound, unsaved, between, kept, timecode, exposure, bitrate, room, level, keys].compactMap { $0 }
  }

  private var isFilming: Bool { state.isFilming }

  private var phase: Part {
    let word =
      switch state.phase {
      case .standby: "STANDBY"
      case .starting: "STARTING"
      case .recording: "REC"
      case .waiting: state.continuationFailure == nil ? "NO CAMERA" : "CANNOT RECORD"
      case .stopping: "FINISHING"
      case .ended: "ENDED"
      }
    let style: Style = state.phase == .waiting ? .alarm : state.phase == .recording ? .bold : .plain
    // Without a camera there is no film whose length could be told.
    let seconds = state.phase == .waiting ? absentSeconds : isFilming ? state.seconds : nil
    return Part(forms: [word + (seconds.map { " " + TimeText.clock($0) } ?? "")], rank: 0, style: style)
  }

  private var losses: Part { state.lossNote.map { part($0, rank: 1) } ?? Part(forms: ["0 lost"], rank: 1) }

  private var lostSound: Part? { state.lostAudioNote.map { part($0, rank: 1) } }

  private var unsaved: Part? { state.unsavedNote.map { part($0, rank: 2) } }

  private func part(_ note: StatusNote, rank: Int) -> Part {
    Part(forms: note.forms, rank: rank, style: note.isAlarm ? .alarm : .plain)
  }

  /// Nothing was to be recorded then: not a loss.
  private var between: Part? {
    let frames = state.ledger.framesBetweenFilms
    guard frames > 0 else { return nil }
    return Part(forms: ["\(frames) between films", "\(frames) between"], rank: 6)
  }

  private var kept: Part? {
    guard !isFilming, let kept = state.preRoll else { return nil }
    // Leave out the frames before it that are kept only to reach back to a keyframe.
    let seconds = String(format: "%.1f", preRoll.map { min(kept.seconds, $0) } ?? kept.seconds)
    guard let preRoll else { return Part(forms: ["pre-roll \(seconds) s", "pre \(seconds) s"], rank: 2) }
    let whole = String(format: "%g", preRoll)
    return Part(forms: ["pre-roll \(seconds) of \(whole) s", "pre \(seconds)/\(whole) s"], rank: 2)
  }

  private var timecode: Part? { state.timecode.map { Part(forms: [$0], rank: 6) } }

  private var exposure: Part? {
    guard let exposure = state.exposure else { return nil }
    let angle = String(format: "%.0f°", exposure.reachedShutterAngle)
    let gain =
      exposure.isCalibrated ? String(format: "%.0f", exposure.iso) : String(format: "%+.1f EV", exposure.gain)
    // Below 0: too dark.
    let off = exposure.missingEV == 0 ? 0 : -exposure.missingEV
    let ev = abs(off) < 0.05 ? "0.0" : String(format: "%+.1f", off)
    let isOff = abs(off) >= 0.5
    // A clipped picture shows only a part of it.
    let (least, sign) = exposure.isMissingEVLowerBound == true && ev != "0.0" ? ("at least ", "≥") : ("", "")
    let name = exposure.isCalibrated ? "ISO" : "gain", prefix = exposure.isCalibrated ? "ISO" : ""
    return Part(
      forms: ["\(angle) \(name) \(gain) EV off \(least)\(ev)", "\(angle) \(prefix)\(gain) EV\(sign)\(ev)"],
      rank: 5, style: isOff ? .bold : .plain)
  }

  private var bitrate: Part? {
    guard isFilming, state.phase != .waiting, let rate = megabitsPerSecond, rate.isFinite else { return nil }
    let short = rate < 10 ? String(format: "%.1f", rate) : String(format: "%.0f", rate)
    return Part(forms: [String(format: "%.1f Mb/s", rate), "\(short)Mb/s"], rank: 8)
  }

  private var room: Part? {
    guard let seconds = state.disk?.secondsLeft, seconds.isFinite else { return nil }
    let span = TimeText.span(seconds), short = span.replacing(" ", with: "")
    // Until the rate is measured, this is an estimate, and most films need less: raise no alarm.
    guard state.disk?.isSecondsLeftMeasured != false else {
      return Part(forms: ["about \(span) left", "~\(span) left", "~\(short)"], rank: 3)
    }
    return Part(
      forms: ["\(span) left", short], rank: 3, style: seconds < StatusLine.shortRoom ? .alarm : .plain)
  }

  /// Less time left than this is an alarm, in seconds.
  private static let shortRoom = 300.0

  private var level: Part? {
    guard let level = state.level else { return nil }
    let decibels = level.isClipped ? "CLIP" : String(format: "%.0f dB", StatusLine.decibels(level.held))
    let short = level.isClipped ? "CLIP" : decibels.replacing(" ", with: "")
    return Part(
      forms: ["\(StatusLine.bar(level)) \(decibels)", short], rank: 4, style: level.isClipped ? .alarm : .plain)
  }

  private var keys: Part? {
    guard hasKeys else { return nil }
    let space: String? =
      switch state.phase {
      case .standby: "record"
      case .recording, .waiting: "stop"
      case .starting, .stopping, .ended: nil
      }
    guard let space else { return Part(forms: ["? keys  q quit", "? q"], rank: 7) }
    return Part(forms: ["space \(space)  ? keys  q quit", "space ? q"], rank: 7)
  }

  // MARK: The level

  private static let cells = 10
  /// The level at which the meter is empty, dB below full scale.
  private static let floor = -60.0

  static func decibels(_ peak: Double) -> Double {
    max(floor, 20 * log10(peak.isNaN ? 0 : min(max(peak, 1e-9), 1e9)))
  }

  private static func cell(_ peak: Double) -> Int {
    min(cells, max(0, Int(((decibels(peak) - floor) / -floor * Double(cells)).rounded())))
  }

  /// `[####--|   ]`: the peak, and the highest of the last seconds.
  private static func bar(_ level: RecorderState.Level) -> String {
    var bar = Array(repeating: Character(" "), count: cells)
    for place in 0..<cell(level.peak) { bar[place] = "#" }
    let held = cell(level.held)
    if held > 0 { bar[held - 1] = "|" }
    return "[\(String(bar))]"
  }
}
