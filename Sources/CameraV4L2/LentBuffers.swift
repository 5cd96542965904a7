package import Frames
import Synchronization

/// The memory of one buffer: the start and length of each plane that has memory of its own.
///
/// `@unchecked Sendable`: constants; only the one frame that holds the buffer touches the memory.
package struct BufferMemory: @unchecked Sendable {
  package let starts: [UnsafeMutableRawPointer]
  package let lengths: PlaneBytes

  package init(starts: [UnsafeMutableRawPointer], lengths: PlaneBytes) {
    self.starts = starts
    self.lengths = lengths
  }
}

/// The buffers of a stream, filled by the driver and lent as frames: when a frame ends, its buffer is queued again.
///
/// The memory lasts as long as this object or any of its frames, even after the stream has stopped.
///
/// `@unchecked Sendable`: `state` is touched only under its mutex, `storages` and `offsets` only by the capture
/// thread; the rest is constant, and `release` runs once, when nobody else is left.
package final class LentBuffers: FrameOwner, @unchecked Sendable {
  private let memory: [BufferMemory]
  private let shape: PictureShape
  private let port: any StreamPort
  private let release: @Sendable () -> Void
  private struct State {
    var isStreaming = false
    /// Buffers that the driver does not have: their frames are lent.
    var isOut: [Bool]
  }

  private let state: Mutex<State>
  private var storages: [FrameStorage]
  private var offsets: [PlaneBytes]

  /// - Parameters:
  ///   - memory: of each buffer, at least as long as `shape` says.
  ///   - release: frees the memory.
  package init(
    memory: [BufferMemory], shape: PictureShape, port: any StreamPort, release: @escaping @Sendable () -> Void
  ) {
    self.memory = memory
    self.shape = shape
    self.port = port
    self.release = release
    state = Mutex(State(isOut: memory.map { _ in false }))
    offsets = memory.map { _ in .zero }
    storages = memory.indices.map { LentBuffers.storage($0, memory[$0], shape, .zero) }
  }

  deinit { release() }

  /// Buffer `index` as the memory of a frame that begins `offsets` bytes after the start of its planes; `nil` if it
  /// would not fit. Allocates only when a driver changes the offsets.
  func storage(_ index: Int, offsets moved: PlaneBytes) -> FrameStorage? {
    guard storages.indices.contains(index) else { return nil }
    if offsets[index] != moved {
      guard memory[index].lengths.covers(shape.memory + moved) else { return nil }
      storages[index] = LentBuffers.storage(index, memory[index], shape, moved)
      offsets[index] = moved
    }
    return storages[index]
  }

  private static func storage(
    _ index: Int, _ memory: BufferMemory, _ shape: PictureShape, _ offsets: PlaneBytes
  ) -> FrameStorage {
    FrameStorage(
      planes: shape.planes.map { memory.starts[$0.memory] + offsets[$0.memory] + $0.offset }, index: index)
  }

  /// Queues every buffer that is not lent, and starts the stream.
  func start() throws(V4L2CallError) {
    // A typed throw does not pass through the mutex's closure.
    let failure = state.withLock { state -> V4L2CallError? in
      for index in memory.indices where !state.isOut[index] {
        do throws(V4L2CallError) { try port.queue(buffer: index) } catch { return error }
      }
      state.isStreaming = true
      return nil
    }
    if let failure { throw failure }
    try port.start()
  }

  /// Stops the stream and starts it again.
  func restart() throws(V4L2CallError) {
    state.withLock { $0.isStreaming = false }
    try port.halt()
    try start()
  }

  /// From now on, the buffers of frames that end are not queued again.
  func stop() {
    state.withLock { $0.isStreaming = false }
    port.stop()
  }

  /// Notes that the driver has delivered the buffer.
  func taken(_ index: Int) {
    state.withLock { if $0.isOut.indices.contains(index) { $0.isOut[index] = true } }
  }

  package func frameEnded(_ storage: FrameStorage) { giveBack(storage.index) }

  /// Gives the buffer back to the driver to fill again.
  func giveBack(_ index: Int) {
    state.withLock { state in
      guard state.isOut.indices.contains(index) else { return }
      state.isOut[index] = false
      guard state.isStreaming else { return }
      // A camera that fails here also fails in the next wait, where it is reported.
      try? port.queue(buffer: index)
    }
  }
}
