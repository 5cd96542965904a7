import Frames
import Platform
import Synchronization

/// The unplugged simulated devices, and when they come back: until then, opening one with the same fault script fails.
///
/// Thread: any.
struct SimulatedAbsence: ~Copyable, Sendable {
  static let camera = SimulatedAbsence()
  static let microphone = SimulatedAbsence()

  private let returns = Mutex<[FaultScript: MonotonicTime]>([:])

  /// - Parameter seconds: `nil`: forever.
  func begins(_ script: FaultScript, seconds: Double?) {
    let end = seconds.map { MonotonicTime.now().advanced(by: Int64($0 * 1e9)) } ?? MonotonicTime(nanoseconds: .max)
    returns.withLock { $0[script] = end }
  }

  /// - Throws: code `device` while it is away.
  func check(_ script: FaultScript, _ name: String) throws(CamrecError) {
    let end = returns.withLock { $0[script] }
    guard let end, MonotonicTime.now() < end else { return }
    throw CamrecError(.device, "\(name) is unplugged", reason: .unplugged)
  }
}
