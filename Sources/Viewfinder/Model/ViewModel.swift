public import Frames
public import RecorderAPI

/// What the window shows, and what keys and the mouse change about it. It has no window, no clock and no connection.
public struct ViewModel: Sendable {
  /// By name; those that have ended stay for a while.
  public private(set) var recorders: [ViewedRecorder] = []
  /// The one that fills the window; `nil` shows all.
  public private(set) var chosen: ViewedRecorder.ID?
  public private(set) var isGraded: Bool
  /// It was asked for; it is shown with the other information.
  private var hasHistogram = false
  public private(set) var showsKeys = false
  public private(set) var showsInformation = true
  public private(set) var isFullScreen: Bool
  public private(set) var zoom = PictureZoom()
  public var showsHistogram: Bool { hasHistogram && showsInformation }
  private(set) var message: Message?
  /// The only recorder that is wanted.
  private let name: String?
  private var drag: Drag?
  /// When each recorder that has ended did so.
  private var ends: [ViewedRecorder.ID: MonotonicTime] = [:]

  struct Message: Hashable {
    let text: String
    let isRefusal: Bool
    let end: MonotonicTime
  }

  private struct Drag {
    let start: ViewPoint
    let zoom: PictureZoom
  }

  /// Nanoseconds for which a message is shown, and for which a recorder that has ended stays among others.
  private static let messageTime: Int64 = 4_000_000_000, endTime: Int64 = 10_000_000_000

  /// - Parameter name: of the only recorder to show; `nil` for all.
  public init(name: String? = nil, isGraded: Bool = true, isFullScreen: Bool = false) {
    self.name = name
    self.isGraded = isGraded
    self.isFullScreen = isFullScreen
    chosen = name
    if let name { recorders = [ViewedRecorder.absent(name)] }
  }

  /// The one that fills the window.
  public var single: ViewedRecorder? { chosen.flatMap { id in recorders.first { $0.id == id } } }

  /// For the window.
  public var title: String {
    guard let single else { return "camrec" }
    let words = StatusWords(single)
    return "\(single.id)\(words.tally == .recording ? " – REC" : "") – camrec"
  }

  // MARK: Recorders

  /// Takes over which recorders run.
  public mutating func setRunning(_ ids: [ViewedRecorder.ID], at now: MonotonicTime) {
    let ids = ids.filter { name == nil || $0 == name }
    for index in recorders.indices {
      let isRunning = ids.contains(recorders[index].id)
      if recorders[index].isRunning, !isRunning {
        ends[recorders[index].id] = now
        (recorders[index].control, recorders[index].failure) = (.unknown, nil)
      }
      if isRunning { ends[recorders[index].id] = nil }
      recorders[index].isRunning = isRunning
    }
    let isNew = ids.count == 1 && !recorders.contains { $0.id == ids[0] }
    // The first one to come fills the window, also where it was waited for.
    let isFirst = recorders.isEmpty && isNew
    for id in ids where !recorders.contains(where: { $0.id == id }) { recorders.append(ViewedRecorder(id: id)) }
    recorders.sort { $0.id < $1.id }
    // One without a name has another number when it is back.
    if let single, !single.isRunning, Int(single.id) != nil, isNew, Int(ids[0]) != nil { chosen = ids[0] }
    if isFirst { choose(ids[0]) }
    forgetEnded(at: now)
  }

  /// A recorder that is shown has another name from now on.
  public mutating func rename(_ id: ViewedRecorder.ID, to new: ViewedRecorder.ID) {
    guard let index = recorders.firstIndex(where: { $0.id == id }) else { return }
    let known = recorders.remove(at: index)
    ends[id] = nil
    // Its last process may be shown under that name.
    if !recorders.contains(where: { $0.id == new }) {
      var renamed = ViewedRecorder(id: new)
      (renamed.state, renamed.control, renamed.measured) = (known.state, known.control, known.measured)
      recorders.append(renamed)
      recorders.sort { $0.id < $1.id }
    }
    if chosen == id { chosen = new }
  }

  /// Changes what is known of a recorder.
  public mutating func update(_ id: ViewedRecorder.ID, _ change: (inout ViewedRecorder) -> Void) {
    guard let index = recorders.firstIndex(where: { $0.id == id }) else { return }
    change(&recorders[index])
  }

  /// Takes over a recorder's state. Of the one that fills the window it says which film is finished.
  public mutating func setState(_ state: RecorderState?, of id: ViewedRecorder.ID, at now: MonotonicTime) {
    guard let index = recorders.firstIndex(where: { $0.id == id }) else { return }
    let wasFilming = StatusWords(recorders[index]).isFilming
    let recording = recorders[index].state?.recordingID
    recorders[index].state = state
    // After a start that kept nothing, the state is about the film before.
    guard wasFilming, id == chosen, state?.recordingID == recording,
      let film = StatusWords(recorders[index]).finishedFilm
    else { return }
    // It begins with a path, which gets no capital.
    message = Message(text: film, isRefusal: false, end: now.advanced(by: ViewModel.messageTime))
  }

  /// Lets go of what is shown for a while only.
  ///
  /// - Returns: whether anything has changed.
  @discardableResult
  public mutating func pass(_ now: MonotonicTime) -> Bool {
    let isOver = message.map { $0.end <= now } ?? false
    if isOver { message = nil }
    let count = recorders.count
    forgetEnded(at: now)
    return isOver || recorders.count != count
  }

  private mutating func forgetEnded(at now: MonotonicTime) {
    recorders.removeAll { recorder in
      guard recorder.id != chosen, let end = ends[recorder.id] else { return false }
      return now - end > ViewModel.endTime
    }
    ends = ends.filter { id, _ in recorders.contains { $0.id == id } }
  }

  // MARK: Keys

  public mutating func press(_ key: ViewKey, at now: MonotonicTime) -> [ViewAction] {
    if showsKeys, key != .quit {
      showsKeys = false
      if key == .help || key == .back { return [] }
    }
    switch key {
    case .quit: return [.quit]
    case .help: showsKeys = true
    case .histogram:
      hasHistogram = !showsHistogram
      showsInformation = showsInformation || hasHistogram
    case .graded: isGraded.toggle()
    case .information: showsInformation.toggle()
    case .fullScreen:
      isFullScreen.toggle()
      return [.setFullScreen(isFullScreen)]
    case .fullSize: toggleFullSize()
    case .previous: step(-1)
    case .next: step(1)
    case .back: goBack()
    default: return command(key, at: now)
    }
    return []
  }

  /// A digit from 1 on: a camera of the wall; otherwise 1 is full size.
  public mutating func press(digit: Int, at now: MonotonicTime) -> [ViewAction] {
    guard chosen == nil else { return digit == 1 ? press(.fullSize, at: now) : [] }
    if recorders.indices.contains(digit - 1) { choose(recorders[digit - 1].id) }
    return []
  }

  private mutating func choose(_ id: ViewedRecorder.ID?) {
    chosen = id
    zoom = PictureZoom()
    showsKeys = false
  }

  private mutating func toggleFullSize() {
    guard chosen != nil else { return }
    zoom = zoom.scale == .full ? PictureZoom() : PictureZoom(.full, x: zoom.x, y: zoom.y)
  }

  private mutating func goBack() {
    if zoom.scale != .fit {
      zoom = PictureZoom()
    } else if name == nil, recorders.count > 1 {
      choose(nil)
    }
  }

  private mutating func step(_ count: Int) {
    guard let chosen, recorders.count > 1, let now = recorders.firstIndex(where: { $0.id == chosen }) else { return }
    choose(recorders[(now + count + recorders.count) % recorders.count].id)
  }

  private mutating func command(_ key: ViewKey, at now: MonotonicTime) -> [ViewAction] {
    guard let single else {
      say("choose a camera first: click on it, or press its number", isRefusal: true, at: now)
      return []
    }
    if !single.isRunning {
      say("the recorder \(single.id) has ended", isRefusal: true, at: now)
    } else if case .denied(let reason) = single.control {
      say(reason, isRefusal: true, at: now)
    } else if let state = single.state, single.control == .allowed, let command = ViewCommand.of(key, in: state) {
      return [.perform(command, single.id)]
    } else {
      say("the recorder \(single.id) does not answer yet", isRefusal: true, at: now)
    }
    return []
  }

  /// Shows a sentence for a while.
  public mutating func say(_ text: String, isRefusal: Bool, at now: MonotonicTime) {
    message = Message(
      text: ViewText.sentence(text), isRefusal: isRefusal, end: now.advanced(by: ViewModel.messageTime))
  }

  // MARK: Mouse

  /// The button is pressed.
  ///
  /// - Parameters:
  ///   - width, height: of the window in pixels.
  public mutating func pressButton(at point: ViewPoint, width: Int, height: Int) {
    if showsKeys {
      showsKeys = false
    } else if chosen == nil {
      let wall = WallScreen(self, width: width, height: height)
      if let index = wall.grid.index(at: point, count: recorders.count) { choose(recorders[index].id) }
    } else {
      drag = Drag(start: point, zoom: zoom)
    }
  }

  public mutating func releaseButton() { drag = nil }

  /// The mouse has moved, with or without its button.
  public mutating func move(to point: ViewPoint, width: Int, height: Int) {
    guard let drag, let screen = SingleScreen(self, width: width, height: height), let frame = screen.frame else {
      return
    }
    zoom = drag.zoom.dragged(point.x - drag.start.x, point.y - drag.start.y, frame, in: screen.live)
  }

  /// The wheel has turned.
  ///
  /// - Parameter clicks: above 0 away from the user.
  public mutating func turnWheel(_ clicks: Double, at point: ViewPoint, width: Int, height: Int) {
    guard drag == nil, let screen = SingleScreen(self, width: width, height: height), let frame = screen.frame else {
      return
    }
    zoom = zoom.turned(clicks, over: point, frame, in: screen.live)
  }

  // MARK: Pictures

  /// What to ask of a recorder's monitor; `nil` for nothing.
  public func wish(for id: ViewedRecorder.ID, width: Int, height: Int) -> PictureWish? {
    guard let chosen else { return WallScreen(self, width: width, height: height).wish(for: id) }
    return chosen == id ? SingleScreen(self, width: width, height: height)?.wish : nil
  }
}

extension ViewedRecorder {
  /// One that was asked for and does not run yet.
  static func absent(_ id: ID) -> ViewedRecorder {
    var recorder = ViewedRecorder(id: id)
    recorder.isRunning = false
    return recorder
  }
}
