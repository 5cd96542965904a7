public import Cameras
public import Frames
import Platform
import Synchronization

/// An opened camera with its exposure and its thread: runs before, between and behind films, and gives each frame to
/// every consumer that records.
///
/// Thread: any; consumers are called on the camera's own thread.
public final class CameraSession: Sendable {
  public let camera: any Camera
  /// Keeps the camera exposed; `nil` leaves its exposure alone.
  package let exposure: ExposureService?
  /// Runs as long as the camera does; `nil` if films have no sound, or bring their own.
  package let sound: MicrophoneSession?
  /// Meters encoded images while no consumer decodes them; `nil` if there are none.
  let converter: (any ImageConverter)?
  /// The camera waits for its consumers, so its silence says nothing.
  let isPulled: Bool
  /// It belongs to one film, and ends with it: a clip, or a camera that waits for its consumers.
  package let endsWithFilm: Bool
  /// The latest frames, for whoever looks.
  public let tap: FrameTap
  /// How pictures are made of them; `nil` for a camera that nobody can look at.
  public let view: LiveView?

  /// A consumer that waits for the camera's thread.
  struct Arrival {
    let consumer: any FrameConsumer
    /// It gets the frame behind this one's last; `nil`: the next one.
    let predecessor: (any FrameConsumer)?
  }

  private struct State {
    var thread: WorkThread?
    var arriving: [Arrival] = []
    var ending: CameraEnding?
    /// A film tells of it.
    var isEndTold = false
    /// Sentences while nobody is attached.
    var sentences: [String] = []
  }

  private let state = Mutex(State())
  /// Rises when a consumer arrives.
  private let arrivals = Atomic<Int>(0)
  private let closing = Atomic<Bool>(false)
  private let ready = Atomic<Bool>(false)
  /// When the last frame came that can be recorded, in nanoseconds; 0: none has.
  private let lastCame = Atomic<Int64>(0)
  private let recorded = Atomic<Bool>(false)

  private static let mostSentences = 16

  /// - Parameters:
  ///   - exposure: of this camera; `nil` leaves its exposure alone.
  ///   - converter: decodes encoded images for the exposure alone; films bring their own.
  ///   - isPulled: the camera waits for its consumers.
  ///   - endsWithFilm: it is closed when its first film ends.
  ///   - sound: a live microphone that starts and stops with the camera.
  ///   - view: how pictures are made of its frames.
  public init(
    _ camera: any Camera, exposure: ExposureService?, converter: (any ImageConverter)?, isPulled: Bool = false,
    endsWithFilm: Bool = false, sound: MicrophoneSession? = nil, view: LiveView? = nil
  ) {
    self.camera = camera
    self.exposure = exposure
    self.converter = converter
    self.isPulled = isPulled
    self.endsWithFilm = endsWithFilm
    self.sound = sound
    self.view = view
    tap = FrameTap(camera.format)
  }

  /// The camera has delivered a frame that can be recorded.
  var isReady: Bool { ready.load(ordering: .acquiring) }

  /// When the last frame came that can be recorded; `nil`: none has.
  public var lastFrame: MonotonicTime? {
    let time = lastCame.load(ordering: .relaxed)
    return time == 0 ? nil : MonotonicTime(nanoseconds: time)
  }

  /// The exposure fits the light, as far as the camera allows.
  public var isExposed: Bool { exposure.map { !$0.isMoving } ?? isReady }

  /// The camera delivers nothing more: it was closed, or has gone away.
  public var hasEnded: Bool { ending != nil }

  /// A film or a pre-roll gets its frames, so that the tap's baked slot is filled.
  public var isRecorded: Bool { recorded.load(ordering: .relaxed) }

  /// Why the camera delivers nothing more; `nil` while it runs.
  var ending: CameraEnding? { state.withLock { $0.ending } }

  /// What has happened to a camera that no film was attached to; `nil` if it runs, was closed, or a film has told it.
  var lossInStandby: String? { state.withLock { $0.isEndTold ? nil : $0.ending?.error?.description } }

  /// Starts the camera, unless it runs or has ended.
  package func start() {
    state.withLock { state in
      guard state.thread == nil, state.ending == nil else { return }
      sound?.begin()
      state.thread = WorkThread(name: "camrec-capture") { CameraLoop(self).run() }
    }
  }

  /// Gives the consumer every frame from the next one on, or from the one behind the last frame of `predecessor`.
  func attach(_ consumer: any FrameConsumer, behind predecessor: (any FrameConsumer)? = nil) {
    let ending = state.withLock { state -> CameraEnding? in
      if state.ending == nil { state.arriving.append(Arrival(consumer: consumer, predecessor: predecessor)) }
      return state.ending
    }
    if let ending {
      tellsEnd(ending, to: consumer)
      return consumer.detached()
    }
    arrivals.add(1, ordering: .releasing)
    start()
  }

  /// Stops the camera, puts back its settings, and detaches whoever is attached. Waits for its thread.
  package func close() {
    closing.store(true, ordering: .releasing)
    let (thread, arriving) = state.withLock { state in
      guard state.thread == nil, state.ending == nil else { return (state.thread, [Arrival]()) }
      state.ending = .closed
      defer { state.arriving = [] }
      return (nil, state.arriving)
    }
    arriving.forEach { $0.consumer.detached() }
    if let thread {
      thread.join()
      sound?.end()
    }
    exposure?.close()
  }

  /// Sentences that no consumer has heard.
  func takeSentences() -> [String] {
    state.withLock { state in
      defer { state.sentences = [] }
      return state.sentences
    }
  }

  // MARK: The camera's thread

  var isClosing: Bool { closing.load(ordering: .acquiring) }

  /// Rises when a consumer arrives.
  package var arrivalCount: Int { arrivals.load(ordering: .acquiring) }

  func takeArriving() -> [Arrival] {
    state.withLock { state in
      defer { state.arriving = [] }
      return state.arriving
    }
  }

  func isRecordedNow(_ isRecorded: Bool) { recorded.store(isRecorded, ordering: .relaxed) }

  /// A frame has come that can be recorded.
  func isReadyNow() {
    lastCame.store(MonotonicTime.now().nanoseconds, ordering: .relaxed)
    ready.store(true, ordering: .releasing)
  }

  func keep(_ sentence: String) {
    state.withLock { if $0.sentences.count < CameraSession.mostSentences { $0.sentences.append(sentence) } }
  }

  /// From now on whoever attaches is told of the end.
  ///
  /// - Returns: those that arrived last.
  func ends(_ ending: CameraEnding) -> [any FrameConsumer] {
    state.withLock { state in
      state.ending = ending
      defer { state.arriving = [] }
      return state.arriving.map(\.consumer)
    }
  }

  /// Before the consumer is detached, so that nobody misses a camera that its film has told of.
  func tellsEnd(_ ending: CameraEnding, to consumer: any FrameConsumer) {
    if consumer.cameraEnded(ending) { state.withLock { $0.isEndTold = true } }
  }
}
