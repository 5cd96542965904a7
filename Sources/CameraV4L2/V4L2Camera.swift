public import Cameras
public import Frames
import Platform

/// A camera behind a V4L2 video node.
///
/// Frames use the driver's own buffers: nothing is copied, and when a frame ends, its buffer goes back to be filled
/// again. A consumer that keeps all of them starves the driver, which then loses frames; their numbers are missing in
/// `CapturedFrame.sequence`.
///
/// `CapturedFrame.captureTime` is the driver's own stamp on the monotonic clock. A driver that stamps the end of a
/// frame (V4L2_BUF_FLAG_TSTAMP_SRC_EOF) stamps the last line's arrival. The exposure started exposure + readout
/// earlier. Each of these is at most one frame interval, and the driver reports neither. One interval is assumed for
/// their sum, which is wrong by less than one interval.
///
/// Thread: `start`, `next` and `stop` on one thread at a time; frames end on any.
///
/// `@unchecked Sendable`: `sequences`, `lastTime`, `hasGap` and `ending` are touched by the capture thread alone.
public final class V4L2Camera: Camera, @unchecked Sendable {
  public let name: String
  public let format: CameraFormat
  public let warnings: [String]
  /// Its controls, for any thread; `stop` puts back what was changed. `nil` if the driver does not allow them to be
  /// opened besides the stream.
  public let controls: (any CameraControls)?

  private let shape: PictureShape
  private let port: any StreamPort
  private let buffers: LentBuffers
  private let converter: VendorConverter?
  private let frameNanoseconds: Int64
  private var sequences = SequenceCounter()
  /// The capture time of the last frame.
  private var lastTime: MonotonicTime?
  /// The stream was restarted: the driver's count says nothing about the frames in between.
  private var hasGap = false
  private var ending: CameraEnd?

  /// The longest wait of `next`, in milliseconds.
  private static let patience: Int32 = 100

  package convenience init(
    name: String, format: CameraFormat, warnings: [String] = [], shape: PictureShape, port: any StreamPort,
    buffers: LentBuffers
  ) {
    self.init(
      name: name, format: format, warnings: warnings, shape: shape, port: port, buffers: buffers, converter: nil,
      controls: nil)
  }

  init(
    name: String, format: CameraFormat, warnings: [String], shape: PictureShape, port: any StreamPort,
    buffers: LentBuffers, converter: VendorConverter?, controls: V4L2Controls?
  ) {
    self.name = name
    self.format = format
    self.warnings = warnings
    self.shape = shape
    self.port = port
    self.buffers = buffers
    self.converter = converter
    self.controls = controls
    // A video node has a rate.
    frameNanoseconds = format.frameRate?.frameDuration.scaling(1_000_000_000) ?? 1
  }

  deinit { stop() }

  public func start() throws(CamrecError) {
    do throws(V4L2CallError) {
      try buffers.start()
    } catch {
      throw error.explained(device: name)
    }
  }

  public func restart() throws(CamrecError) -> Bool {
    do throws(V4L2CallError) {
      try buffers.restart()
    } catch {
      throw error.explained(device: name)
    }
    hasGap = true
    return true
  }

  public func stop() { buffers.stop() }

  public func next() throws(CamrecError) -> CameraEvent {
    if let ending { return .ended(ending) }
    let buffer: FilledBuffer
    do throws(V4L2CallError) {
      let readiness = try port.wait(milliseconds: V4L2Camera.patience)
      if readiness.contains(.event), try sourceHasChanged() { return end(.sourceChanged) }
      guard !readiness.isDisjoint(with: [.buffer, .failure]), let filled = try port.dequeue() else { return .nothing }
      buffer = filled
    } catch {
      if error.isGone { return end(.unplugged) }
      throw error.explained(device: name)
    }
    return try event(of: buffer)
  }

  private func end(_ how: CameraEnd) -> CameraEvent {
    ending = how
    return .ended(how)
  }

  private func sourceHasChanged() throws(V4L2CallError) -> Bool {
    var hasChanged = false
    while let event = try port.nextEvent() { hasChanged = hasChanged || event == .sourceChange }
    return hasChanged
  }

  private func event(of buffer: FilledBuffer) throws(CamrecError) -> CameraEvent {
    buffers.taken(buffer.index)
    let stamp = buffer.timestamp ?? MonotonicTime.now().nanoseconds
    let isAtEnd = buffer.isStampedAtEnd || buffer.timestamp == nil
    let captureTime = MonotonicTime(nanoseconds: isAtEnd ? stamp - frameNanoseconds : stamp)
    if hasGap, let lastTime {
      sequences.gap(UInt64(max(1, (captureTime - lastTime + frameNanoseconds / 2) / frameNanoseconds)))
    }
    (hasGap, lastTime) = (false, captureTime)
    let sequence = sequences.next(buffer.sequence)
    guard !buffer.isDamaged, buffer.bytes.covers(shape.needed + buffer.offsets),
      let storage = buffers.storage(buffer.index, offsets: buffer.offsets)
    else {
      buffers.giveBack(buffer.index)
      return .damaged(sequence: sequence, captureTime: captureTime)
    }
    let count = buffer.bytes.first - buffer.offsets.first
    if let converter {
      let outcome = try converted(storage, count, by: converter)
      switch consume outcome {
      case .frame(let frame):
        return .frame(CapturedFrame(image: .frame(frame), sequence: sequence, captureTime: captureTime))
      case .damaged: return .damaged(sequence: sequence, captureTime: captureTime)
      case .full: return .nothing
      }
    }
    return .frame(CapturedFrame(image: lend(storage, count), sequence: sequence, captureTime: captureTime))
  }

  /// The buffer goes back at once, because the frame is a copy.
  private func converted(
    _ storage: FrameStorage, _ count: Int, by converter: VendorConverter
  ) throws(CamrecError) -> VendorConverter.Outcome {
    defer { buffers.frameEnded(storage) }
    return try converter.convert(storage, count: count, camera: name)
  }

  private func lend(_ storage: FrameStorage, _ count: Int) -> CapturedImage {
    if let frameFormat = shape.frameFormat {
      return .frame(Frame(format: frameFormat, storage: storage, owner: buffers))
    }
    guard case .encoded(let code) = shape.image else { preconditionFailure("a picture is raw or encoded") }
    return .encoded(
      EncodedImage(
        encoding: code, width: shape.width, height: shape.height, stride: shape.stride, byteCount: count,
        storage: storage, owner: buffers))
  }
}
