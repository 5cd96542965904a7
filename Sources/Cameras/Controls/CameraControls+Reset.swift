public import Frames

extension CameraControls {
  /// The one-tap automatic: automatics on, locks off, everything else that nothing rules at its default.
  ///
  /// - Parameter isDone: is told of each control as it was set, or of why it was not.
  /// - Throws: code `device` where the camera is gone or does not answer.
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
  /// What a reset sets it to; `nil` where it is left alone.
  var automaticValue: ControlValue? {
    if case .trigger = kind { return nil }
    if control.isLock { return .flag(false) }
    guard control.isAutomatic else { return defaultValue }
    guard case .choice(let words) = kind else { return .flag(true) }
    return ["auto", "aperture-priority", "shutter-priority"].first(where: words.contains).map(ControlValue.choice)
  }
}
