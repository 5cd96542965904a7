public import Bake
public import Frames
public import Kernels
import Platform
import Synchronization

/// A device that bakes with the CPU's kernel, and is slow or fails when told to.
public final class ScriptedBakeDevice: BakeDevice {
  public enum Fault: Hashable, Sendable {
    /// The n-th call, from 1, and all after it.
    case begin(Int), finish(Int)
    /// As `begin`, but by who uses it: more frames are out than it was made for.
    case defect(Int)
  }

  public let name = "scripted device"
  public let isSoftware: Bool
  public let depth: Int
  private let kernel: BakeKernel?
  private let pool: FramePool
  private let fault: Fault?
  private let pause: Duration?
  private let state = Mutex(State())

  private struct State: ~Copyable {
    var baked = FixedRing<Frame>(capacity: 16)
    var begun = 0
    var finished = 0
  }

  /// - Parameters:
  ///   - kernel: what it bakes with.
  ///   - bakes: false lends frames as they are: as fast as can be.
  ///   - pause: how long each frame takes beside.
  public init(
    _ kernel: BakeKernel, frames: Int, depth: Int = 3, bakes: Bool = true, isSoftware: Bool = false,
    fault: Fault? = nil, pause: Duration? = nil
  ) {
    self.kernel = bakes ? kernel : nil
    pool = FramePool(format: kernel.output, capacity: frames + depth)
    self.depth = depth
    self.isSoftware = isSoftware
    self.fault = fault
    self.pause = pause
  }

  /// Frames that it has begun.
  public var begun: Int { state.withLock { $0.begun } }

  public func begin(_ frame: borrowing Frame) throws(CamrecError) {
    if let pause { WorkThread.sleep(pause) }
    let number = state.withLock { state in
      state.begun += 1
      return state.begun
    }
    if case .begin(let first) = fault, number >= first { throw lost }
    if case .defect(let first) = fault, number >= first {
      throw CamrecError(.defect, "too many frames, says the script")
    }
    guard var target = pool.take() else { throw CamrecError(.defect, "all frames of the device are out") }
    kernel?.bake(frame, into: &target)
    put(target)
  }

  public func finish() throws(CamrecError) -> Frame {
    let number = state.withLock { state in
      state.finished += 1
      return state.finished
    }
    if case .finish(let first) = fault, number >= first { throw lost }
    guard let baked = state.withLock({ $0.baked.popFirst() }) else { throw CamrecError(.defect, "nothing is underway") }
    return baked
  }

  private var lost: CamrecError { CamrecError(.device, "it lost a frame", cause: "unplugged by the script") }

  private func put(_ frame: consuming Frame) {
    var frame: Frame? = consume frame
    state.withLock { state in
      if let frame = frame.take() { state.baked.append(frame) }
    }
  }
}
