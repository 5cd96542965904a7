public import Frames

extension CameraControls {
  /// Sets several controls, those first that rule others, and reads each back.
  ///
  /// - Parameter isDone: is told of each as it is set.
  /// - Throws: as `set`. Nothing is set where a value is of another kind or out of range; those set before a camera
  ///   refuses one stay set.
  public func set(
    _ settings: [ControlChange], isDone: (ControlChange, ControlOffer) -> Void = { _, _ in }
  ) throws(CamrecError) {
    let offers = try offers()
    var turns: [(setting: ControlChange, offer: ControlOffer)] = []
    for setting in settings {
      guard let offer = offers.first(where: { $0.control == setting.control }) else {
        // The camera's own reason: lacking, or silent.
        _ = try value(of: setting.control)
        throw CamrecError(.device, setting.control.absence(on: name))
      }
      try offer.check(setting.value, camera: name)
      turns.append((setting, offer))
    }
    for turn in 0...2 {
      for (setting, offer) in turns where setting.control.turn == turn {
        isDone(ControlChange(setting.control, try set(setting.control, to: setting.value)), offer)
      }
    }
  }

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
