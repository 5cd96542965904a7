public import Frames

extension CameraControls {
  /// Sets several controls, beginning with those that rule others, and reads each back.
  ///
  /// - Parameter isDone: called for each control that is set.
  /// - Throws: as `set`. If a value has the wrong kind or is out of range, nothing is set. If the camera refuses one,
  ///   those already set stay set.
  public func set(
    _ settings: [ControlChange], isDone: (ControlChange, ControlOffer) -> Void = { _, _ in }
  ) throws(CamrecError) {
    let offers = try offers()
    var turns: [(setting: ControlChange, offer: ControlOffer)] = []
    for setting in settings {
      guard let offer = offers.first(where: { $0.control == setting.control }) else {
        // Throws the camera's own reason: it lacks the control, or does not answer.
        _ = try value(of: setting.control)
        throw CamrecError(.device, setting.control.absence(on: name), reason: .notOffered)
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
}
