import CV4L2

extension V4L2Device {
  /// The control's description, or `nil` if the camera does not have it or has switched it off.
  func control(_ id: UInt32) throws(V4L2CallError) -> v4l2_query_ext_ctrl? {
    var control = v4l2_query_ext_ctrl()
    control.id = id
    guard try V4L2Call.offers("VIDIOC_QUERY_EXT_CTRL", { cv4l2_query_ext_ctrl(descriptor, &control) }),
      !control.has(V4L2_CTRL_FLAG_DISABLED)
    else { return nil }
    return control
  }

  func value(of control: v4l2_query_ext_ctrl) throws(V4L2CallError) -> Int64 {
    try value(of: control.id, isWide: control.type == V4L2_CTRL_TYPE_INTEGER64.rawValue)
  }

  /// - Parameter isWide: the control has 64 bits.
  func value(of id: UInt32, isWide: Bool) throws(V4L2CallError) -> Int64 {
    var value = cv4l2_value(id: id, value: 0)
    try V4L2Call.perform("VIDIOC_G_CTRL") { cv4l2_g_ctrl(descriptor, &value, isWide ? 1 : 0) }
    return value.value
  }

  func set(_ id: UInt32, isWide: Bool, to number: Int64) throws(V4L2CallError) {
    var value = cv4l2_value(id: id, value: number)
    try V4L2Call.perform("VIDIOC_S_CTRL") { cv4l2_s_ctrl(descriptor, &value, isWide ? 1 : 0) }
  }

  /// The result of `calls` for a control; `nil` if the camera refuses or fails to answer, as healthy USB cameras may
  /// for single controls.
  ///
  /// - Throws: only if the camera is gone.
  func tolerating<Answer>(_ calls: () throws(V4L2CallError) -> Answer?) throws(V4L2CallError) -> Answer? {
    do throws(V4L2CallError) {
      return try calls()
    } catch {
      if error.isGone { throw error }
      return nil
    }
  }
}
