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
}
