import Foundation
import Frames
import Platform
import RecorderAPI
import RecorderRemote
import Viewfinder
import ViewfinderWindow

/// Keeps a window up to date: takes what recorders send and what the user does to the model, and draws it.
///
/// Thread: main.
struct ViewLoop {
  /// Where the recorders to show come from.
  private enum Source {
    case roster(RecorderRoster)
    /// The only one.
    case one(RecorderAddress)

    var addresses: [RecorderAddress] {
      switch self {
      case .roster(let roster): roster.addresses
      case .one(let address): [address]
      }
    }
  }

  private let arguments: ViewArguments
  private let source: Source
  private let window: ViewWindow
  private var model: ViewModel
  private var links: [ViewedRecorder.ID: (address: RecorderAddress, link: RecorderLink)] = [:]
  /// A connection that was made before the window.
  private var first: (address: RecorderAddress, feed: any PictureFeed)?
  private var latency = LatencyLog()
  /// What the window shows.
  private var drawn: [DrawCommand] = []

  /// How long to wait for news, in milliseconds: ages are told in seconds.
  private static let pause = 200

  /// Shows recorders until the user closes the window, or the measurement is over.
  ///
  /// - Throws: code `device` without a recorder, without a display, or for one whose monitor cannot be used; code
  ///   `usage` for one without a monitor.
  static func run(_ arguments: ViewArguments) throws(CamrecError) {
    // Whatever keeps a recorder from being shown is said before there is a window.
    let source: Source, first: (address: RecorderAddress, feed: any PictureFeed)?
    if let path = arguments.monitor {
      let client = try monitor(at: path, waits: arguments.waits)
      let address = RecorderAddress(monitor: path, client)
      source = .one(address)
      if let client { first = (address, client) } else { first = nil }
    } else {
      let roster = RecorderRoster(RecorderDirectory()) { ViewWindow.wake() }
      let start = try ViewStart.recorder(among: roster.addresses, name: arguments.name, waits: arguments.waits)
      source = .roster(roster)
      if let start { first = (start, try start.connectMonitor()) } else { first = nil }
    }
    var loop = try ViewLoop(arguments, source, first)
    try loop.run()
  }

  /// - Returns: `nil` if it may come later.
  private static func monitor(at path: String, waits: Bool) throws(CamrecError) -> MonitorClient? {
    do throws(CamrecError) {
      return try MonitorClient(path: path)
    } catch {
      guard waits else { throw error }
      return nil
    }
  }

  private init(
    _ arguments: ViewArguments, _ source: Source, _ first: (address: RecorderAddress, feed: any PictureFeed)?
  ) throws(CamrecError) {
    self.arguments = arguments
    self.source = source
    self.first = first
    window = try ViewWindow(title: "camrec", size: arguments.size, isFullScreen: arguments.isFullScreen)
    model = ViewModel(name: arguments.name, isGraded: arguments.isGraded, isFullScreen: arguments.isFullScreen)
  }

  private mutating func run() throws(CamrecError) {
    defer { links.values.forEach { $0.link.end() } }
    let start = MonotonicTime.now()
    followRecorders(start)
    while true {
      let events = window.events(within: ViewLoop.pause), now = MonotonicTime.now()
      for event in events where handle(event, now) == .quit { return }
      followRecorders(now)
      window.keepPictures(of: Set(model.recorders.map(\.id)))
      let pictures = takeNews(now)
      model.pass(now)
      askForPictures()
      draw(now, isDue: !pictures.isEmpty || events.contains(.exposed))
      finish(pictures)
      let seconds = Double(MonotonicTime.now() - start) * 1e-9
      if let limit = arguments.measures, seconds >= limit { return try report(seconds) }
    }
  }

  private func report(_ seconds: Double) throws(CamrecError) {
    guard let text = latency.text(seconds: seconds) else {
      throw CamrecError(.device, "no picture came in \(Int(seconds.rounded())) s")
    }
    print(text)
  }

  // MARK: Recorders

  private mutating func followRecorders(_ now: MonotonicTime) {
    let addresses = source.addresses.filter { arguments.name == nil || $0.id == arguments.name }
    for (id, known) in links where !addresses.contains(known.address) {
      known.link.end()
      links[id] = nil
      if let now = addresses.first(where: { $0.isSame(as: known.address) }), now.id != id {
        model.rename(id, to: now.id)
      }
    }
    for address in addresses where links[address.id] == nil {
      // One whose address has become known better since then is the same recorder.
      let feed = first.flatMap { $0.address == address || $0.address.isSame(as: address) ? $0.feed : nil }
      first = nil
      let link = RecorderLink(RecorderReach(address), feed: feed) { () throws(CamrecError) in
        try TurboDecoder()
      } changed: {
        ViewWindow.wake()
      }
      links[address.id] = (address, link)
    }
    model.setRunning(addresses.map(\.id), at: now)
  }

  /// Takes over what has come.
  ///
  /// - Returns: the new pictures, which the window has.
  private mutating func takeNews(_ now: MonotonicTime) -> [(id: ViewedRecorder.ID, picture: DecodedPicture)] {
    var pictures: [(id: ViewedRecorder.ID, picture: DecodedPicture)] = []
    for (id, known) in links {
      let news = known.link.takeNews()
      for outcome in news.outcomes { model.say(outcome.text, isRefusal: outcome.isRefusal, at: now) }
      model.setState(news.state, of: id, at: now)
      model.update(id) { recorder in
        (recorder.control, recorder.failure) = (news.control, news.failure)
        (recorder.measures, recorder.measured) = (news.measures, news.measured)
      }
      guard let picture = news.picture else { continue }
      if !window.isHidden, window.set(picture, for: id) {
        model.update(id) { $0.picture = .init(picture.header, part: picture.part, time: picture.time) }
      }
      pictures.append((id, picture))
    }
    return pictures
  }

  private func askForPictures() {
    let size = window.size
    for (id, known) in links {
      known.link.want(window.isHidden ? nil : model.wish(for: id, width: size.width, height: size.height))
    }
  }

  // MARK: The window

  private mutating func draw(_ now: MonotonicTime, isDue: Bool) {
    guard !window.isHidden else { return }
    let size = window.size
    let commands = ViewScreen.commands(model, width: size.width, height: size.height, at: now)
    guard isDue || commands != drawn else { return }
    window.setTitle(model.title)
    window.show(commands)
    drawn = commands
  }

  /// Others may come: these have been shown.
  private mutating func finish(_ pictures: [(id: ViewedRecorder.ID, picture: DecodedPicture)]) {
    let now = MonotonicTime.now()
    for (id, picture) in pictures {
      if arguments.measures != nil, let tap = picture.header.tapTime { latency.add(now - tap) }
      links[id]?.link.finish(picture)
    }
  }

  private mutating func handle(_ event: WindowEvent, _ now: MonotonicTime) -> ViewAction? {
    let size = window.size
    var actions: [ViewAction] = []
    switch event {
    case .key(let key): actions = model.press(key, at: now)
    case .digit(let digit): actions = model.press(digit: digit, at: now)
    case .buttonPressed(let point): model.pressButton(at: point, width: size.width, height: size.height)
    case .buttonReleased: model.releaseButton()
    case .moved(let point): model.move(to: point, width: size.width, height: size.height)
    case .wheel(let clicks, let point):
      model.turnWheel(clicks, at: point, width: size.width, height: size.height)
    case .exposed: break
    case .closed: return .quit
    }
    for action in actions {
      switch action {
      case .quit: return .quit
      case .setFullScreen(let isFull): window.setFullScreen(isFull)
      case .perform(let command, let id): links[id]?.link.perform(command)
      }
    }
    return nil
  }
}
