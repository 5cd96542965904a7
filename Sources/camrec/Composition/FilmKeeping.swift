import ControlSocket
import Dispatch
import Foundation
import Frames
import KernelClock
import Movies
import Recorder
import Recovery
import Retention
import Sidecar
import Telemetry

/// Connects a `RetentionService` with a recorder, its files and this system's clocks.
///
/// Thread: any.
final class FilmKeeping: SegmentObserver, Sendable {
  let service: RetentionService
  /// Rings when there is something to be entered.
  let bell = DispatchSemaphore(value: 0)

  private static let boot = StateWriter.own().boot

  /// machine-id(5); empty where there is none.
  static var machine: String {
    let bytes = (try? InputFile.read(path: "/etc/machine-id", limit: 4096)) ?? []
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// - Parameter say: any thread.
  init(_ plan: RetentionService.Plan, say: @escaping @Sendable (SessionRemark) -> Void) {
    let place = ControlPlace()
    place.makeFolder()
    service = RetentionService(
      plan,
      ports: RetentionPorts(
        space: FreeSpace.disk(beside:), moment: FilmKeeping.moment,
        pause: { WorkThread.sleep(.milliseconds(Int(saturating: $0 * 1000))) }, inspect: FilmKeeping.inspect,
        start: { (try? SidecarReader(path: SidecarFile.path(ofFilm: $0)))?.head.start.formatted(.iso8601) },
        say: { say(RetentionSentences.remark($0, plan)) },
        marks: { folder in
          guard let place = place.folder, let disk = DiskIdentity.of(folder: folder) else { return nil }
          return DiskMarks(folder: place, disk: disk)
        }))
  }

  func began(_ path: String) {
    service.began(path)
    bell.signal()
  }

  func finished(_ segment: FinishedSegment) {
    service.finished(
      .init(
        path: segment.path, seconds: segment.duration, frames: segment.frames, lost: Int64(segment.counts.totalLost)))
    bell.signal()
  }

  func abandoned(_ path: String) {}

  private static func inspect(_ path: String) -> FilmInspection {
    guard let film = try? FilmRecovery(isDry: true).recover(path) else { return FilmInspection(state: .other) }
    let state: FilmInspection.State =
      switch film.verdict {
      case .recoverable: .fragmented
      case .finished, .matroska: FilmRecovery.isOurs(path) ? .whole : .other
      default: .other
      }
    return FilmInspection(state: state, seconds: film.seconds, frames: film.frames)
  }

  static func moment() -> Moment {
    Moment(
      boot: boot, uptime: StateRecord.uptime(), time: Date().timeIntervalSince1970,
      isSynchronized: KernelClock.state?.isSynchronized ?? false)
  }
}
