public import Frames
import Platform
public import RecorderAPI
import RecorderRemote
import Synchronization

/// A window's connection to one recorder: its pictures, its state, and commands for it. It connects again by itself
/// until it is ended.
///
/// Thread: any. Threads of its own read and decode pictures, read states, and have commands performed: whoever calls
/// waits for none of them.
public final class RecorderLink: Sendable {
  /// What has come since the last look.
  public struct News: Sendable {
    /// The latest picture.
    public var picture: DecodedPicture?
    public var measures: MeasuresPayload?
    /// The size of the frame that was measured.
    public var measured: FrameExtent?
    public var state: RecorderState?
    public var control = ViewedRecorder.Control.unknown
    /// Why there are no pictures; `nil` if they come.
    public var failure: String?
    /// What commands have come to: sentences, and whether they are refusals.
    public var outcomes: [(text: String, isRefusal: Bool)] = []
  }

  private struct State {
    var news = News()
    var wish: PictureWish?
    var isEnded = false
    var feed: (any PictureFeed)?
    var client: (any RecorderClient)?
    var updates: (any RecorderUpdates)?
    /// Memory of pictures that have been shown.
    var spare: [[UInt8]] = []
    var commands: [ViewCommand] = []
    /// The white balance that this window has set last.
    var whiteBalance: String?
  }

  private let reach: RecorderReach
  private let makeDecoder: @Sendable () throws(CamrecError) -> any PictureDecoder
  private let changed: @Sendable () -> Void
  private let state = Mutex(State())
  /// Rung for each command, and at the end.
  private let commandBell = MonotonicSemaphore()
  /// Rung at the end, for the two others.
  private let endBell = MonotonicSemaphore()

  /// Seconds between two attempts to connect, and the longest wait for a message.
  private static let pause = 0.5, glance = 0.1
  /// Pictures whose memory is kept.
  private static let mostSpare = 3

  /// Connects, and goes on doing so.
  ///
  /// - Parameters:
  ///   - feed: a connection to its monitor that is there already.
  ///   - makeDecoder: makes what decodes its pictures.
  ///   - changed: called on a thread of this object's own when there is news.
  public init(
    _ reach: RecorderReach, feed: (any PictureFeed)? = nil,
    makeDecoder: @escaping @Sendable () throws(CamrecError) -> any PictureDecoder,
    changed: @escaping @Sendable () -> Void
  ) {
    self.reach = reach
    self.makeDecoder = makeDecoder
    self.changed = changed
    _ = WorkThread(name: "camrec-sight") { [self] in lookOn(feed) }
    _ = WorkThread(name: "camrec-states") { [self] in readStates() }
    _ = WorkThread(name: "camrec-orders") { [self] in carryOut() }
  }

  /// Lets go of the recorder; does not wait.
  public func end() {
    let (feed, updates) = state.withLock { state in
      state.isEnded = true
      return (state.feed, state.updates)
    }
    feed?.close()
    updates?.end()
    commandBell.signal()
    endBell.signal()
    endBell.signal()
  }

  private var isEnded: Bool { state.withLock { $0.isEnded } }

  private func pauseUnlessEnded() { if !isEnded { endBell.wait(within: RecorderLink.pause) } }

  private func note(_ change: (inout State) -> Void) {
    state.withLock { change(&$0) }
    changed()
  }

  // MARK: The window

  /// Sets what is wanted of its monitor; `nil` for nothing.
  public func want(_ wish: PictureWish?) {
    state.withLock { state in
      state.wish = wish
      // Old ones are no measures.
      if wish?.wantsMeasures != true { (state.news.measures, state.news.measured) = (nil, nil) }
    }
  }

  /// What has come since the last look; facts that have not changed, too.
  public func takeNews() -> News {
    state.withLock { state in
      let news = state.news
      state.news.picture = nil
      state.news.outcomes = []
      return news
    }
  }

  /// The window has shown a picture, or passed over it: others may come, and its memory may be used again.
  public func finish(_ picture: consuming DecodedPicture) {
    let header = picture.header, pixels = picture.pixels
    let feed = state.withLock { state in
      if state.spare.count < RecorderLink.mostSpare { state.spare.append(pixels) }
      return state.feed
    }
    feed?.used(MonitorMessage(header, payload: []))
  }

  /// Has a command performed; news tell its outcome.
  public func perform(_ command: ViewCommand) {
    state.withLock { $0.commands.append(command) }
    commandBell.signal()
  }

  // MARK: Pictures

  private func lookOn(_ first: (any PictureFeed)?) {
    var ready = first
    while !isEnded {
      do throws(CamrecError) {
        let feed: any PictureFeed
        if let ready { feed = ready } else { feed = try reach.connectMonitor() }
        ready = nil
        defer { feed.close() }
        state.withLock { $0.feed = feed }
        if isEnded { return }
        try look(feed, try makeDecoder())
      } catch {
        if isEnded { return }
        note { state in
          state.feed = nil
          state.news.failure = error.sentence.plain
        }
      }
      pauseUnlessEnded()
    }
  }

  private func look(_ feed: any PictureFeed, _ decoder: any PictureDecoder) throws(CamrecError) {
    var stream = PictureStream(feed)
    while !isEnded {
      do throws(CamrecError) {
        try stream.want(state.withLock { $0.wish }, at: MonotonicTime.now())
      } catch where error.code != .device {
        note { $0.news.failure = error.sentence.plain }
      }
      switch try stream.next(within: RecorderLink.glance) {
      case .picture(let message, let part)?: show(message, part, feed, decoder)
      case .measures(let measures, let extent)?: note { ($0.news.measures, $0.news.measured) = (measures, extent) }
      case .waiting(let reason)?: note { $0.news.failure = reason }
      case nil: break
      }
    }
  }

  private func show(
    _ message: MonitorMessage, _ part: PicturePart, _ feed: any PictureFeed, _ decoder: any PictureDecoder
  ) {
    let time = MonotonicTime.now()
    var pixels = state.withLock { $0.spare.popLast() } ?? []
    do throws(CamrecError) {
      let size = try decoder.decode(message.payload, into: &pixels)
      let picture = DecodedPicture(
        header: message.header, part: part, time: time, width: size.width, height: size.height, pixels: pixels)
      note { state in
        // The window was too slow for the one before.
        if let late = state.news.picture, state.spare.count < RecorderLink.mostSpare { state.spare.append(late.pixels) }
        state.news.picture = picture
        state.news.failure = nil
      }
    } catch {
      feed.used(message)
      note { $0.news.failure = error.sentence.plain }
    }
  }

  // MARK: States

  private func readStates() {
    while !isEnded {
      var control: ViewedRecorder.Control?
      do throws(CamrecError) {
        switch try reach.connectControl() {
        case .client(let client): try follow(client)
        case .denied(let reason): control = .denied(reason)
        }
      } catch {
        control = .denied(error.sentence.plain)
      }
      if isEnded { return }
      // Written once a second, for whoever may read it.
      let read = reach.readState()
      note { state in
        if let control { state.news.control = control }
        if read != nil || control != nil { state.news.state = read }
      }
      pauseUnlessEnded()
    }
  }

  private func follow(_ client: any RecorderClient) throws(CamrecError) {
    let updates = try client.updates(after: nil)
    defer {
      updates.end()
      state.withLock { ($0.client, $0.updates) = (nil, nil) }
    }
    note { state in
      (state.client, state.updates) = (client, updates)
      state.news.control = .allowed
    }
    var known: StateUpdate?
    while !isEnded, let update = try updates.next() {
      known = update.applied(to: known)
      if let values = known?.values { note { $0.news.state = values } }
    }
  }

  // MARK: Commands

  private func carryOut() {
    while true {
      commandBell.wait()
      let (command, client, isEnded) = state.withLock { state in
        (state.commands.isEmpty ? nil : state.commands.removeFirst(), state.client, state.isEnded)
      }
      if isEnded { return }
      guard let command else { continue }
      do throws(CamrecError) {
        guard let client else { throw CamrecError(.device, "'\(reach.id)' does not answer yet") }
        let after = try perform(command, client)
        if let outcome = command.outcome(in: after) { note { $0.news.outcomes.append((outcome, false)) } }
      } catch {
        note { $0.news.outcomes.append((error.sentence.plain, true)) }
      }
    }
  }

  private func perform(_ command: ViewCommand, _ client: any RecorderClient) throws(CamrecError) -> RecorderState {
    switch command {
    case .request(let request, _): return try client.perform(request)
    case .nextWhiteBalance:
      let last = state.withLock { $0.whiteBalance }
      let balance = try client.controls().first { $0.id == ControlWord.whiteBalance.rawValue }
      guard let balance, let next = WhiteBalanceStep.next(of: balance, after: last) else {
        throw CamrecError(.usage, "the camera of '\(reach.id)' has no white balance to choose")
      }
      let state = try client.perform(try balance.request(setting: .text(next)))
      self.state.withLock { $0.whiteBalance = next }
      return state
    }
  }
}
