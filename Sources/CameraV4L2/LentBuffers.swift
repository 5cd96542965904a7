package import Frames
import Synchronization

/// The buffers of a stream, filled by the driver and lent as frames: a frame's end queues its buffer again.
///
/// The memory stays while this object or any frame of it is there, also after the stream has stopped.
///
/// `@unchecked Sendable`: everything is constant but `isStreaming`, which is touched only under its mutex; `release`
/// runs once, when nobody else is left.
package final class LentBuffers: FrameOwner, @unchecked Sendable {
  private let storages: [FrameStorage]
  private let port: any StreamPort
  private let isStreaming = Mutex(false)
  private let release: @Sendable () -> Void

  /// - Parameters:
  ///   - storages: one per buffer, each at the place that its index says.
  ///   - release: gives the memory back.
  package init(storages: [FrameStorage], port: any StreamPort, release: @escaping @Sendable () -> Void) {
    self.storages = storages
    self.port = port
    self.release = release
  }

  deinit { release() }

  package var count: Int { storages.count }

  /// - Precondition: the driver gave buffer `index` back.
  func storage(_ index: Int) -> FrameStorage { storages[index] }

  /// Queues every buffer and starts the stream.
  func start() throws(V4L2CallError) {
    for index in storages.indices { try port.queue(buffer: index) }
    isStreaming.withLock { $0 = true }
    try port.start()
  }

  /// From here on frames that end are only forgotten.
  func stop() {
    isStreaming.withLock { $0 = false }
    port.stop()
  }

  package func frameEnded(_ storage: FrameStorage) {
    isStreaming.withLock { streams in
      guard streams else { return }
      // A camera that fails here fails in the next wait too, and is reported there.
      try? port.queue(buffer: storage.index)
    }
  }
}
