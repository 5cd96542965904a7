import CV4L2

/// The stream of a video node.
///
/// `@unchecked Sendable`: `isStopped` belongs to the one thread that starts and stops; `queue` touches only constants,
/// and is no longer called once `stop` has begun (`LentBuffers` ensures it).
final class DeviceStream: StreamPort, @unchecked Sendable {
  private let device: V4L2Device
  private let type: UInt32
  private let controls: V4L2Controls?
  private var isStopped = false

  /// - Parameter controls: the camera's, put back by `stop`.
  init(_ device: V4L2Device, controls: V4L2Controls?) {
    self.device = device
    self.controls = controls
    type = device.bufferType
  }

  deinit { stop() }

  func start() throws(V4L2CallError) {
    // Otherwise a camera in the dark exposes longer than a frame lasts and halves its rate.
    controls?.holdFrameRate()
    try V4L2Call.perform("VIDIOC_STREAMON") { cv4l2_streamon(device.descriptor, type) }
  }

  func wait(milliseconds: Int32) throws(V4L2CallError) -> StreamReadiness {
    var events: Int32 = 0
    try V4L2Call.perform("poll") { cv4l2_poll(device.descriptor, milliseconds, &events) }
    var readiness: StreamReadiness = []
    if events & CV4L2_READY_FRAME != 0 { readiness.insert(.buffer) }
    if events & CV4L2_READY_EVENT != 0 { readiness.insert(.event) }
    if events & CV4L2_READY_ERROR != 0 { readiness.insert(.failure) }
    return readiness
  }

  func dequeue() throws(V4L2CallError) -> FilledBuffer? {
    var buffer = cv4l2_buffer()
    guard try V4L2Call.poll("VIDIOC_DQBUF", { cv4l2_dqbuf(device.descriptor, type, &buffer) }) else { return nil }
    let flags = BufferFlags(buffer.flags)
    return FilledBuffer(
      index: Int(buffer.index), sequence: buffer.sequence, timestamp: flags.isMonotonic ? buffer.nanoseconds : nil,
      isStampedAtEnd: flags.isStampedAtEnd, isDamaged: flags.isDamaged,
      bytes: PlaneBytes(Int(buffer.bytesused.0), Int(buffer.bytesused.1), Int(buffer.bytesused.2)),
      offsets: PlaneBytes(Int(buffer.data_offset.0), Int(buffer.data_offset.1), Int(buffer.data_offset.2)))
  }

  func nextEvent() throws(V4L2CallError) -> StreamEvent? {
    var event: UInt32 = 0, id: UInt32 = 0, changes: UInt32 = 0
    guard try V4L2Call.poll("VIDIOC_DQEVENT", { cv4l2_dqevent(device.descriptor, &event, &id, &changes) }) else {
      return nil
    }
    let isChange = event == V4L2_EVENT_SOURCE_CHANGE && changes & UInt32(V4L2_EVENT_SRC_CH_RESOLUTION) != 0
    return isChange ? .sourceChange : .other
  }

  func queue(buffer index: Int) throws(V4L2CallError) {
    try V4L2Call.perform("VIDIOC_QBUF") { cv4l2_qbuf(device.descriptor, type, UInt32(index)) }
  }

  func halt() throws(V4L2CallError) {
    try V4L2Call.perform("VIDIOC_STREAMOFF") { cv4l2_streamoff(device.descriptor, type) }
  }

  func stop() {
    guard !isStopped else { return }
    isStopped = true
    // A camera that is gone answers ENODEV to both; then there is nothing left to do.
    _ = try? V4L2Call.perform("VIDIOC_STREAMOFF") { cv4l2_streamoff(device.descriptor, type) }
    // Lent frames keep their memory mapped, and so the file open: the driver admits the next program only when the
    // buffers are given up (since Linux 4.20; older kernels refuse that, and the next program waits for those frames).
    var none: UInt32 = 0
    _ = try? V4L2Call.perform("VIDIOC_REQBUFS") { cv4l2_reqbufs(device.descriptor, type, &none) }
    controls?.restore()
    device.close()
  }
}

/// V4L2_BUF_FLAG_… of a buffer.
struct BufferFlags {
  private let flags: UInt32

  init(_ flags: UInt32) { self.flags = flags }

  var isMonotonic: Bool { masked(V4L2_BUF_FLAG_TIMESTAMP_MASK) == V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC }
  var isStampedAtEnd: Bool { masked(V4L2_BUF_FLAG_TSTAMP_SRC_MASK) != V4L2_BUF_FLAG_TSTAMP_SRC_SOE }
  var isDamaged: Bool { masked(V4L2_BUF_FLAG_ERROR) != 0 }

  private func masked(_ mask: Int32) -> Int32 { Int32(bitPattern: flags) & mask }
}
