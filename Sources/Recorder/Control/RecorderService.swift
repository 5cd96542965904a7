import Cameras
import Exposure
public import Frames
import Foundation
import Movies
import Synchronization

/// Makes films one after another, as it is told: by keys, over a socket, by signals.
///
/// One thread calls `run` and is the recorder's; films are opened, begun, continued and concluded there. Settings go to
/// the camera on the thread of who asks.
///
/// Thread: any, apart from `run`.
public final class RecorderService: RecorderControl, Sendable {
  let standsBy: Bool
  let awaitsCamera: Bool
  /// Stands by with its camera running, and begins films with what was before.
  let keepsPreRoll: Bool
  let memory: PatientMemory?
  let shared: Mutex<Shared>
  let bell = MonotonicSemaphore()
  let beats = Atomic<Int>(0)
  /// Puts marks beside films.
  let marks = PatientWorker(name: "camrec-marks")
  /// A mark beside a film that does not answer; `nil` where every one does. Any thread.
  public var stalledPath: String? { marks.stalledPath }
  /// Commands wait for each other.
  let turn = NSLock()

  /// - Parameters:
  ///   - exposure: `nil` leaves the camera alone.
  ///   - standsBy: records only when it is told to, and goes on when a film has ended.
  ///   - awaitsCamera: where a camera goes away, looks for it and goes on in a new film when it is back.
  ///   - keepsPreRoll: stands by with its camera running, and has films made that begin before they are told to.
  public convenience init(
    exposure: ExposureOptions?, standsBy: Bool = false, awaitsCamera: Bool = false, keepsPreRoll: Bool = false
  ) {
    self.init(
      RecorderSettings(exposure: exposure), standsBy: standsBy, awaitsCamera: awaitsCamera, keepsPreRoll: keepsPreRoll)
  }

  /// - Parameters:
  ///   - settings: what it was started with, and what was changed when it ran last.
  ///   - memory: is told of every change, for the next start.
  public init(
    _ settings: RecorderSettings, standsBy: Bool = false, awaitsCamera: Bool = false, keepsPreRoll: Bool = false,
    memory: (any RecorderMemory)? = nil
  ) {
    self.standsBy = standsBy
    self.keepsPreRoll = standsBy && keepsPreRoll
    self.awaitsCamera = awaitsCamera
    self.memory = memory.map(PatientMemory.init)
    var order = FilmOrder(exposure: settings.exposure)
    order.source = settings.source
    var shared = Shared(order: order)
    (shared.controls, shared.resumed) = (settings.controls, settings.controls)
    self.shared = Mutex(shared)
  }

  /// Ends the film and the recorder; does not wait.
  public func requestStop() {
    let session = shared.withLock {
      $0.isQuitting = true
      return $0.current?.session
    }
    session?.requestStop()
    bell.signal()
  }

  /// What stays of the film's file where nobody waits for its end, in a sentence; `nil` while there is none.
  public var leftover: String? {
    shared.withLock {
      $0.current.flatMap { $0.session.hasBegunMovie ? $0.leftover($0.session.currentFile.path) : nil }
    }
  }

  /// Puts the camera's controls back for who gives up waiting for the end.
  public func putBackControls() { shared.withLock { $0.current }?.session.putBackControls() }

  /// Makes films until the recorder is to end. Blocks; call once.
  ///
  /// - Parameter observer: is told how the films go, by this thread.
  /// - Throws: what makes the first film impossible.
  public func run(_ factory: any FilmFactory, observer: any SessionObserver) throws(CamrecError) {
    let run = RecorderRun(self, factory, observer)
    defer {
      let left = shared.withLock { shared in
        shared.hasEnded = true
        defer { shared.errands = [] }
        return shared.errands
      }
      for errand in left { errand.finish(RecorderService.ended) }
    }
    try run.run()
  }

  static let ended = CamrecError(.usage, "the recorder has ended")

  // MARK: What others tell who look after the disk

  /// The room on the disk, for who asks how the recorder goes.
  ///
  /// - Parameters:
  ///   - freeBytes: `nil` where the system does not say.
  ///   - isMeasured: whether the rate behind `secondsLeft` was; else it is what is expected at most.
  ///   - deletedFilms: so far; `nil` where none ever are.
  public func tell(freeBytes: Int64?, secondsLeft: Double?, isMeasured: Bool? = nil, deletedFilms: Int?) {
    shared.withLock {
      $0.room = (freeBytes, secondsLeft, secondsLeft == nil ? nil : isMeasured)
      $0.deletedFilms = deletedFilms
    }
  }

  /// Somebody was warned, whatever of and on whichever way.
  public func countWarning() { shared.withLock { $0.totals.warnings += 1 } }

  /// Has it said with the film that is recorded, or by itself where there is none.
  public func remark(_ remark: SessionRemark) {
    let session = shared.withLock { $0.current?.session }
    if session?.state.remark(remark) == true { return }
    shared.withLock { if $0.remarks.count < RecorderService.mostRemarks { $0.remarks.append(remark) } }
  }

  private static let mostRemarks = 64

  /// What nobody has said yet; behind the end of `run`, for who called that to say.
  public func takeRemarks() -> [SessionRemark] {
    shared.withLock { shared in
      defer { shared.remarks = [] }
      return shared.remarks
    }
  }

  /// Frames are being taken, or may be at any moment without that anybody asks for it.
  public var isRecording: Bool {
    shared.withLock { shared in
      if [.starting, .waiting].contains(shared.phase) { return true }
      guard let current = shared.current, !current.isStanding else { return false }
      return !current.session.hasEndedCapture
        || awaitsCamera && !shared.isQuitting && current.session.state.hasLostCamera
    }
  }

  /// How often somebody has said `quit`, and when last; also behind the end.
  public var quits: (count: Int, latest: MonotonicTime?) { shared.withLock { $0.quits } }

  /// Ends the film, as its failure; it is finished as well as can be. Does not wait.
  public func endFilm(because failure: CamrecError) { shared.withLock { $0.current?.session }?.state.fail(failure) }

  /// What finishing the films that are open takes on their disk, as things are now.
  public var closingBytes: Int64 {
    let sessions = shared.withLock { $0.finishing + [$0.current?.session].compactMap(\.self) }
    return sessions.reduce(0) { $0 + $1.closingBytes }
  }
}
