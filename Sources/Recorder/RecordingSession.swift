public import Audio
public import Bake
public import Cameras
public import Foundation
public import Frames
public import Movies
import Platform
public import RecorderAPI
public import Sidecar
import Synchronization

/// One recording: moves frames from a camera through the bake into a film, along with the sound.
///
///     camera's thread ──► bake thread (+ its workers) ──► write thread ──► MovieSink
///                                         sound thread ──►┘
///
/// Every hand-over is a bounded queue. The camera's thread never waits for the others (unless the policy is `.wait`):
/// a frame that finds no free place is lost and counted. Memory does not grow.
public final class RecordingSession: Sendable {
  /// The parts of a session.
  public struct Parts: Sendable {
    public typealias OpenSink = @Sendable (
      _ firstFrame: MonotonicTime
    ) throws(CamrecError) -> (sink: any MovieSink, path: String)
    public typealias OpenSidecar = @Sendable (
      _ firstFrame: MonotonicTime, _ film: String
    ) throws(CamrecError) -> SidecarWriter

    /// The recording, and its first film.
    public var identity = RecordingIdentity()
    public var camera: any Camera
    /// The running camera that the film is attached to; `nil`: the film opens and closes its own.
    public var source: CameraSession?
    public var microphone: (any Microphone)?
    /// Required if the camera's images are encoded.
    public var converter: (any ImageConverter)?
    public var baker: Baker
    /// Keeps live sound in step with the picture's clock; `nil` leaves the sound as it is.
    public var resampler: (any AudioResampler)?
    /// Keeps the camera exposed; `nil` leaves its exposure alone.
    public var exposure: ExposureService?
    /// The film's own trace of the exposure, if its camera outlives it.
    public var trace: ExposureTraceFile?
    /// Makes the sink when the first frame has arrived, so that nothing is created before something can be recorded.
    /// Called once, on the write thread.
    ///
    /// Returns it with the film's path, which differs from the sink's if the film gets its name later.
    public var openSink: OpenSink
    /// Told before `openSink` which number the film's first frame was baked with: not 0 if frames before it are lost.
    public var beginsWithFrame: (@Sendable (_ number: Int64) -> Void)?
    /// Opens the film's file and its encoder before the first frame, in place of `openSink` and `openSidecar`; `nil` if
    /// that is not possible. Called on the thread that begins the film, or on one of its own while another film is
    /// recorded.
    ///
    /// Throws the errors of opening films.
    public var prepareFile: (@Sendable () throws(CamrecError) -> any PreparedSegment)?
    /// Makes the film's sidecar, called after `openSink` on the same thread; `nil` writes none. A failure is a warning.
    public var openSidecar: OpenSidecar?
    /// The film's intended path. Another one is used if that name is taken before the film begins.
    public var path = ""
    /// The timecode of a frame, by its place in the recording; `nil` without timecode. Any thread.
    public var timecode: (@Sendable (_ origin: MonotonicTime, _ frame: Int64) -> Timecode?)?
    /// When a frame was captured, by its seconds in the recording; `nil` if unknown. Any thread.
    public var date: (@Sendable (_ origin: MonotonicTime, _ seconds: Double) -> Date?)?
    /// The film's chapters that are known when it begins, in order, by its times. For a film that is one file.
    public var chapters: [ClipChapter] = []
    /// Whether the film has a place for markers: chapters or a sidecar.
    public var keepsMarkers = true
    /// Divides the recording into files; `nil` makes one.
    public var segments: SegmentPlan?
    /// How the recording continues if its file is deleted meanwhile; `nil`: as in `segments`, or not at all.
    public var continuation: SegmentPlan?
    /// Saves a film whose file was deleted while it was being recorded; `nil` makes no copy.
    public var rescue: FilmRescue?
    /// Adapts to load and heat; `nil` keeps all settings.
    public var effort: EffortControl?
    /// The settings of the first file.
    public var effortTake = EffortControl.Take.asked
    /// Whether the encoder has a faster preset than the first file's, which would help against an overload.
    public var hasFasterPreset = false
    /// The film begins on command and includes the time before; `openSink` and `openSidecar` are not called. `nil`
    /// begins it with the first frame.
    public var standing: StandingPlan?
    /// Notified about the files.
    public var observers: [any SegmentObserver] = []

    public init(
      camera: any Camera, microphone: (any Microphone)?, converter: (any ImageConverter)?, baker: Baker,
      resampler: (any AudioResampler)?, exposure: ExposureService? = nil,
      openSink: @escaping OpenSink, openSidecar: OpenSidecar? = nil
    ) {
      self.camera = camera
      self.microphone = microphone
      self.converter = converter
      self.baker = baker
      self.resampler = resampler
      self.exposure = exposure
      self.openSink = openSink
      self.openSidecar = openSidecar
    }
  }

  let parts: Parts
  /// The camera's thread and exposure.
  package let source: CameraSession
  let options: SessionOptions
  /// The camera's. Without one there is no film: the session fails before its first frame.
  let frameRate: FrameRate
  let timeBase: Rational
  let ledger: FrameLedger
  let standing: StandingState
  let state: SessionState
  /// Notes for the sidecar.
  let notes: SessionNotes
  let clock = PictureClock()
  /// The file that waits for the first frame.
  private let preparedFile = Mutex<(any PreparedSegment)?>(nil)
  let bakeQueue: BoundedQueue<CapturedJob>
  let writeQueue: WriteQueue
  /// Empty sound buffers on their way back from the write thread.
  let freeSound: BoundedQueue<AudioBuffer>

  /// Sound that may wait for the writer: blocks of `soundBlock` audio frames, about 8 s at 48 kHz.
  static let soundBlocks = 192
  static let soundBlock = 2048

  /// - Parameter timeBase: seconds per tick of the film's frame times. A camera with its own time base (a clip) keeps
  ///   its times: pass that time base.
  public init(parts: Parts, options: SessionOptions, timeBase: Rational) {
    self.parts = parts
    let refusal: CamrecError?
    do throws(CamrecError) {
      (frameRate, refusal) = (try parts.camera.filmRate, nil)
    } catch {
      (frameRate, refusal) = (RecordingSession.anyRate, error)
    }
    source =
      parts.source
      ?? CameraSession(
        parts.camera, exposure: parts.exposure, converter: parts.converter, isPulled: options.overload == .wait,
        endsWithFilm: true)
    self.options = options
    self.timeBase = timeBase
    ledger = FrameLedger(isStanding: parts.standing != nil)
    standing = StandingState(stands: parts.standing != nil)
    notes = SessionNotes()
    state = SessionState(limit: options.limit, notes: notes)
    bakeQueue = BoundedQueue(capacity: options.capturedQueue)
    let isPulled = parts.microphone?.isPulled ?? false
    writeQueue = WriteQueue(
      frameCapacity: options.bakedQueue, soundCapacity: RecordingSession.soundBlocks, isOrdered: isPulled,
      hasSound: parts.microphone != nil)
    freeSound = BoundedQueue(capacity: RecordingSession.soundBlocks)
    if let refusal { state.fail(refusal) }
  }

  private static let anyRate: FrameRate = {
    guard let rate = FrameRate(Rational(1)) else { preconditionFailure("1 is a frame rate") }
    return rate
  }()

  /// Opens the film's file and its encoder now, so that the film can begin with any frame. Before `begin`.
  ///
  /// - Throws: the errors of opening films; there is no file then.
  func prepareFile() throws(CamrecError) {
    guard let prepare = parts.prepareFile else { return }
    begins(in: try prepare())
  }

  /// The film's file is open, and waits for the first frame. Before `begin`.
  func begins(in file: any PreparedSegment) { preparedFile.withLock { $0 = file } }

  /// The file that waits for the first frame; once.
  func takePreparedFile() -> (any PreparedSegment)? {
    preparedFile.withLock { file in
      defer { file = nil }
      return file
    }
  }

  /// Ends the recording at the next frame. Any thread; may be called any number of times.
  public func requestStop() { state.requestStop() }

  /// Notes in the sidecar that a setting was changed while recording: `iso`, `800`. Any thread.
  ///
  /// - Parameter seconds: time in the recording; `nil` is now.
  public func noteSetting(_ name: String, _ value: String, at seconds: Double? = nil) {
    notes.add(.setting(name, value: value, seconds: seconds ?? state.lastSeconds))
  }

  /// Sets a marker at the frame that was captured last, in the sidecar and the chapters of the film in which that frame
  /// ends up. Any thread.
  ///
  /// - Parameter text: the marker's name; `nil` uses its number in the recording: `marker 3`.
  /// - Returns: the marker, with its place in the recording, in seconds; `nil` if the film is being finished, and takes
  ///   no more.
  @discardableResult public func mark(_ text: String?) -> RecorderState.Marker? {
    state.marks { (number, seconds) in
      RecorderState.Marker(
        text: text ?? "marker \(number)", seconds: seconds,
        timecode: timecode(atFilmSeconds: filmSeconds(at: seconds)))
    }
  }

  /// The latest marker of the current file, with its place there. `nil` if it lies in another file, or if the recording
  /// is divided and the marker's frame is not written yet. Any thread.
  package var marker: RecorderState.Marker? { state.marker(isDivided: parts.segments != nil) }

  /// A marker that `mark` has set, with its place in the file that has its frame, which may be finished. Any thread.
  ///
  /// - Parameter isCertain: `nil` if the recording is divided and that frame is not written yet; otherwise the place is
  ///   then in the current file, if no other begins.
  package func place(of marker: RecorderState.Marker, isCertain: Bool = true) -> PlacedMarker? {
    state.place(of: marker, isDivided: isCertain && parts.segments != nil)
  }

  /// The timecode of the frame at a time of the film; `nil` without timecode. Any thread.
  ///
  /// The first question settles where the timecode begins, so nobody asks before the film has begun.
  func timecode(atFilmSeconds seconds: Double) -> String? {
    guard clock.reading != nil, !isStanding else { return nil }
    return parts.timecode?(start.time, Self.frame(at: seconds, frameRate))?.description
  }

  /// The number of the frame that is shown at a time of a film, in seconds. A frame's own time may lie a little before
  /// it, because it was computed.
  package static func frame(at seconds: Double, _ rate: FrameRate) -> Int64 {
    Int64(saturating: (seconds * rate.framesPerSecond + 1e-6).rounded(.down))
  }

  /// The file being written, or written last, and its number, from 1, if there are several.
  public var currentFile: (path: String, segment: Int?) {
    guard let file = state.file else { return (parts.path, segment(1)) }
    return (file.path, segment(file.number))
  }

  /// The recording, and the file being written, or written last; before that, the one that it will begin with.
  package var identity: RecordingIdentity { state.file?.identity ?? parts.identity }

  /// A file's number, if there are several.
  func segment(_ number: Int) -> Int? { parts.segments == nil && number == 1 ? nil : number }

  /// The number of one of its files, if there are several.
  func segment(of film: RecordingIdentity) -> Int? { state.number(of: film).flatMap(segment) }

  /// The file begun last.
  var lastPath: String? { state.file.flatMap { $0.path.isEmpty ? nil : $0.path } }

  /// Whether the film's file exists, finished or not. Any thread.
  public var hasBegunMovie: Bool { state.hasBegunMovie }

  /// Whether the film has a frame; its file may still be being opened. Any thread.
  var hasFirstFrame: Bool { !isStanding && state.firstArrival != nil }

  /// Whether it has ended, and no file was opened for it. Any thread.
  var endsWithoutFilm: Bool { state.endsWithoutFilm }

  /// How the disk keeps up with the recording. Any thread; does not wait.
  public var disk: DiskStatus { state.disk }

  /// Records until the limit, a stop or a failure. Blocks; call once.
  ///
  /// A failure does not throw: the film is closed as well as possible, and the summary has the failure.
  public func run(observer: any SessionObserver) -> SessionSummary {
    let running = begin(observer: observer)
    while !running.hasEnded(within: 100) { running.report(to: observer) }
    return running.end(observer: observer)
  }

  /// Starts the threads; call once.
  ///
  /// - Parameters:
  ///   - predecessor: the session on the same camera behind whose last frame this one begins; `nil`: the next frame.
  ///   - atEnd: called when the film is finished, on any thread.
  func begin(
    observer: any SessionObserver, behind predecessor: RunningSession? = nil,
    atEnd: @escaping @Sendable () -> Void = {}
  ) -> RunningSession {
    for warning in parts.camera.warnings {
      observer.warned(warning)
      notes.add(.warning(warning, seconds: 0))
    }
    return RunningSession(self, behind: predecessor, atEnd: atEnd)
  }

  /// Why the film ended early. After a failure of the disk, the losses and the state of the film are known only when it
  /// is finished.
  var failure: CamrecError? {
    guard let failure = state.failure, let left = state.left else { return state.failure }
    let full = left.fault.error(lost: left.lost ?? lostInLastFile)
    guard failure.code != .output else { return full }
    // The camera went first, and then the disk did not store all that had come.
    guard let loss = state.cameraError else { return failure }
    return CamrecError(
      loss.code, about: loss.field, loss.sentence + ", and " + full.sentence, cause: full.cause,
      reason: loss.reason)
  }

  /// Why the last file ended early, for its sidecar: for its own failure, if it has one.
  func ending(ofLast segment: OpenSegment) -> String? {
    guard let failure = state.failure else { return nil }
    let fault = failure.code == .output ? segment.sink.fault ?? state.left?.fault : nil
    if let fault { return fault.ending }
    guard let loss = state.cameraError, let full = segment.sink.fault else { return failure.description }
    return "\(loss.message), and \(full.ending)"
  }

  /// Frames that the last file has lost because the output takes nothing more.
  private var lostInLastFile: Int {
    state.refusal.map { max(0, ledger.counts.lost(.disk) - $0.lostBefore - state.lostInParted) } ?? 0
  }

  /// The length of the files that were kept; of a film that was not, where it was to end.
  private var filmTicks: Int64 {
    // Frames forgotten in standby are not part of the film.
    state.movie == nil ? max(0, state.endTicks - (standing.start?.ticks ?? 0)) : state.segments.ticks
  }

  func summary() -> SessionSummary {
    SessionSummary(
      counts: ledger.counts, movie: state.movie, segments: state.segments.count, sound: state.sound,
      identity: state.lastFilm, soundFailure: state.soundFailure, failure: failure, rescued: state.rescued.copied,
      held: state.rescued.held,
      stalled: state.stalled,
      ratePartsPerMillion: state.ratePartsPerMillion, isVariableRate: state.isVariableRate,
      framesBetween: state.framesBetween,
      seconds: Double(filmTicks) * timeBase.doubleValue,
      repeated: state.repeats, failedFilm: state.failure?.code == .output ? state.left?.fault.path : nil)
  }
}

/// A captured frame and its place on the time line, on its way to the bake.
struct CapturedJob: ~Copyable, Sendable {
  var frame: CapturedFrame
  var place: Timeline.Place
  /// The capture's entries for the frames before it.
  var before: FrameLedger.Counts

  /// Accompanies the frame to the writer.
  var ticket: FrameTicket {
    FrameTicket(
      frame: SidecarFrame(
        index: place.index, ticks: place.ticks, sequence: frame.sequence, exposure: frame.exposure,
        controls: frame.controls), captureTime: frame.captureTime, before: before)
  }

  consuming func takeImage() -> CapturedImage { frame.takeImage() }
}

/// Accompanies a frame through the bake to the writer.
struct FrameTicket: Sendable {
  /// The frame's place in the recording, and how it was taken.
  var frame: SidecarFrame
  /// When its exposure began.
  var captureTime: MonotonicTime
  /// The account of all frames before it, in the stages before the writer.
  var before: FrameLedger.Counts
}
