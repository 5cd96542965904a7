public import Cameras
public import Frames
import Synchronization

extension V4L2Controls {
  @discardableResult
  public func set(_ control: CameraControl, to value: ControlValue) throws(CamrecError) -> ControlValue {
    try state.withLock { (state) throws(CamrecError) in
      let present = try present(control, &state)
      let offer = present.offer
      guard !offer.isReadOnly else {
        throw CamrecError(.device, ControlSentence.readOnly(control, camera: name))
      }
      try offer.check(value, camera: name)
      switch present {
      case .zoom(let zoom): return try setZoom(to: value, zoom, &state)
      case .mapped(let mapped): return try set(mapped, to: value, &state)
      }
    }
  }

  /// Keeps the camera from lengthening frames in the dark, which halves its rate. If the camera refuses or lacks the
  /// control, nothing changes.
  func holdFrameRate() { _ = try? set(.dynamicFrameRate, to: .flag(false)) }

  private func set(
    _ mapped: MappedControl, to value: ControlValue, _ state: inout State
  ) throws(CamrecError) -> ControlValue {
    let (control, facts) = (mapped.mapping.control, mapped.facts)
    if case .trigger(let stop) = mapped.mapping.form { return try pull(mapped, value, stop: stop, &state) }
    guard !facts.isInactive else {
      throw CamrecError(
        .device, ControlSentence.ruled(control, camera: name, ruler: ruler(of: control, &state)))
    }
    var before: Int64?
    if !facts.isWriteOnly {
      before = try explaining(control, &state) { (_) throws(V4L2CallError) in try port.value(of: facts) }
    }
    let raw = mapped.raw(for: value, current: before ?? 0)
    // A ruled control is always written, because drivers cache the value that they last read.
    if raw != before || control.ruler != nil {
      if let before { note(FoundControls.Value(id: facts.id, value: before), &state) }
      try explaining(control, &state) { (_) throws(V4L2CallError) in try port.set(facts, to: raw) }
    }
    let now = facts.isWriteOnly ? value : try self.value(of: .mapped(mapped), &state)
    state.known[control] = now
    return now
  }

  /// Starts a trigger's action, or cancels it.
  private func pull(
    _ mapped: MappedControl, _ value: ControlValue, stop: UInt32, _ state: inout State
  ) throws(CamrecError) -> ControlValue {
    let control = mapped.mapping.control
    let button = try explaining(control, &state) { (_) throws(V4L2CallError) in
      value == .flag(false) ? try port.facts(of: stop) : mapped.facts
    }
    guard let button else {
      throw CamrecError(.device, "\(control.rawValue) of \(name) cannot be cancelled; it ends by itself")
    }
    try explaining(control, &state) { (_) throws(V4L2CallError) in try port.set(button, to: 1) }
    return .none
  }

  private func setZoom(
    to value: ControlValue, _ zoom: DigitalZoom, _ state: inout State
  ) throws(CamrecError) -> ControlValue {
    guard case .number(let factor) = value else { return value }
    let before = try explaining(.digitalZoom, &state) { (_) throws(V4L2CallError) in
      (size: try port.pictureSize(), area: try port.crop()?.current)
    }
    let wanted = zoom.area(for: factor)
    if let area = before.area, area != wanted {
      note(area, &state)
      let size = try explaining(.digitalZoom, &state) { (_) throws(V4L2CallError) in
        _ = try port.setCrop(wanted)
        return try port.pictureSize()
      }
      guard size == before.size else {
        _ = try? port.setCrop(area)
        throw CamrecError(
          .device,
          "\(name) crops without enlarging, so the recording would be \(size.width)x\(size.height); camrec cannot use "
            + "its digital-zoom")
      }
    }
    let now = try self.value(of: try present(.digitalZoom, &state), &state)
    state.known[.digitalZoom] = now
    return now
  }
}
