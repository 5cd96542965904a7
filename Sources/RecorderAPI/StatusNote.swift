import Foundation

/// What harms a film, in few words: for the line on a terminal, and for the viewfinder.
package struct StatusNote: Hashable, Sendable {
  /// The same in several lengths, the longest first.
  package let forms: [String]
  /// It is about the present film, not about the last one.
  package let isAlarm: Bool
}

extension RecorderState {
  /// Whether it has a film that has not ended.
  package var isFilming: Bool { [.recording, .waiting, .stopping].contains(phase) }

  /// Frames that the present film has lost, or else the last one; `nil` for none.
  package var lossNote: StatusNote? {
    guard let lost = filmAccount?.ledger.lostFrames, lost > 0 else { return nil }
    let frames = "\(lost) frame\(lost == 1 ? "" : "s")"
    let forms = isFilming ? ["LOST \(frames)", "LOST \(lost)"] : ["last film lost \(frames)", "last lost \(lost)"]
    return StatusNote(forms: forms, isAlarm: isFilming)
  }

  /// Whether the present film has lost audio, or else the last one.
  package var lostAudioNote: StatusNote? {
    guard let lost = filmAccount?.soundLost, lost > 0 else { return nil }
    return StatusNote(
      forms: isFilming ? ["LOST AUDIO"] : ["last film lost audio", "last lost audio"], isAlarm: isFilming)
  }

  /// A crash would cost more than promised.
  package var unsavedNote: StatusNote? {
    guard isFilming, let seconds = unsavedSeconds, let bound = lossBound, seconds > bound, seconds.isFinite else {
      return nil
    }
    let text = String(format: seconds < 10 ? "%.1f" : "%.0f", seconds)
    return StatusNote(forms: ["\(text) s unsaved", "\(text)s unsaved"], isAlarm: true)
  }
}
