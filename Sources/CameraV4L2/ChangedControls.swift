import CV4L2

/// The controls that camrec changed, with the values that it found.
struct ChangedControls {
  private var found: [(control: v4l2_query_ext_ctrl, value: Int64)] = []

  /// Sets a control where the camera has it, and remembers what was there. A camera that refuses keeps its value.
  mutating func set(_ id: UInt32, to value: Int64, on device: V4L2Device) throws(V4L2CallError) {
    let change = try device.tolerating { () throws(V4L2CallError) -> (control: v4l2_query_ext_ctrl, value: Int64)? in
      guard let control = try device.control(id), control.minimum <= value, value <= control.maximum else { return nil }
      let before = try device.value(of: control)
      guard before != value else { return nil }
      try device.set(control, to: value)
      return (control, before)
    }
    if let change { found.append(change) }
  }

  /// Puts everything back, the last change first. A camera that is gone has nothing to be put back.
  mutating func restore(on device: V4L2Device) {
    while let (control, value) = found.popLast() {
      try? device.set(control, to: value)
    }
  }
}
