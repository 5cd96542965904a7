public import Audio
public import Bake
public import Cameras
import Dispatch
public import Frames
public import Movies
public import Sidecar

/// One recording: moves frames from a camera through the bake into a movie, and sound beside them.
///
///     capture thread ──► bake thread (+ its workers) ──► write thread ──► MovieSink
///                                         sound thread ──►┘
///
/// Every hand-over is a bounded queue. The capture thread never waits for the others (unless the policy is `.wait`):
/// a frame for which no place is free is lost and accounted. Memory does not grow.
public final class RecordingSession: Sendable {
  /// What a session is put together from.
  public struct Parts: Sendable {
    public var camera: any Camera
    public var microphone: (any Microphone)?
    /// Needed where the camera's images are encoded.
    public var converter: (any ImageConverter)?
    public var baker: Baker
    /// Holds live sound to the picture's clock; `nil` keeps sound as it is.
    public var resampler: (any AudioResampler)?
    /// Keeps the camera exposed; `nil` leaves it as it is.
    public var exposure: ExposureService?
    /// Makes the sink when the first frame is there, so that nothing is created before something can be recorded.
    /// Called once, on the write thread.
    public var openSink: @Sendable (_ firstFrame: MonotonicTime) throws(CamrecError) -> any MovieSink
    /// Makes the film's sidecar, called behind `openSink` on the same thread; `nil` writes none. A failure is a
    /// warning.
    public var openSidecar: (@Sendable (_ firstFrame: MonotonicTime) throws(CamrecError) -> SidecarWriter)?

    public init(
      camera: any Camera, microphone: (any Microphone)?, converter: (any ImageConverter)?, baker: Baker,
      resampler: (any AudioResampler)?, exposure: ExposureService? = nil,
      openSink: @escaping @Sendable (_ firstFrame: MonotonicTime) throws(CamrecError) -> any MovieSink,
      openSidecar: (@Sendable (_ firstFrame: MonotonicTime) throws(CamrecError) -> SidecarWriter)? = nil
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
  let options: SessionOptions
  let timeBase: Rational
  let ledger = FrameLedger()
  let state: SessionState
  /// What the sidecar is told; `nil` without one.
  let notes: SessionNotes?
  let clock = PictureClock()
  let bakeQueue: BoundedQueue<CapturedJob>
  let writeQueue: WriteQueue
  /// Empty sound buffers on their way back from the write thread.
  let freeSound: BoundedQueue<AudioBuffer>

  /// Sound that may wait for the writer: blocks of `soundBlock` audio frames, about 8 s at 48 kHz.
  static let soundBlocks = 192
  static let soundBlock = 2048

  /// - Parameter timeBase: seconds per tick of the movie's frame times. A camera with a time base of its own (a clip)
  ///   keeps its times: pass that one.
  public init(parts: Parts, options: SessionOptions, timeBase: Rational) {
    self.parts = parts
    self.options = options
    self.timeBase = timeBase
    notes = parts.openSidecar == nil ? nil : SessionNotes()
    state = SessionState(notes: notes)
    bakeQueue = BoundedQueue(capacity: options.capturedQueue)
    let isPulled = parts.microphone?.isPulled ?? false
    writeQueue = WriteQueue(
      frameCapacity: options.bakedQueue, soundCapacity: RecordingSession.soundBlocks, isOrdered: isPulled,
      hasSound: parts.microphone != nil)
    freeSound = BoundedQueue(capacity: RecordingSession.soundBlocks)
  }

  /// Ends the recording at the next frame. Any thread, any number of times.
  public func requestStop() { state.requestStop() }

  /// Notes in the sidecar that something was set while recording: `iso`, `800`. Any thread.
  public func noteSetting(_ name: String, _ value: String) {
    notes?.add(.setting(name, value: value, seconds: state.lastSeconds))
  }

  /// Whether the movie's file exists, finished or not. Any thread.
  public var hasBegunMovie: Bool { state.hasBegunMovie }

  /// Records until the limit, a stop or a failure. Blocks; call once.
  ///
  /// A failure does not throw: what was recorded is closed as well as can be and the summary names it.
  public func run(observer: any SessionObserver) -> SessionSummary {
    let begin = MonotonicTime.now()
    for warning in parts.camera.warnings {
      observer.warned(warning)
      notes?.add(.warning(warning, seconds: 0))
    }
    let finished = DispatchSemaphore(value: 0)
    let writing = Writing()
    let sound = WorkThread(name: "camrec-sound") { self.runSound() }
    let capture = WorkThread(name: "camrec-capture") { self.runCapture() }
    let bake = WorkThread(name: "camrec-bake") { self.runBake() }
    let write = WorkThread(name: "camrec-write") {
      self.runWriting(writing)
      finished.signal()
    }
    var reporter = ProgressReporter(begin: begin)
    while finished.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
      reporter.report(self, to: observer)
    }
    for thread in [capture, bake, sound, write] { thread.join() }
    parts.baker.close()
    parts.exposure?.close()
    let summary = summary(writing, begin)
    end(writing.sidecar, summary)
    reporter.report(self, to: observer)
    return summary
  }

  private func summary(_ writing: Writing, _ begin: MonotonicTime) -> SessionSummary {
    SessionSummary(
      counts: ledger.counts, movie: writing.report, sound: state.sound,
      soundFailure: state.soundFailure, failure: state.failure,
      ratePartsPerMillion: state.ratePartsPerMillion, isVariableRate: state.isVariableRate,
      secondsToFirstFrame: state.firstArrival.map { Double($0 - begin) * 1e-9 })
  }
}

/// A captured frame and its place on the time line, on its way to the bake.
struct CapturedJob: ~Copyable, Sendable {
  var frame: CapturedFrame
  var place: Timeline.Place

  /// What goes with the picture to the writer.
  var ticket: SidecarFrame {
    SidecarFrame(index: place.index, ticks: place.ticks, sequence: frame.sequence, exposure: frame.exposure)
  }

  consuming func takeImage() -> CapturedImage { frame.takeImage() }
}
