import Foundation
import Frames
import Platform
package import Recorder
import Reporting
import Synchronization
import Telemetry

/// Reads the machine's thermometers every few seconds, and reduces a recorder's effort before they reach their limits.
///
/// Runs on a thread of its own, off the path of the frames, because a sensor may be slow. Thread: any.
package final class HeatWatch: Sendable {
  private let isClosed = Atomic<Bool>(false)
  private let bell = MonotonicSemaphore()
  private let thread = Mutex<WorkThread?>(nil)

  package static let interval = 5.0

  /// - Parameters:
  ///   - limit: in degrees Celsius; `nil`: each thermometer's own.
  ///   - tell: called with each change, on the watch's thread.
  package init(
    _ effort: EffortControl, limit: Double?, folder: String = ThermalZone.folder,
    tell: @escaping @Sendable (EffortChange) -> Void
  ) {
    thread.withLock {
      $0 = WorkThread(name: "camrec-heat") { [self] in
        var memory = ThermalMemory()
        while !isClosed.load(ordering: .acquiring) {
          let nearest = ThermalZone.nearest(to: limit, among: memory.complete(ThermalZone.all(in: folder)))
          let change = effort.feel(distance: nearest?.distance, nearest.map(HeatWatch.words) ?? "", at: .now())
          if let change { tell(change) }
          bell.wait(within: HeatWatch.interval)
        }
      }
    }
  }

  package func close() {
    isClosed.store(true, ordering: .releasing)
    bell.signal()
    // A sensor may hang.
    _ = thread.withLock { $0 }?.join(within: 1)
  }

  private static func words(_ nearest: (zone: ThermalZone, distance: Double)) -> String {
    let (zone, distance) = nearest
    let place = "\(HumanText.fixed(abs(distance), 1)) \(distance < 0 ? "above" : "below") its limit"
    return "\(zone.type) is at \(HumanText.fixed(zone.celsius, 1)) °C, \(place)"
  }
}
