public import Audio
public import Frames
import Synchronization

/// A sink that takes everything and stores nothing: for measuring what comes before it. Thread: one at a time.
public final class NullSink: MovieSink {
  private let frames = Atomic<Int64>(0)

  public init() {}

  /// Always 0.
  public var bytesWritten: Int64 { 0 }

  public func write(_ frame: consuming Frame, at time: Int64) throws(CamrecError) {
    frames.add(1, ordering: .relaxed)
  }

  public func write(_ sound: borrowing AudioBuffer) throws(CamrecError) {}

  public func finish(at endTime: Int64) throws(CamrecError) -> MovieReport {
    MovieReport(path: "", bytes: 0, frames: frames.load(ordering: .relaxed))
  }
}
