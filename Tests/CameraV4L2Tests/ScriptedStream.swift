import CameraV4L2
import Cameras
import Frames
import Glibc
import Synchronization
import Testing

/// A kernel that plays a script: each wait takes the next step.
final class ScriptedStream: StreamPort {
  enum Step: Sendable {
    /// A filled buffer; `index` is the first one queued unless said otherwise.
    case buffer(FilledBuffer)
    /// Ready, but nothing there (EAGAIN).
    case again
    /// Nothing happens within the wait.
    case silence
    case event(StreamEvent)
    /// The next call fails.
    case failure(Int32)
    case failingWait(Int32)
  }

  private struct State {
    var steps: [Step]
    var queued: [Int] = []
    var log: [String] = []
  }

  private let state: Mutex<State>
  private let startFailure: Int32?

  init(_ steps: [Step], startFailure: Int32? = nil) {
    state = Mutex(State(steps: steps))
    self.startFailure = startFailure
  }

  /// Buffers that the driver has now, in the order in which they came.
  var queued: [Int] { state.withLock { $0.queued } }
  /// `start`, `stop` and what was queued after the stop.
  var log: [String] { state.withLock { $0.log } }

  func start() throws(V4L2CallError) {
    state.withLock { $0.log.append("start with \($0.queued.count)") }
    if let startFailure { throw V4L2CallError(call: "VIDIOC_STREAMON", number: startFailure) }
  }

  func halt() throws(V4L2CallError) {
    state.withLock {
      $0.log.append("halt")
      $0.queued = []
    }
  }

  func stop() { state.withLock { $0.log.append("stop") } }

  func queue(buffer index: Int) throws(V4L2CallError) {
    state.withLock {
      if $0.log.contains("stop") { $0.log.append("queued \(index)") }
      $0.queued.append(index)
    }
  }

  func wait(milliseconds: Int32) throws(V4L2CallError) -> StreamReadiness {
    switch state.withLock({ $0.steps.first }) {
    case .buffer, .again: return .buffer
    case .event: return .event
    case .failure: return .failure
    case .failingWait(let number):
      next()
      throw V4L2CallError(call: "poll", number: number)
    case .silence, nil:
      next()
      return []
    }
  }

  func dequeue() throws(V4L2CallError) -> FilledBuffer? {
    switch state.withLock({ $0.steps.first }) {
    case .buffer(let buffer):
      next()
      state.withLock { $0.queued.removeAll { $0 == buffer.index } }
      return buffer
    case .failure(let number):
      next()
      throw V4L2CallError(call: "VIDIOC_DQBUF", number: number)
    case .again:
      next()
      return nil
    default:
      return nil
    }
  }

  func nextEvent() throws(V4L2CallError) -> StreamEvent? {
    guard case .event(let event) = state.withLock({ $0.steps.first }) else { return nil }
    next()
    return event
  }

  private func next() {
    state.withLock { if !$0.steps.isEmpty { $0.steps.removeFirst() } }
  }
}

/// A camera whose kernel is a script and whose buffers are ordinary memory, each filled with its own index.
struct ScriptedRig {
  let stream: ScriptedStream
  let camera: V4L2Camera
  /// Times that the memory was given back.
  let released: ReleaseCounter

  static let width = 16
  static let height = 4
  static let frameNanoseconds: Int64 = 40_000_000

  init(
    _ steps: [ScriptedStream.Step], format code: String = "NV12", buffers: Int = 4, startFailure: Int32? = nil
  ) throws {
    let format = V4L2PixelFormat(code: FourCC(code))
    let shape = try PictureShape(
      .init(width: ScriptedRig.width, height: ScriptedRig.height, rowBytes: [ScriptedRig.width]), format: format,
      color: .rec709, camera: "cam")
    let bytes = max(shape.memory.first, 256) + 64
    let memory = (0..<buffers).map { index in
      let start = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
      start.initializeMemory(as: UInt8.self, repeating: UInt8(index), count: bytes)
      return BufferMemory(starts: [start], lengths: PlaneBytes(bytes))
    }
    let counter = ReleaseCounter()
    let stream = ScriptedStream(steps, startFailure: startFailure)
    self.stream = stream
    released = counter
    camera = V4L2Camera(
      name: "cam",
      format: CameraFormat(
        width: shape.width, height: shape.height, image: shape.image,
        frameRate: FrameRate(Rational(25)), color: .rec709),
      shape: shape, port: stream,
      buffers: LentBuffers(memory: memory, shape: shape, port: stream) {
        for buffer in memory { buffer.starts[0].deallocate() }
        counter.add()
      })
  }
}

final class ReleaseCounter: Sendable {
  private let number = Mutex(0)
  func add() { number.withLock { $0 += 1 } }
  var count: Int { number.withLock { $0 } }
}

extension FilledBuffer {
  /// A whole NV12 picture of the rig, 40 ms after its predecessor.
  static func whole(_ index: Int, sequence: UInt32, time: Int64? = nil, bytes: Int = 96) -> FilledBuffer {
    FilledBuffer(
      index: index, sequence: sequence,
      timestamp: time ?? 1_000_000_000 + Int64(sequence) * ScriptedRig.frameNanoseconds,
      bytes: PlaneBytes(bytes))
  }
}
