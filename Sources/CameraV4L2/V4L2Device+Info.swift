import CV4L2
import Cameras
import Frames

extension V4L2Device {
  /// A full description of the camera.
  func info() throws(V4L2CallError) -> CameraListing {
    var info = CameraListing(
      path: path, driver: capability.driver, card: capability.card, bus: capability.bus, formats: try formatInfos())
    do throws(V4L2CallError) {
      try addControls(to: &info)
    } catch {
      // A control that fails hides those after it; everything else is still worth listing.
      if error.isGone { throw error }
      info.problem = "\(name) stopped answering about its controls (\(error.cause))"
    }
    return info
  }

  private func formatInfos() throws(V4L2CallError) -> [CameraListing.Format] {
    var infos: [CameraListing.Format] = []
    for (format, words) in try formats() {
      let code = format.offered.code
      infos.append(
        CameraListing.Format(
          name: format.offered.name, code: code.description, description: words,
          isReadable: format.offered.route != .unreadable, sizes: try sizeInfos(code)))
    }
    return infos
  }

  private func sizeInfos(_ code: FourCC) throws(V4L2CallError) -> [CameraListing.Size] {
    switch try sizes(of: code, wanted: .defaultLimit) {
    case .list(let sizes):
      var infos: [CameraListing.Size] = []
      for size in sizes { infos.append(sizeInfo(size, try rates(of: code, at: size))) }
      return infos
    case .range(let smallest, let largest, let step):
      var info = sizeInfo(smallest, try rates(of: code, at: largest))
      info.largestWidth = largest.width
      info.largestHeight = largest.height
      info.widthStep = step.width
      info.heightStep = step.height
      return [info]
    }
  }

  private func sizeInfo(_ size: PictureSize, _ rates: RateOffer) -> CameraListing.Size {
    var info = CameraListing.Size(width: size.width, height: size.height)
    switch rates {
    case .list(let rates):
      info.rates = rates.map(\.description)
    case .range(let shortest, let longest, _):
      info.rates = [longest, shortest].compactMap { FrameRate(interval: $0)?.description }
      info.areRatesContinuous = true
    case .unknown:
      break
    }
    return info
  }

  private func addControls(to info: inout CameraListing) throws(V4L2CallError) {
    var query = v4l2_query_ext_ctrl()
    query.id = V4L2_CTRL_FLAG_NEXT_CTRL
    while try V4L2Call.offers("VIDIOC_QUERY_EXT_CTRL", { cv4l2_query_ext_ctrl(descriptor, &query) }) {
      if let control = try controlInfo(query) { info.controls.append(control) }
      query.id |= V4L2_CTRL_FLAG_NEXT_CTRL
    }
  }

  /// `nil` for a control without a numeric value (a class, a string) and for one that is switched off.
  private func controlInfo(_ control: v4l2_query_ext_ctrl) throws(V4L2CallError) -> CameraListing.Control? {
    guard let kind = control.kind, !control.has(V4L2_CTRL_FLAG_DISABLED) else { return nil }
    let isReadable = kind != .button && !control.has(V4L2_CTRL_FLAG_WRITE_ONLY)
    let words = withUnsafeBytes(of: control.name) { String(fixedBytes: $0) }
    return CameraListing.Control(
      id: control.id, name: V4L2Device.identifier(words), kind: kind, minimum: control.minimum,
      maximum: control.maximum, step: Int64(clamping: control.step), defaultValue: control.default_value,
      value: try tolerating { () throws(V4L2CallError) in isReadable ? try value(of: control) : nil },
      menu: try menu(control, kind),
      isReadOnly: control.has(V4L2_CTRL_FLAG_READ_ONLY), isInactive: control.has(V4L2_CTRL_FLAG_INACTIVE))
  }

  private func menu(
    _ control: v4l2_query_ext_ctrl, _ kind: CameraListing.Control.Kind
  ) throws(V4L2CallError) -> [CameraListing.MenuItem] {
    guard kind == .menu || kind == .integerMenu, control.minimum >= 0, control.maximum < 1024 else { return [] }
    var items: [CameraListing.MenuItem] = []
    var index = control.minimum
    while index <= control.maximum {
      var item = v4l2_querymenu()
      item.id = control.id
      item.index = UInt32(index)
      // A menu may have gaps.
      if try V4L2Call.offers("VIDIOC_QUERYMENU", { cv4l2_querymenu(descriptor, &item) }) {
        let words = kind == .menu ? withUnsafeBytes(of: item.name) { String(fixedBytes: $0) } : "\(item.value)"
        items.append(CameraListing.MenuItem(value: index, name: words))
      }
      index += 1
    }
    return items
  }

  /// `Exposure Time, Absolute` becomes `exposure_time_absolute`, as in v4l2-ctl.
  private static func identifier(_ words: String) -> String {
    let parts = words.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
    return parts.joined(separator: "_")
  }
}

extension v4l2_query_ext_ctrl {
  func has(_ flag: Int32) -> Bool { flags & UInt32(bitPattern: flag) != 0 }

  var kind: CameraListing.Control.Kind? {
    switch v4l2_ctrl_type(type) {
    case V4L2_CTRL_TYPE_INTEGER, V4L2_CTRL_TYPE_INTEGER64: .integer
    case V4L2_CTRL_TYPE_BOOLEAN: .boolean
    case V4L2_CTRL_TYPE_MENU: .menu
    case V4L2_CTRL_TYPE_INTEGER_MENU: .integerMenu
    case V4L2_CTRL_TYPE_BITMASK: .bitmask
    case V4L2_CTRL_TYPE_BUTTON: .button
    default: nil
    }
  }
}
