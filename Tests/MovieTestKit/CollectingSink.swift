public import Audio
public import Frames
public import Movies
import Platform
import Synchronization

/// A sink that remembers what it was given, and fails when told to: for faults that a disk does not produce on demand.
public final class CollectingSink: MovieSink {
  public struct Contents: Sendable {
    public var ticks: [Int64] = []
    /// The first luma byte of each frame.
    public var firstBytes: [UInt8] = []
    public var audioFrames = 0
    public var endTicks: Int64?
    /// The time of the frame that was refused.
    public var refusedTicks: Int64?
    /// Audio frames that had come when each frame came.
    public var audioBefore: [Int] = []
  }

  private let state = Mutex(Contents())
  private let failAtFrame: Int?
  private let failure: OutputFault?
  private let stored: Int
  private let storedSamples: Int64?
  private let secondsPerFrame: Double

  /// - Parameters:
  ///   - failAtFrame: the write of this frame, counted from 0, fails as a full disk does.
  ///   - fault: what is known of that failure.
  ///   - stored: frames that the file holds at most, as if the disk had refused those behind them.
  ///   - storedSamples: samples of each channel that the file holds; `nil`: it does not count them.
  ///   - secondsPerFrame: how long it takes a frame.
  public init(
    failAtFrame: Int? = nil, fault: OutputFault? = nil, stored: Int = .max, storedSamples: Int64? = nil,
    secondsPerFrame: Double = 0
  ) {
    self.failAtFrame = failAtFrame
    failure = fault
    self.stored = stored
    self.storedSamples = storedSamples
    self.secondsPerFrame = secondsPerFrame
  }

  public var contents: Contents { state.withLock { $0 } }
  public var fault: OutputFault? { contents.ticks.count == failAtFrame ? failure : nil }
  public var bytesWritten: Int64 { Int64(contents.ticks.count) }

  public func write(_ frame: consuming Frame, at time: Int64) throws(CamrecError) {
    if secondsPerFrame > 0 { WorkThread.sleep(.seconds(secondsPerFrame)) }
    let first = frame.withPlane(0) { $0[0] }
    let isFull = state.withLock { contents in
      guard contents.ticks.count != failAtFrame else {
        contents.refusedTicks = time
        return true
      }
      contents.ticks.append(time)
      contents.firstBytes.append(first)
      contents.audioBefore.append(contents.audioFrames)
      return false
    }
    if isFull { throw CamrecError(.output, "the disk is full") }
  }

  public func repeatFrame(at time: Int64) {
    state.withLock { contents in
      contents.ticks.append(time)
      contents.firstBytes.append(contents.firstBytes.last ?? 0)
      contents.audioBefore.append(contents.audioFrames)
    }
  }

  public func write(_ sound: borrowing AudioBuffer) throws(CamrecError) {
    let count = sound.count
    state.withLock { $0.audioFrames += count }
  }

  public func finish(at endTime: Int64) throws(CamrecError) -> MovieReport {
    state.withLock { contents in
      contents.endTicks = endTime
      let frames = Int64(min(stored, contents.ticks.count))
      return MovieReport(
        path: "memory", bytes: 0, frames: frames, samples: storedSamples, end: contents.refusedTicks)
    }
  }
}
