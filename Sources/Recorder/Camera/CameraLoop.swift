import Cameras
import Frames
import Platform

/// The camera's thread: takes frame after frame, keeps the camera exposed, and gives each frame to the consumers.
final class CameraLoop {
  private let session: CameraSession
  private let camera: any Camera
  private var consumers: [any FrameConsumer] = [] {
    didSet { noteRecorded() }
  }
  /// Those that wait for the end of another one.
  private var followers: [CameraSession.Arrival] = []
  /// Arrivals taken up so far.
  private var arrivals = 0
  /// Whether anybody was ever attached.
  private var hadConsumer = false
  /// What the exposure was told last: whether a film is recorded.
  private var isFilming: Bool?
  private var silence: CameraSilence
  private var shared = SharedImages()
  /// Encoded frames since the last one that was metered without a consumer.
  private var skipped = 0

  /// Of so many such frames one is metered while the exposure fits the light.
  private static let rests = 4

  init(_ session: CameraSession) {
    self.session = session
    camera = session.camera
    silence = CameraSilence(rate: session.camera.format.frameRate)
  }

  func run() {
    let ending: CameraEnding
    do throws(CamrecError) {
      try camera.start()
      takeUpArrivals()
      session.exposure?.calibrate(camera, session.converter, isStopped: { self.isUnwanted }, warn: warn)
      silence = CameraSilence(rate: camera.format.frameRate)
      ending = try deliver()
    } catch {
      ending = .failed(error, silence)
    }
    let waiting = followers.map(\.consumer)
    for consumer in consumers + waiting + session.ends(ending) {
      session.tellsEnd(ending, to: consumer)
      consumer.detached()
    }
    camera.stop()
  }

  /// Nobody waits for frames any more.
  private var isUnwanted: Bool {
    takeUpArrivals()
    if consumers.contains(where: \.isOver) { dismiss() }
    return session.isClosing || hadConsumer && consumers.isEmpty && session.endsWithFilm
  }

  private func takeUpArrivals() {
    let count = session.arrivalCount
    guard count != arrivals else { return }
    arrivals = count
    followers += session.takeArriving()
    takeUpFollowers()
  }

  /// Attaches those whose predecessor has left, or that have none.
  private func takeUpFollowers() {
    guard !followers.isEmpty else { return }
    let due = followers.filter { arrival in !consumers.contains { $0 === arrival.predecessor } }
    guard !due.isEmpty else { return }
    consumers += due.map(\.consumer)
    followers.removeAll { arrival in due.contains { $0.consumer === arrival.consumer } }
    hadConsumer = true
    noteFilming()
  }

  /// Tells the exposure when films begin and end; a pre-roll is none yet.
  private func noteFilming() {
    guard !consumers.isEmpty || !session.endsWithFilm else { return }
    let isNow = consumers.contains { !$0.isStanding }
    guard isNow != isFilming else { return }
    isFilming = isNow
    if isNow { session.exposure?.recorded() } else { session.exposure?.unrecorded() }
  }

  /// Detaches those that are over.
  private func dismiss() {
    let over = consumers.filter(\.isOver)
    over.forEach { $0.detached() }
    consumers.removeAll { consumer in over.contains { $0 === consumer } }
    // A lock for one film is not the next one's, which meets the light anew.
    noteFilming()
    takeUpFollowers()
  }

  private func deliver() throws(CamrecError) -> CameraEnding {
    while true {
      takeUpArrivals()
      if consumers.contains(where: \.isOver) { dismiss() }
      noteFilming()
      if session.isClosing || hadConsumer && consumers.isEmpty && session.endsWithFilm { return .closed }
      let asked = MonotonicTime.now()
      switch try camera.next() {
      case .frame(var frame):
        silence.ended()
        let isMet = !isMeetingLight
        if let converter = session.converter, !isMet || consumers.isEmpty {
          if isMet { show(frame) }
          try meter(frame, converter)
          continue
        }
        expose(&frame)
        guard !isMeetingLight else { continue }
        show(frame)
        give(.frame(frame))
        noteRecorded()
      case .damaged(let sequence, let captureTime):
        give(.damaged(sequence: sequence, captureTime: captureTime))
        if let ending = watchSilence(asked) { return ending }
      case .nothing:
        if let ending = watchSilence(asked) { return ending }
        give(.nothing)
      case .ended(.finished):
        return .finished
      case .ended(.sourceChanged):
        return .lost(
          .changedFormat, CamrecError(.device, "\(camera.name) changed its picture format"), silence)
      case .ended(.unplugged):
        return .lost(.unplugged, CamrecError(.device, "\(camera.name) was unplugged", reason: .unplugged), silence)
      }
    }
  }

  /// The frame can be recorded and looked at.
  private func show(_ frame: borrowing CapturedFrame) {
    session.isReadyNow()
    let slot = session.tap.captured
    switch frame.image {
    case .frame(let picture):
      slot.offer(
        picture, sequence: frame.sequence, captureTime: frame.captureTime, exposure: frame.exposure)
    case .encoded(let image):
      slot.offer(image, sequence: frame.sequence, captureTime: frame.captureTime, exposure: frame.exposure)
    }
  }

  /// A film that waits for its time bakes nothing yet.
  private func noteRecorded() { session.isRecordedNow(consumers.contains { !$0.isWaiting }) }

  private func give(_ event: consuming CameraEvent) {
    guard let last = consumers.last else { return }
    if consumers.count == 1 {
      if !last.take(event, silence) { detach(last) }
      return
    }
    var done: [any FrameConsumer] = []
    shared.give(event, to: consumers) { [silence] (consumer, event) in
      if !consumer.take(event, silence) { done.append(consumer) }
    }
    done.forEach(detach)
  }

  private func detach(_ consumer: any FrameConsumer) {
    consumer.detached()
    consumers.removeAll { $0 === consumer }
    noteFilming()
    takeUpFollowers()
  }

  private func warn(_ sentence: String) {
    if consumers.isEmpty { return session.keep(sentence) }
    consumers.forEach { $0.warn(sentence) }
  }

  // MARK: Light

  /// At the start, frames are metered, but nobody gets them.
  private var isMeetingLight: Bool { session.exposure?.isMeetingLight == true }

  /// Meters an encoded frame that no consumer decodes. Once the exposure fits the light, a few frames will do.
  private func meter(_ frame: consuming CapturedFrame, _ converter: any ImageConverter) throws(CamrecError) {
    guard let exposure = session.exposure else { return }
    skipped += 1
    guard isMeetingLight || skipped >= CameraLoop.rests || exposure.isMoving else {
      return exposure.captured(sequence: frame.sequence)
    }
    skipped = 0
    let sequence = frame.sequence, told = frame.exposure
    guard case .encoded(let image) = frame.takeImage() else { return }
    do throws(CamrecError) {
      let picture = try converter.convert(image)
      _ = exposure.see(picture, sequence: sequence, told: told, warn: warn)
    } catch {
      // An image that does not decode shows no light; the next one may be fine.
      if error.code != .device { throw error }
      exposure.missedLight()
    }
  }

  /// Meters raw frames as they arrive, so that the new exposure is set before the next one; encoded frames are metered
  /// once their consumer has decoded them.
  private func expose(_ captured: inout CapturedFrame) {
    guard let exposure = session.exposure else { return }
    guard session.converter == nil else { return exposure.captured(sequence: captured.sequence) }
    let sequence = captured.sequence, told = captured.exposure
    let taken = captured.image.withFrame { frame in
      exposure.see(frame, sequence: sequence, told: told, warn: warn)
    }
    captured.exposure = taken ?? told
  }

  // MARK: Silence

  /// Nothing intact arrived. A camera that waits for its consumers is silent while they are busy.
  ///
  /// - Parameter asked: when the camera was asked.
  private func watchSilence(_ asked: MonotonicTime) -> CameraEnding? {
    guard !session.isPulled else { return nil }
    do throws(CamrecError) {
      if let sentence = try silence.goesOn(camera, asked) { warn(sentence) }
      return nil
    } catch {
      guard error.code == .device else { return .failed(error, silence) }
      return .lost(silence.isOver ? .silent : .failed, error, silence)
    }
  }
}
