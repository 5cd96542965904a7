import Frames
public import RecorderAPI

/// What the window has to do after an input.
public enum ViewAction: Hashable, Sendable {
  case quit
  case setFullScreen(Bool)
  /// A command for a recorder.
  case perform(ViewCommand, ViewedRecorder.ID)
}

/// A command that a key gives.
public enum ViewCommand: Hashable, Sendable {
  /// A request, and the key whose outcome is told.
  case request(ControlRequest, ViewKey)
  /// The camera's next white balance, whatever it offers.
  case nextWhiteBalance

  /// The command of a key for a recorder in this state; `nil` if the key gives none.
  static func of(_ key: ViewKey, in state: RecorderState) -> ViewCommand? {
    func request(_ word: ControlWord, _ value: String? = nil) -> ViewCommand? {
      (try? ControlRequest(word, value.map { ["value": $0] } ?? [:])).map { .request($0, key) }
    }
    let exposure = ExposureWish(state)
    switch key {
    case .record: return request(state.phase == .standby ? .start : .stop)
    case .marker: return request(.marker)
    case .brighter: return request(.ev, ExposureWish.value(thirds: (exposure?.thirds ?? 0) + 1))
    case .darker: return request(.ev, ExposureWish.value(thirds: (exposure?.thirds ?? 0) - 1))
    case .mode: return request(.mode, exposure?.mode == "auto" ? "shutter-priority" : "auto")
    case .lock: return request(exposure?.isLocked == true ? .unlock : .lock)
    case .whiteBalance: return .nextWhiteBalance
    case .focus: return request(.focus)
    case .releaseFocus: return request(.focus, "release")
    case .histogram, .graded, .fullSize, .fullScreen, .information, .previous, .next, .back, .help, .quit: return nil
    }
  }

  /// What to show of the state once the command is done; `nil` if the state shows enough itself.
  public func outcome(in state: RecorderState) -> String? {
    guard case .request(_, let key) = self else { return state.whiteBalance.map { "white balance \($0)" } }
    switch key {
    case .marker: return state.marker?.description
    case .brighter, .darker: return ExposureWish(state).map { "exposure \(ExposureWish.text($0.bias))" }
    case .mode: return ExposureWish(state).map { "exposure \($0.mode)" }
    case .lock: return ExposureWish(state).map { "exposure \($0.isLocked ? "locked" : "unlocked")" }
    case .focus, .releaseFocus: return state.focus.map { "focus \($0.phase.rawValue)" }
    default: return nil
    }
  }
}
