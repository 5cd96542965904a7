import Foundation
import Frames
import Movies
import Recorder
package import RecorderAPI

/// A running recorder's state in words.
package enum RecorderDescription {
  /// Phase and film, source, exposure, white balance and focus, ledger; leaves out what is not known.
  package static func lines(of state: RecorderState) -> [String] {
    var lines = [headline(state)]
    if let source = state.source {
      let rate = "\(source.width)x\(source.height) \(source.pixelFormat) at \(source.frameRate) fps"
      lines.append("  \(source.camera), \(rate)")
    }
    if let exposure = state.exposure { lines.append("  " + text(exposure)) }
    let colorAndFocus = [
      state.whiteBalance.map { "white balance \($0)" },
      state.focus.map { focus in "focus \(focus.phase.rawValue)" + (focus.distance.map { " at \(number($0))" } ?? "") },
    ].compactMap { $0 }
    if !colorAndFocus.isEmpty { lines.append("  " + colorAndFocus.joined(separator: ", ")) }
    let (allLedger, allSoundLost) = (state.ledger, state.totals?.soundLost ?? 0)
    if state.films > 0 {
      let film = state.filmAccount
      lines.append("  " + text(film?.ledger ?? allLedger, soundLost: film?.soundLost ?? allSoundLost))
    }
    if state.films > 1 || allLedger.framesBetweenFilms > 0, state.filmAccount != nil {
      lines.append("  all films: " + text(allLedger, soundLost: allSoundLost))
    }
    if let free = state.disk?.freeBytes {
      let left = state.disk?.secondsLeft.map { ", room for about \(HumanText.span($0))" } ?? ""
      lines.append("  \(HumanText.bytes(free)) are free\(left)")
    }
    if let unsaved = state.unsavedSeconds, let bound = state.lossBound, unsaved > bound {
      let (now, most) = (HumanText.fixed(unsaved, 2), HumanText.fixed(bound, 2))
      lines.append(
        "  \(now) s of film are not on the disk yet; while the encoder and the disk keep up, it is \(most) s at most")
    }
    if let failure = state.cameraFailure, ![state.failure, state.startFailure].contains(failure) {
      // While it waits, it may have a camera open that delivers nothing.
      lines.append("  \(state.phase == .waiting ? "waits for its camera" : "no camera is open"): \(failure)")
    }
    if let hindrance = hindrance(state) { lines.append("  " + hindrance) }
    if let failure = state.failure {
      lines.append("  \(state.films > 0 ? "the last film ended early" : "cannot record"): \(failure)")
    }
    if let failure = state.startFailure { lines.append("  no film was made: \(failure)") }
    return lines
  }

  /// Everything that changes, on one line.
  package static func line(of state: RecorderState) -> String {
    let isFilm = [.recording, .waiting, .stopping].contains(state.phase) && state.filmAccount != nil
    let ledger = isFilm ? state.filmAccount?.ledger ?? state.ledger : state.ledger
    let films = isFilm || state.films < 2 ? "" : " in all films"
    var parts = [state.phase.rawValue, HumanText.clock(state.seconds)]
    parts.append("\(HumanText.count(ledger.written, "frame"))\(films)")
    parts.append("\(ledger.lostFrames) lost")
    let film = isFilm ? state.filmAccount : nil
    if let lost = HumanText.lostAudio(film?.soundLost ?? state.totals?.soundLost ?? 0) { parts.append(lost) }
    if state.ledger.framesBetweenFilms > 0 { parts.append("\(state.ledger.framesBetweenFilms) between films") }
    if let exposure = state.exposure { parts.append(text(exposure)) }
    if let hindrance = hindrance(state) { parts.append(hindrance) }
    return parts.joined(separator: "  ")
  }

  /// Why the recording does not continue. The camera is back, or another one was chosen.
  private static func hindrance(_ state: RecorderState) -> String? {
    state.continuationFailure.map { "the recording cannot continue: \($0)" }
  }

  private static func headline(_ state: RecorderState) -> String {
    let film = state.film ?? "no film"
    switch state.phase {
    case .standby:
      let kept = state.preRoll.map {
        "; the last \(HumanText.fixed($0.seconds, 1)) s are kept (\(HumanText.bytes(Int64($0.bytes))))"
      }
      return "standing by" + (kept ?? "") + (state.film.map { "; the last film is \($0)" } ?? "")
    case .starting: return "starting" + (state.film.map { " \($0)" } ?? "")
    case .waiting:
      let aim = state.continuationFailure == nil ? "for the camera" : "until it can record again"
      return "waiting \(aim); the last film is \(film)"
    case .stopping: return "finishing \(film)"
    case .ended: return "ended" + (state.film.map { "; the last film is \($0)" } ?? "")
    case .recording:
      let since = state.started.map { " since \($0.formatted(.iso8601))" } ?? ""
      let (length, size) = (HumanText.clock(state.seconds), HumanText.bytes(state.bytes))
      guard let segment = state.segment else { return "recording \(film)\(since): \(length), \(size)" }
      return "recording \(film); \(length) and \(size) in \(HumanText.count(segment, "segment"))\(since)"
    }
  }

  private static func text(_ exposure: ExposureStatus) -> String {
    var text = "\(exposure.mode): \(TimeText.exposure(exposure.exposureTime))"
    text += " (\(number(exposure.reachedShutterAngle))°), "
    text += exposure.isCalibrated ? "ISO \(HumanText.fixed(exposure.iso, 0))" : "gain \(signed(exposure.gain)) EV"
    if exposure.bias != 0 { text += ", \(signed(exposure.bias)) EV" }
    text += ", \(exposure.metering), \(exposure.isLocked ? "locked" : exposure.state.rawValue)"
    let missing = HumanText.fixed(abs(exposure.missingEV), 1)
    let least = exposure.isMissingEVLowerBound == true ? "at least " : ""
    if missing != "0.0" { text += ", \(least)\(missing) EV too \(exposure.missingEV > 0 ? "dark" : "bright")" }
    return text
  }

  /// - Parameter soundLost: samples of each channel.
  private static func text(_ ledger: RecorderState.Ledger, soundLost: Int64) -> String {
    // They are in no film's account and not among its losses, but among what the recorder expected.
    let frames = ledger.framesBetweenFilms
    let expected = ledger.expected.subtractingSaturated(frames)
    let account = "expected \(expected), captured \(ledger.captured), written \(ledger.written)"
    let between = frames > 0 ? "; \(frames) more \(frames == 1 ? "was" : "were") due while none was recorded" : ""
    let audio = HumanText.lostAudio(soundLost).map { "; \($0)" } ?? ""
    return "\(account), \(HumanText.losses { Int64(ledger.lost[$0.rawValue] ?? 0) })\(between)\(audio)"
  }

  private static func signed(_ ev: Double) -> String { String(format: "%+.2f", ev) }
  private static func number(_ value: Double) -> String { String(format: "%.5g", value) }
}
