import Cameras
import Exposure
public import Frames
import Foundation
import Movies
import Platform
import RecorderAPI
import Synchronization

/// Makes films one after another on command: by keys, over a socket, by signals.
///
/// The thread that calls `run` is the recorder's: it opens, begins, continues and concludes films. Settings go to the
/// camera on the caller's thread.
///
/// Thread: any, apart from `run`.
public final class RecorderService: RecorderControl, Sendable {
  let standsBy: Bool
  let awaitsCamera: Bool
  /// Stands by with its camera running, so that films include the time before their start.
  let keepsPreRoll: Bool
  /// Makes no films, so nothing is checked for them.
  let looksOnly: Bool
  /// Seconds that the camera runs on in standby after a film, or after the last one who looked.
  let rest: Double
  let memory: PatientMemory?
  let shared: Mutex<Shared>
  let bell = MonotonicSemaphore()
  let beats = Atomic<Int>(0)
  let balance = WhiteBalanceCache()
  public let changes = ChangeBell()
  /// Writes marks beside films.
  let marks = PatientWorker(name: "camrec-marks")
  /// A mark beside a film whose disk does not answer; `nil` if there is none. Any thread.
  public var stalledPath: String? { marks.stalledPath }
  /// Commands wait for each other.
  let turn = NSLock()

  /// - Parameters:
  ///   - exposure: `nil` leaves the camera's exposure alone.
  ///   - standsBy: records only on command, and keeps running when a film has ended.
  ///   - awaitsCamera: if the camera goes away, waits for it and continues in a new film.
  ///   - keepsPreRoll: stands by with its camera running, so that films include the time before their start.
  public convenience init(
    exposure: ExposureOptions?, standsBy: Bool = false, awaitsCamera: Bool = false, keepsPreRoll: Bool = false
  ) {
    self.init(
      RecorderSettings(exposure: exposure), standsBy: standsBy, awaitsCamera: awaitsCamera, keepsPreRoll: keepsPreRoll)
  }

  /// - Parameters:
  ///   - settings: the options of the start, with the changes made when it last ran.
  ///   - memory: keeps every change for the next start.
  ///   - rest: seconds that the camera runs on in standby after a film, or after the last one who looked.
  ///   - looksOnly: makes no films, so `run` does not check first that it can: whoever looks is told what is wrong.
  public init(
    _ settings: RecorderSettings, standsBy: Bool = false, awaitsCamera: Bool = false, keepsPreRoll: Bool = false,
    memory: (any RecorderMemory)? = nil, rest: Double = 10, looksOnly: Bool = false
  ) {
    self.standsBy = standsBy
    self.rest = rest
    self.keepsPreRoll = standsBy && keepsPreRoll
    self.awaitsCamera = awaitsCamera
    self.looksOnly = looksOnly
    self.memory = memory.map(PatientMemory.init)
    var order = FilmOrder(exposure: settings.exposure)
    order.source = settings.source
    var shared = Shared(order: order)
    (shared.kept, shared.resumed) = (settings, settings.controls)
    self.shared = Mutex(shared)
  }

  /// Ends the film and the recorder; does not wait.
  ///
  /// - Parameters:
  ///   - origin: who asks for it, for the film's sidecar: `signal SIGTERM`; `nil` if that is not to be noted.
  ///   - filmEnds: called before that ends a film; does not wait.
  public func requestStop(by origin: String? = nil, filmEnds: () -> Void = {}) {
    let (session, isStanding) = shared.withLock { shared in
      shared.isQuitting = true
      shared.isAskedToEnd()
      shared.endOrigin = shared.endOrigin ?? origin
      return (shared.current?.session, shared.current?.isStanding ?? true)
    }
    // A film that is ending already is not ended by this.
    if let session, !isStanding, !session.state.isStopping, !session.hasEndedCapture,
      session.state.noteStop(by: origin), session.hasFirstFrame
    {
      filmEnds()
    }
    session?.requestStop()
    bell.signal()
  }

  /// The film that `leftover` describes.
  public var unfinishedFilm: String? {
    shared.withLock { $0.current.flatMap { $0.session.hasBegunMovie ? $0.session.currentFile.path : nil } }
  }

  /// Describes what is left of the film's file if camrec does not wait for its end; `nil` while there is no file.
  public var leftover: String? {
    shared.withLock {
      $0.current.flatMap { $0.session.hasBegunMovie ? $0.leftover($0.session.currentFile.path) : nil }
    }
  }

  /// Restores the camera's controls, for a caller that ends camrec at once.
  public func putBackControls() { openCamera?.controls?.restore() }

  /// Makes films until the recorder is told to end. Blocks; call once.
  ///
  /// - Parameter observer: follows the films; called on this thread.
  /// - Throws: the error that makes the first film impossible.
  public func run(_ factory: any FilmFactory, observer: any SessionObserver) throws(CamrecError) {
    let run = RecorderRun(self, factory, observer)
    defer {
      let left = shared.withLock { shared in
        shared.hasEnded = true
        // Also where a signal has ended it while it stood by, waited, or began a film behind another. One that never
        // began tells nobody.
        if shared.phase != .starting || shared.order.number > 0 { shared.phase = .ended }
        defer { shared.errands = [] }
        return shared.errands
      }
      for errand in left { errand.finish(RecorderService.ended) }
      changes.ring()
    }
    try run.run()
  }

  static let ended = CamrecError(.usage, "the recorder has ended", reason: .ended)

  // MARK: Reports from those who look after the disk

  /// Sets the room on the disk, for the recorder's state.
  ///
  /// - Parameters:
  ///   - freeBytes: `nil` if the system does not say.
  ///   - isMeasured: whether `secondsLeft` uses the measured rate; otherwise it uses the expected rate.
  ///   - deletedFilms: how many so far; `nil` if films are never deleted.
  public func tell(freeBytes: Int64?, secondsLeft: Double?, isMeasured: Bool? = nil, deletedFilms: Int?) {
    shared.withLock {
      $0.room = (freeBytes, secondsLeft, secondsLeft == nil ? nil : isMeasured)
      $0.deletedFilms = deletedFilms
    }
  }

  /// Counts a warning of any kind.
  public func countWarning() { shared.withLock { $0.totals.warnings += 1 } }

  /// Reports a remark with the current film, or by itself if there is none.
  public func remark(_ remark: SessionRemark) {
    let session = shared.withLock { $0.current?.session }
    if session?.state.remark(remark) == true { return }
    var remark = remark
    // It comes between two films.
    remark.namesFilm = true
    shared.withLock { if $0.remarks.count < RecorderService.mostRemarks { $0.remarks.append(remark) } }
  }

  private static let mostRemarks = 64

  /// Remarks not reported yet; after `run` has ended, its caller reports them.
  public func takeRemarks() -> [SessionRemark] {
    shared.withLock { shared in
      defer { shared.remarks = [] }
      return shared.remarks
    }
  }

  /// Frames are being captured, or may be at any moment without a command.
  public var isRecording: Bool {
    shared.withLock { shared in
      if [.starting, .waiting].contains(shared.phase) { return true }
      guard let current = shared.current, !current.isStanding else { return false }
      return !current.session.hasEndedCapture
        || awaitsCamera && !shared.isQuitting && current.session.state.cameraLoss != nil
    }
  }

  /// How many `quit` commands there were, and when the last one came; also after the end.
  public var quits: (count: Int, latest: MonotonicTime?) { shared.withLock { $0.quits } }

  /// When somebody first asked for the recorder's end; `nil` if nobody has. Also after the end.
  public var endAsked: MonotonicTime? { shared.withLock { $0.endAsked } }

  /// Ends the film with a failure; it is finished as well as possible. Does not wait.
  public func endFilm(because failure: CamrecError) { shared.withLock { $0.current?.session }?.state.fail(failure) }

  /// Bytes that finishing the open films would take on their disk now.
  public var closingBytes: Int64 {
    let sessions = shared.withLock { $0.finishing + [$0.current?.session].compactMap(\.self) }
    return sessions.reduce(0) { $0 + $1.closingBytes }
  }
}
