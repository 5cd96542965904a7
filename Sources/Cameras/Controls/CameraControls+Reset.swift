public import Frames

extension CameraControls {
  /// Makes everything automatic: automatics on, locks off, and every control that no automatic rules at its default.
  ///
  /// - Parameter isDone: called for each control with its new value, or with the reason why it was not set.
  /// - Throws: code `device` if the camera is gone or does not answer.
  public func reset(isDone: (ControlOffer, Result<ControlValue, CamrecError>) -> Void) throws(CamrecError) {
    for turn in [2, 0, 1] {
      for offer in try offers() where offer.control.turn == turn && !offer.isReadOnly && !offer.isRuled {
        guard let value = offer.automaticValue else { continue }
        do throws(CamrecError) {
          isDone(offer, .success(try set(offer.control, to: value)))
        } catch {
          isDone(offer, .failure(error))
        }
      }
    }
  }
}

extension ControlOffer {
  /// The value that a reset sets; `nil` if it leaves the control alone.
  var automaticValue: ControlValue? {
    if case .trigger = kind { return nil }
    if control.isLock { return .flag(false) }
    guard control.isAutomatic else { return defaultValue }
    guard case .choice(let words) = kind else { return .flag(true) }
    return ["auto", "aperture-priority", "shutter-priority"].first(where: words.contains).map(ControlValue.choice)
  }
}
