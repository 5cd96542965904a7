import CV4L2

/// The controls of an open video node.
final class DeviceControls: ControlPort {
  private let device: V4L2Device

  init(_ device: V4L2Device) { self.device = device }

  func facts(of id: UInt32) throws(V4L2CallError) -> ControlFacts? {
    guard let control = try device.control(id) else { return nil }
    var facts = ControlFacts(
      id: control.id, kind: control.factsKind, minimum: control.minimum, maximum: control.maximum,
      step: Int64(clamping: control.step), defaultValue: control.default_value)
    facts.isReadOnly = control.has(V4L2_CTRL_FLAG_READ_ONLY)
    facts.isWriteOnly = control.has(V4L2_CTRL_FLAG_WRITE_ONLY)
    facts.isInactive = control.has(V4L2_CTRL_FLAG_INACTIVE)
    facts.isVolatile = control.has(V4L2_CTRL_FLAG_VOLATILE)
    return facts
  }

  func menuItem(_ index: Int64, of control: ControlFacts) throws(V4L2CallError) -> ControlMenuItem? {
    guard let position = UInt32(exactly: index) else { return nil }
    var item = v4l2_querymenu()
    item.id = control.id
    item.index = position
    guard try V4L2Call.offers("VIDIOC_QUERYMENU", { cv4l2_querymenu(device.descriptor, &item) }) else { return nil }
    return ControlMenuItem(index: index, number: control.kind == .integerMenu ? item.value : 0)
  }

  func value(of control: ControlFacts) throws(V4L2CallError) -> Int64 {
    try device.value(of: control.id, isWide: control.kind == .wideInteger)
  }

  func set(_ control: ControlFacts, to value: Int64) throws(V4L2CallError) {
    try device.set(control.id, isWide: control.kind == .wideInteger, to: value)
  }

  func watch(_ id: UInt32) throws(V4L2CallError) -> Bool {
    try V4L2Call.offers("VIDIOC_SUBSCRIBE_EVENT") {
      cv4l2_subscribe_event(device.descriptor, UInt32(V4L2_EVENT_CTRL), id)
    }
  }

  func nextChange() throws(V4L2CallError) -> UInt32? {
    var event: UInt32 = 0, id: UInt32 = 0, changes: UInt32 = 0
    let isThere = try V4L2Call.poll("VIDIOC_DQEVENT") { cv4l2_dqevent(device.descriptor, &event, &id, &changes) }
    return isThere ? id : nil
  }

  func crop() throws(V4L2CallError) -> CropAreas? {
    guard let current = try area(UInt32(V4L2_SEL_TGT_CROP)), let whole = try area(UInt32(V4L2_SEL_TGT_CROP_DEFAULT)),
      let bounds = try area(UInt32(V4L2_SEL_TGT_CROP_BOUNDS))
    else { return nil }
    return CropAreas(current: current, whole: whole, bounds: bounds)
  }

  private func area(_ target: UInt32) throws(V4L2CallError) -> CropArea? {
    var rectangle = v4l2_rect()
    let isThere = try V4L2Call.offers("VIDIOC_G_SELECTION") {
      cv4l2_g_selection(device.descriptor, target, &rectangle)
    }
    return isThere ? CropArea(rectangle) : nil
  }

  func setCrop(_ area: CropArea) throws(V4L2CallError) -> CropArea {
    var rectangle = v4l2_rect(
      left: Int32(clamping: area.left), top: Int32(clamping: area.top), width: UInt32(clamping: area.width),
      height: UInt32(clamping: area.height))
    try V4L2Call.perform("VIDIOC_S_SELECTION") { cv4l2_s_crop(device.descriptor, &rectangle) }
    return CropArea(rectangle)
  }

  func pictureSize() throws(V4L2CallError) -> CropArea {
    var picture = cv4l2_picture()
    try V4L2Call.perform("VIDIOC_G_FMT") { cv4l2_g_fmt(device.descriptor, device.bufferType, &picture) }
    return CropArea(width: Int(picture.width), height: Int(picture.height))
  }
}

extension v4l2_query_ext_ctrl {
  fileprivate var factsKind: ControlFacts.Kind {
    switch v4l2_ctrl_type(type) {
    case V4L2_CTRL_TYPE_INTEGER: .integer
    case V4L2_CTRL_TYPE_INTEGER64: .wideInteger
    case V4L2_CTRL_TYPE_BOOLEAN: .boolean
    case V4L2_CTRL_TYPE_MENU: .menu
    case V4L2_CTRL_TYPE_INTEGER_MENU: .integerMenu
    case V4L2_CTRL_TYPE_BITMASK: .bitmask
    case V4L2_CTRL_TYPE_BUTTON: .button
    default: .other
    }
  }
}

extension CropArea {
  fileprivate init(_ rectangle: v4l2_rect) {
    self.init(
      left: Int(rectangle.left), top: Int(rectangle.top), width: Int(rectangle.width), height: Int(rectangle.height))
  }
}
