import Frames
import Platform
import RecorderAPI
import RecorderRemote
import Synchronization
import Viewfinder

/// A monitor that a test fills, and that remembers what it was asked for.
final class PretendedFeed: PictureFeed {
  private struct State {
    var messages: [MonitorMessage] = []
    var pictures: [(number: UInt32, request: PictureRequest)] = []
    var measures: [UInt32] = []
    var ended: [UInt32] = []
    var used: [(UInt32, UInt64)] = []
    var isClosed = false
    var failure: CamrecError?
    var refusal: CamrecError?
  }

  private let state = Mutex(State())
  private let bell = MonotonicSemaphore()

  var pictures: [(number: UInt32, request: PictureRequest)] { state.withLock { $0.pictures } }
  var measures: [UInt32] { state.withLock { $0.measures } }
  var ended: [UInt32] { state.withLock { $0.ended } }
  var used: [(UInt32, UInt64)] { state.withLock { $0.used } }
  var isClosed: Bool { state.withLock { $0.isClosed } }

  func send(_ message: MonitorMessage) {
    state.withLock { $0.messages.append(message) }
    bell.signal()
  }

  /// Sends a picture; its width is in the payload's first byte.
  func sendPicture(_ subscription: UInt32, _ sequence: UInt64, width: UInt8 = 4) {
    send(MonitorMessage(MonitorHeader(.picture, subscription: subscription, sequence: sequence), payload: [width]))
  }

  /// The recorder goes away.
  func fail(_ error: CamrecError) {
    state.withLock { $0.failure = error }
    bell.signal()
  }

  /// Refuses the next subscriptions; `nil`: no more.
  func refuse(_ error: CamrecError?) { state.withLock { $0.refusal = error } }

  func subscribe(_ number: UInt32, to request: PictureRequest) throws(CamrecError) {
    if let refusal = state.withLock({ $0.refusal }) { throw refusal }
    state.withLock { $0.pictures.append((number, request)) }
  }

  func subscribe(_ number: UInt32, to request: MeasuresRequest) throws(CamrecError) {
    state.withLock { $0.measures.append(number) }
  }

  func end(_ subscription: UInt32) throws(CamrecError) { state.withLock { $0.ended.append(subscription) } }

  func next(within seconds: Double) throws(CamrecError) -> MonitorMessage? {
    bell.wait(within: seconds)
    let (message, failure) = state.withLock { state in
      (state.messages.isEmpty ? nil : state.messages.removeFirst(), state.failure)
    }
    if let failure { throw failure }
    return message
  }

  func used(_ message: MonitorMessage) {
    state.withLock { $0.used.append((message.header.subscription, message.header.sequence)) }
  }

  func close() { state.withLock { $0.isClosed = true } }
}

/// Takes a byte for an image of that width and a height of 2.
final class PretendedDecoder: PictureDecoder {
  func decode(_ image: [UInt8], into pixels: inout [UInt8]) throws(CamrecError) -> (width: Int, height: Int) {
    guard let width = image.first, width > 0 else { throw CamrecError(.input, "no image") }
    pixels = [UInt8](repeating: width, count: 8 * Int(width))
    return (Int(width), 2)
  }
}

/// A recorder that a test's states and refusals are of.
final class PretendedRecorder: RecorderClient {
  let requests = Mutex<[ControlRequest]>([])
  let controlsOffered: [ControlDescription]
  private let state: RecorderState

  init(_ state: RecorderState, controls: [ControlDescription] = []) {
    self.state = state
    controlsOffered = controls
  }

  func perform(_ request: ControlRequest) throws(CamrecError) -> RecorderState {
    requests.withLock { $0.append(request) }
    guard request.word != .focus else { throw CamrecError(.usage, "the camera has no focus") }
    return state
  }

  func controls() throws(CamrecError) -> [ControlDescription] { controlsOffered }

  func updates(after generation: Int?) throws(CamrecError) -> any RecorderUpdates { Updates(state) }

  private final class Updates: RecorderUpdates {
    private let first: Mutex<RecorderState?>
    private let bell = MonotonicSemaphore()

    init(_ state: RecorderState) { first = Mutex(state) }

    func next() throws(CamrecError) -> StateUpdate? {
      if let state = first.withLock({ state in
        defer { state = nil }
        return state
      }) {
        return StateUpdate(state, generation: 1)
      }
      bell.wait()
      bell.signal()
      return nil
    }

    func end() { bell.signal() }
  }
}
