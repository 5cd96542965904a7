import CV4L2
import Frames
import Glibc

/// An open video node that captures, and the calls that set it up.
///
/// Thread: one at a time, except as `V4L2Stream` says. The descriptor closes with `close` or with this object.
///
/// `@unchecked Sendable`: the stored values are constant, except `isOpen`, which only the thread that opens and stops
/// the camera touches.
final class V4L2Device: @unchecked Sendable {
  let path: String
  let descriptor: Int32
  let capability: V4L2Capability
  private var isOpen = true

  /// Opens `path` and asks for its capabilities.
  ///
  /// - Throws: the error of `open` or VIDIOC_QUERYCAP; ENOTTY means that the file is not a video node.
  init(path: String) throws(V4L2CallError) {
    let descriptor = try V4L2Call.perform("open") { cv4l2_open(path) }
    var raw = v4l2_capability()
    do throws(V4L2CallError) {
      try V4L2Call.perform("VIDIOC_QUERYCAP") { cv4l2_querycap(descriptor, &raw) }
    } catch {
      _ = cv4l2_close(descriptor)
      throw error
    }
    self.path = path
    self.descriptor = descriptor
    capability = V4L2Capability(raw)
  }

  deinit { close() }

  func close() {
    guard isOpen else { return }
    isOpen = false
    _ = cv4l2_close(descriptor)
  }

  /// `/dev/video0 (Logitech BRIO)`.
  var name: String { capability.card.isEmpty ? path : "\(path) (\(capability.card))" }

  var bufferType: UInt32 {
    (capability.isMultiplanar ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE : V4L2_BUF_TYPE_VIDEO_CAPTURE).rawValue
  }

  /// The selected input; `nil` if the driver has no inputs.
  func input() throws(V4L2CallError) -> v4l2_input? {
    var index: Int32 = 0
    guard try V4L2Call.offers("VIDIOC_G_INPUT", { cv4l2_g_input(descriptor, &index) }) else { return nil }
    var input = v4l2_input()
    input.index = UInt32(bitPattern: index)
    return try V4L2Call.offers("VIDIOC_ENUMINPUT") { cv4l2_enuminput(descriptor, &input) } ? input : nil
  }

  /// Asks for an event when the source of the selected input changes its format; false if the driver has no such event.
  @discardableResult
  func subscribeSourceChange() throws(V4L2CallError) -> Bool {
    let input = try input()?.index ?? 0
    return try V4L2Call.offers("VIDIOC_SUBSCRIBE_EVENT") {
      cv4l2_subscribe_event(descriptor, UInt32(V4L2_EVENT_SOURCE_CHANGE), input)
    }
  }
}

/// The capabilities that a video node reports.
struct V4L2Capability: Hashable, Sendable {
  let driver: String
  let card: String
  let bus: String
  private let flags: UInt32

  init(_ raw: v4l2_capability) {
    driver = withUnsafeBytes(of: raw.driver) { String(fixedBytes: $0) }
    card = withUnsafeBytes(of: raw.card) { String(fixedBytes: $0) }
    bus = withUnsafeBytes(of: raw.bus_info) { String(fixedBytes: $0) }
    var raw = raw
    flags = cv4l2_node_capabilities(&raw)
  }

  /// Only the multi-planar API; a node with both is used through the single-planar one.
  var isMultiplanar: Bool { has(V4L2_CAP_VIDEO_CAPTURE_MPLANE) && !has(V4L2_CAP_VIDEO_CAPTURE) }
  var isCapture: Bool { has(V4L2_CAP_VIDEO_CAPTURE) || has(V4L2_CAP_VIDEO_CAPTURE_MPLANE) }
  var streams: Bool { has(V4L2_CAP_STREAMING) }

  private func has(_ flag: Int32) -> Bool { flags & UInt32(bitPattern: flag) != 0 }
}

extension String {
  /// The text in a fixed-size field of a kernel struct, up to its first zero byte.
  init(fixedBytes bytes: UnsafeRawBufferPointer) {
    self = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
