import Foundation
import Frames
import RecorderAPI

/// What the window says of one recorder: the words of a terminal's status line, where that has them.
struct StatusWords {
  private let recorder: ViewedRecorder
  private let state: RecorderState?

  init(_ recorder: ViewedRecorder) {
    self.recorder = recorder
    state = recorder.state
  }

  // MARK: What is going on

  /// Of the frame around the picture.
  enum Tally: Hashable, Sendable { case recording, preRoll, idle }

  /// The recorder's state says it; a picture says it where the state cannot be read.
  var tally: Tally {
    guard recorder.isRunning else { return .idle }
    guard let state else {
      let flags = recorder.picture?.header.flags ?? []
      return flags.contains(.recording) ? .recording : flags.contains(.preRoll) ? .preRoll : .idle
    }
    switch state.phase {
    case .recording: return .recording
    case .standby where state.preRoll != nil: return .preRoll
    case .standby, .starting, .waiting, .stopping, .ended: return .idle
    }
  }

  /// What it has said last is not so any more.
  private var hasEnded: Bool { !recorder.isRunning || state?.phase == .ended }

  var isFilming: Bool { state?.isFilming ?? false }

  /// The film that is finished, as a terminal says it: `take.mov: 192 frames, 0 lost`.
  var finishedFilm: String? {
    guard let state, [.standby, .ended].contains(state.phase), let film = state.film, let account = state.filmAccount,
      account.ledger.written > 0
    else { return nil }
    let frames = account.ledger.written, audio = account.soundLost > 0 ? ", audio lost" : ""
    return "\(film): \(frames) frame\(frames == 1 ? "" : "s"), \(account.ledger.lostFrames) lost\(audio)"
  }

  var phase: RowItem {
    guard recorder.isRunning else { return RowItem(["ENDED"], rank: 0, .dimText) }
    guard let state else {
      switch tally {
      case .recording: return RowItem(["REC"], rank: 0, .white, on: .red)
      case .preRoll: return RowItem(["PRE-ROLL"], rank: 0, .black, on: .amber)
      case .idle: return RowItem([recorder.picture == nil ? "…" : "NO FILM"], rank: 0, .dimText)
      }
    }
    let clock = TimeText.clock(state.seconds)
    switch state.phase {
    case .standby:
      guard let preRoll = state.preRoll else { return RowItem(["STANDBY"], rank: 0, .dimText) }
      let seconds = String(format: "%.1f", preRoll.seconds)
      return RowItem(["PRE-ROLL \(seconds) s", "PRE \(seconds) s"], rank: 0, .black, on: .amber)
    case .starting: return RowItem(["STARTING"], rank: 0)
    case .recording: return RowItem(["REC \(clock)"], rank: 0, .white, on: .red)
    case .waiting:
      return RowItem([state.continuationFailure == nil ? "NO CAMERA" : "CANNOT RECORD"], rank: 0, .redText)
    case .stopping: return RowItem(["FINISHING \(clock)"], rank: 0)
    case .ended: return RowItem(["ENDED"], rank: 0, .dimText)
    }
  }

  // MARK: Losses

  var losses: RowItem? {
    guard let state, state.filmAccount != nil else { return nil }
    return state.lossNote.map { StatusWords.item($0, rank: 1) } ?? RowItem(["0 lost"], rank: 1, .dimText)
  }

  var lostAudio: RowItem? { state?.lostAudioNote.map { StatusWords.item($0, rank: 1) } }

  var unsaved: RowItem? { hasEnded ? nil : state?.unsavedNote.map { StatusWords.item($0, rank: 2) } }

  private static func item(_ note: StatusNote, rank: Int) -> RowItem {
    RowItem(note.forms, rank: rank, note.isAlarm ? .redText : .text)
  }

  /// Less time left than this is an alarm, in seconds.
  private static let shortRoom = 300.0

  var room: RowItem? {
    guard !hasEnded, let disk = state?.disk, let seconds = disk.secondsLeft, seconds.isFinite else { return nil }
    let span = TimeText.span(seconds)
    // Until the rate is measured, this is an estimate, and most films need less: raise no alarm.
    guard disk.isSecondsLeftMeasured != false else { return RowItem(["about \(span) left", "~\(span)"], rank: 3) }
    return RowItem(["\(span) left"], rank: 3, seconds < StatusWords.shortRoom ? .redText : .text)
  }

  // MARK: Camera

  var timecode: RowItem? { state?.timecode.map { RowItem([$0], rank: 4) } }

  var format: RowItem? {
    guard let source = state?.source else { return nil }
    let rate = FrameRateText.decimal(source.frameRate)
    return RowItem(["\(source.width)×\(source.height) \(rate) fps", "\(rate) fps"], rank: 7, .dimText, isRight: true)
  }

  var iso: RowItem? {
    if let exposure = state?.exposure {
      return exposure.isCalibrated
        ? RowItem([String(format: "ISO %.0f", exposure.iso)], rank: 3, isRight: true)
        : RowItem([String(format: "gain %+.1f EV", exposure.gain)], rank: 3, isRight: true)
    }
    guard let iso = recorder.picture?.header.iso, iso > 0 else { return nil }
    return RowItem([String(format: "ISO %.0f", iso)], rank: 3, isRight: true)
  }

  /// Shutter angle and exposure time.
  var shutter: RowItem? {
    let time = recorder.picture?.header.exposureTime ?? state?.exposure?.exposureTime
    guard let exposure = state?.exposure else {
      return time.map { RowItem([TimeText.exposure($0)], rank: 3, isRight: true) }
    }
    let angle = String(format: "%.0f°", exposure.reachedShutterAngle)
    return RowItem(["\(angle) \(TimeText.exposure(time ?? exposure.exposureTime))"], rank: 3, isRight: true)
  }

  /// How far the exposure is off: below 0 is too dark.
  var exposureOff: RowItem? {
    guard let exposure = state?.exposure else { return nil }
    let off = exposure.missingEV == 0 ? 0 : -exposure.missingEV
    let ev = abs(off) < 0.05 ? "0.0" : String(format: "%+.1f", off)
    // A clipped picture shows only a part of it.
    let isLeast = exposure.isMissingEVLowerBound == true && ev != "0.0"
    return RowItem(
      ["EV off \(isLeast ? "at least " : "")\(ev)", "EV\(isLeast ? "≥" : "") \(ev)"], rank: 2,
      abs(off) >= 0.5 ? .amber : .text, isRight: true)
  }

  /// What the user has set: brighter or darker, locked.
  var bias: RowItem? {
    guard let exposure = ExposureWish(state), exposure.bias != 0 || exposure.isLocked else { return nil }
    let bias = exposure.bias == 0 ? [] : ["set \(ExposureWish.text(exposure.bias))"]
    return RowItem([(bias + (exposure.isLocked ? ["locked"] : [])).joined(separator: ", ")], rank: 5, isRight: true)
  }

  /// How the exposure is controlled: what `m` changes.
  var mode: RowItem? {
    guard let mode = ExposureWish(state)?.mode else { return nil }
    let short = mode.replacing("-priority", with: "")
    return RowItem(mode == short ? [mode] : [mode, short], rank: 7, .dimText, isRight: true)
  }

  var whiteBalance: RowItem? {
    guard let text = state?.whiteBalance else { return nil }
    return RowItem(["WB \(Double(text) == nil ? text : "\(text) K")"], rank: 6, .dimText, isRight: true)
  }

  // MARK: Audio

  var level: RowItem? {
    guard !hasEnded, let peak = levels?.map(\.held).max() else { return nil }
    let isClipped = state?.level?.isClipped ?? false
    let text = isClipped ? "CLIP" : String(format: "%.0f dB", peak)
    var item = RowItem([text, text.replacing(" ", with: "")], rank: 4, isClipped ? .redText : .text)
    item.forms[0].hasMeter = true
    return item
  }

  struct Level: Hashable {
    /// In dB below full scale, from `StatusWords.silence` to 0.
    var peak, held: Double
  }

  /// What the meter shows as empty, dB below full scale.
  static let silence = -60.0

  /// One for each channel where the monitor measures them; `nil` without audio.
  var levels: [Level]? {
    func clamped(_ decibels: Double) -> Double {
      decibels.isNaN ? StatusWords.silence : min(0, max(StatusWords.silence, decibels))
    }
    func decibels(_ part: Double) -> Double { clamped(part > 0 ? 20 * log10(part) : -.infinity) }
    if let measured = recorder.measures?.levels, !measured.isEmpty {
      return measured.map { Level(peak: clamped(Double($0.peak)), held: clamped(Double($0.held))) }
    }
    return state?.level.map { [Level(peak: decibels($0.peak), held: decibels($0.held))] }
  }

  // MARK: Trouble

  /// Older than this, a picture is no longer what the camera sees: a second, or three frames of a slow camera.
  private var patience: Double {
    let rate = state?.source.flatMap { FrameRateText.number($0.frameRate) } ?? 0
    return rate > 0 ? max(1, 3 / rate) : 1
  }

  /// How old the picture is, in seconds, if it is too old to be taken for what the camera sees now.
  func age(at now: MonotonicTime) -> Double? {
    guard let picture = recorder.picture else { return nil }
    let age = Double(now - picture.frameTime) * 1e-9
    return age > patience ? age : nil
  }

  /// What is wrong, in sentences: the most important first.
  func troubles(at now: MonotonicTime) -> [String] {
    var troubles: [String] = []
    if let age = age(at: now) { troubles.append("This picture is \(TimeText.span(age.rounded(.down))) old.") }
    if !recorder.isRunning {
      troubles.append("The recorder \(recorder.id) has ended; it is shown again when it is back.")
    } else {
      if let failure = recorder.failure { troubles.append(ViewText.sentence(failure)) }
      if let state { troubles += failures(of: state) }
      if recorder.picture == nil, troubles.isEmpty {
        troubles.append("Waiting for the first picture of \(recorder.id).")
      }
    }
    return troubles.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// What the state says has failed; while filming, not what was before.
  private func failures(of state: RecorderState) -> [String] {
    var failures: [String] = []
    if let failure = state.cameraFailure, isFilming || ![state.failure, state.startFailure].contains(failure) {
      failures.append(failure)
    }
    if let failure = state.continuationFailure { failures.append("cannot continue: \(failure)") }
    if let failure = state.failure, !isFilming {
      failures.append("\(state.films > 0 ? "the last film ended early" : "cannot record"): \(failure)")
    }
    if let failure = state.startFailure, !isFilming { failures.append("no film was made: \(failure)") }
    return failures.map(ViewText.sentence)
  }
}
