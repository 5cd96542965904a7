import ControlSocket
import Foundation
package import Frames
import Movies
package import Platform
package import Recorder
package import RecorderAPI
import RecorderRemote
import Recovery
import Reporting
package import Retention
import Sidecar
import Synchronization
import Telemetry

/// Connects a `RetentionService` with a recorder, its files and this system's clocks.
///
/// Thread: any.
package final class FilmKeeping: SegmentObserver, Sendable {
  private let service: RetentionService
  /// Does all work on the folder, except for the hook.
  private let worker = PatientWorker(name: "camrec-films")
  private let say: @Sendable (SessionRemark) -> Void
  /// Whether it was reported that the folder does not answer.
  private let isTold = Mutex(false)
  /// Signalled when there is something to enter in the catalogue.
  package let bell = MonotonicSemaphore()

  private static let boot = StateWriter.own().boot
  /// Seconds that reading the headers of a long film's fragments, and its sidecar, may take.
  private static let longestInspection = 60.0
  /// Of these, seconds for reading a .mkv without an account. One that takes longer is told by its sidecar.
  private static let longestLook = 30.0

  /// machine-id(5); empty if there is none.
  package static var machine: String {
    let bytes = (try? InputFile.read(path: "/etc/machine-id", limit: 4096)) ?? []
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// - Parameter say: called with each remark, on any thread. None is about the film being recorded.
  package init(_ plan: RetentionService.Plan, say tell: @escaping @Sendable (SessionRemark) -> Void) {
    let place = ControlPlace(), call = worker.call
    place.makeFolder()
    let say: @Sendable (SessionRemark) -> Void = { remark in
      var remark = remark
      remark.namesFilm = true
      tell(remark)
    }
    self.say = say
    service = RetentionService(
      plan,
      ports: RetentionPorts(
        space: { film in call.during(PathText(film).folderOrDot) { FreeSpace.disk(beside: film) } },
        moment: FilmKeeping.moment,
        pause: { WorkThread.sleep(.milliseconds(Int(saturating: $0 * 1000))) },
        inspect: { film, isCounted in
          call.during(film, allowance: FilmKeeping.longestInspection) { FilmKeeping.inspect(film, isCounted) }
        },
        start: { film in
          let sidecar = SidecarFile.path(ofFilm: film)
          return call.during(sidecar) { (try? SidecarReader(path: sidecar))?.head.start.formatted(.iso8601) }
        },
        say: { say(RetentionSentences.remark($0, plan)) },
        system: WatchedFolder(SystemFolder(), call),
        marks: { folder in
          guard let place = place.folder, let disk = DiskIdentity.of(folder: folder) else { return nil }
          return DiskMarks(folder: place, disk: disk)
        }))
  }

  /// Whether recorders with limits or hooks manage a folder's films. There a recorder without them has to show that it
  /// runs, so that the films of its pattern are not taken for abandoned. `false` for a folder that does not answer.
  package static func looksAfter(_ folder: String) -> Bool {
    let catalogue = PathText(folder).appending(FilmFolder.catalogueName)
    return PatientWorker(name: "camrec-films").run(about: catalogue) { unsafe access(catalogue, F_OK) == 0 } ?? false
  }

  package var plan: RetentionService.Plan { service.plan }
  package var deletedFilms: Int { service.deletedFilms }
  /// As `RetentionService.keptFilms`; none while their folder does not answer.
  package var keptFilms: (count: Int, bytes: Int64) { stalledPath == nil ? service.keptFilms : (count: 0, bytes: 0) }
  /// As `RetentionService.expect`.
  package func expect(bytesPerSecond: Double?) { service.expect(bytesPerSecond: bytesPerSecond) }
  /// Bytes of films that may be deleted when the disk gets full; 0 while their folder does not answer.
  package var reclaimableBytes: Int64 { stalledPath == nil ? service.reclaimableBytes : 0 }
  /// The path in the folder that does not answer; `nil` if everything does.
  package var stalledPath: String? { worker.stalledPath ?? worker.call.stalled(for: PatientWorker.patience) }

  /// Runs `work` on the folder's films, and waits as long as it makes progress.
  ///
  /// - Parameters:
  ///   - path: of a film.
  ///   - seconds: the longest wait. With it, nothing starts while other work is still running.
  /// - Returns: `nil` if the folder does not answer, which is reported, or takes too long.
  package func perform<R: Sendable>(
    beside path: String, within seconds: Double? = nil, _ work: @escaping @Sendable (RetentionService) -> R
  ) -> R? {
    if seconds != nil, !worker.isIdle {
      tell()
      return nil
    }
    let result = worker.run(about: PathText(path).folderOrDot, within: seconds) { [service] in work(service) }
    tell()
    return result
  }

  /// Reports once that the folder does not answer, and once that it does again.
  private func tell() {
    let stalled = stalledPath
    let isNews = isTold.withLock { isTold in
      defer { isTold = stalled != nil }
      return isTold != (stalled != nil)
    }
    guard isNews else { return }
    say(stalled.map(RetentionSentences.doesNotAnswer) ?? RetentionSentences.answersAgain)
  }

  /// Runs `body` on the hook's folder, on the thread that runs the hook.
  package func withFolder<R>(_ body: (FilmFolder) throws(CamrecError) -> R) throws(CamrecError) -> R? {
    try service.withFolder(body)
  }

  package func began(_ path: String, _ identity: RecordingIdentity) {
    service.began(path, id: identity.filmID)
    bell.signal()
  }

  package func renamed(from old: String, to path: String) {
    service.renamed(from: old, to: path)
    bell.signal()
  }

  package func finished(_ segment: FinishedSegment) {
    service.finished(
      .init(
        path: segment.path, seconds: segment.duration, frames: segment.frames, lost: Int64(segment.counts.totalLost),
        start: segment.date?.formatted(.iso8601), id: segment.identity.filmID))
    bell.signal()
  }

  package func abandoned(_ path: String) {
    service.abandoned(path)
    bell.signal()
  }

  private static func inspect(_ path: String, _ isCounted: Bool) -> FilmInspection {
    switch try? FilmRecovery(isDry: true).recover(path).verdict {
    case .recoverable: return FilmInspection(state: .fragmented)
    case .finished, .matroska:
      guard FilmRecovery.isOurs(path) else { return FilmInspection(state: .other) }
      guard isCounted, var summary = try? SidecarSummary(path: SidecarFile.path(ofFilm: path)) else {
        return FilmInspection(state: .whole)
      }
      summary.lookIntoFilm(within: longestLook)
      return FilmInspection(
        state: .whole, seconds: summary.seconds, frames: summary.filmFrames, lost: summary.absent)
    default: return FilmInspection(state: .other)
    }
  }

  package static func moment() -> Moment {
    Moment(
      boot: boot, uptime: StateRecord.uptime(), time: Date().timeIntervalSince1970,
      isSynchronized: KernelClock.state?.isSynchronized ?? false)
  }
}
