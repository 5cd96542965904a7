import Frames
import Platform
import RecorderAPI

/// A camera that went away during a recording: what its next film needs, and when to look for it again.
///
/// Thread: the recorder's.
struct CameraAbsence {
  /// The film that it ended.
  private(set) var film: FormerFilm
  let camera: String
  let loss: CameraLoss
  /// Seconds at the end of its film in which it delivered no intact frame.
  private let silentSeconds: Double
  /// When the recorder noticed.
  private let begin = MonotonicTime.now()
  private var next = MonotonicTime.now()
  /// A different camera is to be recorded now.
  private var isReplaced = false
  /// Who asked for the camera, for the next film's sidecar.
  private(set) var origin: String?
  private let source: SourceChange
  /// Why the film ended early.
  let filmFailure: CamrecError?
  /// What keeps the recording from continuing although the camera is back, as it was said last; `nil` if it is not.
  private var hindrance: String?
  /// The same, as it was found last.
  private(set) var obstacle: CamrecError?
  /// The camera was said to be back.
  private var isBack = false

  /// Nanoseconds between two looks for it.
  private static let interval: Int64 = 500_000_000
  /// Nanoseconds after its film's end within which any loss is noticed.
  private static let longestNotice: Int64 = 60_000_000_000

  /// - Parameters:
  ///   - take: the film that had the camera.
  ///   - loss: how that is lost; `nil`: as the film says.
  ///   - former: the film before, if that one has no frame.
  ///   - origin: who asked for the camera; `nil` if the next film is not to note that.
  init(
    _ take: RecorderRun.Take, source: SourceChange, as loss: CameraLoss? = nil, behind former: FormerFilm? = nil,
    by origin: String? = nil
  ) {
    film = former ?? FormerFilm(take)
    if former != nil { film.isContinued(by: take.session) }
    filmFailure = former == nil ? take.session.state.failure : nil
    self.source = source
    self.origin = origin
    camera = take.film.source.camera
    self.loss = loss ?? take.session.state.cameraLoss ?? .failed
    if former == nil, let since = take.session.state.silentSince, let end = film.pictureEnd {
      silentSeconds = max(0, Double(end - since) * 1e-9)
    } else {
      silentSeconds = 0
    }
  }

  /// Its film is finished, and all is known of it.
  mutating func finished(_ take: RecorderRun.Take) {
    if take.session.parts.identity == film.identity { film.isFinished(take) }
  }

  /// What is said when the recording has continued.
  ///
  /// - Parameters:
  ///   - source: what the new film records.
  ///   - gap: seconds between the two films.
  func sentence(about source: RecorderState.Source, after gap: Double) -> String {
    let seconds = silentSeconds + gap
    guard !isReplaced else { return "the recording continued with \(source.camera) after \(CameraLoss.text(seconds))" }
    // What came back when was said already.
    if isBack, loss != .changedFormat { return "the recording continued after \(CameraLoss.text(seconds))" }
    return loss.returning(of: camera, as: source, after: seconds)
  }

  /// A look has failed.
  ///
  /// - Returns: what is to be said of it: if the camera is back, what keeps the recording from continuing. `nil` if
  ///   that was said before, or if the camera is still away.
  mutating func isHindered(by error: CamrecError, at now: MonotonicTime) -> SessionRemark? {
    let before = hindrance, wasBack = isBack
    obstacle = error.code == .device ? nil : error
    hindrance = error.code == .device ? nil : CameraAbsence.kind(of: error)
    isBack = hindrance != nil && !isReplaced
    guard hindrance != before || wasBack != isBack else { return nil }
    let cause = error.cause.map { " (\($0))" } ?? "", why: Sentence = "\(sentence: error.sentence)\(cause)"
    let sentence: Sentence =
      if hindrance == nil, !isReplaced {
        "\(camera) can no longer be opened (\(sentence: why)); the recording continues in a new film when it can"
      } else if before != nil || wasBack {
        "the recording still cannot continue: \(sentence: why)"
      } else if isReplaced {
        "the recording cannot continue: \(sentence: why)"
      } else {
        """
        \(loss.reappearance(of: camera, after: silentSeconds + seconds(by: now))), but the recording cannot continue: \
        \(sentence: why)
        """
      }
    var facts = ["code": error.code.rawValue]
    facts["cause"] = error.cause
    return SessionRemark(saying: sentence, facts: facts, isError: true, namesFilm: true)
  }

  /// Says no to somebody while something other than the camera keeps the recording from continuing; `nil` if nothing
  /// but the camera does.
  ///
  /// - Parameters:
  ///   - begin: what comes first in the sentence.
  ///   - remedy: what comes last.
  ///   - code: that of the refusal; `nil`: that of what keeps the recording.
  func refusal(
    _ begin: Sentence = "", _ remedy: Sentence = "", code: CamrecError.Code? = nil, reason: RefusalReason? = nil
  ) -> CamrecError? {
    guard let obstacle else { return nil }
    let place: Sentence = isReplaced ? "" : "the camera is back, but "
    return CamrecError(
      code ?? obstacle.code, about: obstacle.field,
      "\(sentence: begin)\(sentence: place)the recording cannot continue: \(sentence: obstacle.sentence)"
        + "\(sentence: remedy)", cause: obstacle.cause, reason: reason ?? obstacle.reason)
  }

  /// Two failures of one kind differ in their numbers at most.
  private static func kind(of error: CamrecError) -> String {
    error.reason?.rawValue ?? error.description.filter { !$0.isNumber }
  }

  /// Frames that were due from the end of its film on.
  func framesDue(by now: MonotonicTime) -> Int {
    Int(saturating: (seconds(by: now) * film.frameRate.framesPerSecond).rounded())
  }

  /// Seconds since the end of its film.
  private func seconds(by now: MonotonicTime) -> Double {
    // A pulled camera has a clock of its own, which says nothing of the time since.
    let end = film.pictureEnd.flatMap {
      (0...CameraAbsence.longestNotice).contains(begin - $0) ? $0 : nil
    }
    return max(0, Double(now - (end ?? begin)) * 1e-9)
  }

  /// Whether it is time to look for it.
  var isDue: Bool { MonotonicTime.now() >= next }

  mutating func isNotBack() { next = MonotonicTime.now().advanced(by: CameraAbsence.interval) }

  /// - Parameter origin: who asks for it; `nil` if that is not to be noted.
  mutating func isReplaced(by other: SourceChange, _ factory: any FilmFactory, origin: String?) {
    isReplaced = !factory.isSameCamera(source, other)
    // A film that begins because its camera is back is begun by nobody.
    self.origin = isReplaced ? origin : nil
    (hindrance, obstacle) = (nil, nil)
    if isReplaced { isBack = false }
    next = .now()
  }

  /// The order for the film that begins when it is back.
  func order(_ order: FilmOrder) -> FilmOrder {
    var order = order
    order.isReturn = !isReplaced
    guard !isReplaced else { return order }
    (order.setting, order.measurement) = (film.setting, film.measurement)
    return order
  }
}
