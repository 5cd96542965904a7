package import Frames
import Kernels
import Platform
import Recorder
package import RecorderAPI
import Synchronization

/// Makes pictures and measures of a recorder's latest frames, each once for all who have asked for the same.
///
/// Its thread has a lower priority than a film's, and looks at the camera only while somebody has asked for something.
///
/// Thread: any.
package final class PictureStudio: Sendable {
  private struct State {
    var subscriptions: [MonitorSubscription] = []
    var isClosed = false
    /// Of the frames seen last.
    var shape: (format: FrameFormat, view: LiveView)?
  }

  private let source: any MonitorSource
  private let latest: SeenCamera.Latest
  /// Called when something waits in a subscription.
  private let news: @Sendable () -> Void
  private let state = Mutex(State())
  private let bell = MonotonicSemaphore()
  private let thread = Mutex<WorkThread?>(nil)

  /// Seconds that a round waits for a frame: so soon it sees who has come or gone.
  private static let round = 0.05
  /// Seconds between two tries to get at a camera.
  private static let pause = 1.0
  /// Of its thread.
  static let niceness: Int32 = 10

  /// - Parameters:
  ///   - latest: the camera that somebody has looked at last.
  ///   - news: called on the studio's thread when something waits in a subscription.
  package init(_ source: any MonitorSource, _ latest: SeenCamera.Latest, news: @escaping @Sendable () -> Void) {
    (self.source, self.latest) = (source, latest)
    self.news = news
    let worker = WorkThread(name: "camrec-pictures", niceness: PictureStudio.niceness) { [self] in run() }
    thread.withLock { $0 = worker }
  }

  /// - Parameter old: ends with it.
  /// - Throws: code `overload` if so many different pictures are being made already.
  package func add(
    _ subscription: MonitorSubscription, replacing old: MonitorSubscription? = nil
  ) throws(CamrecError) {
    let most = MonitorProtocol.mostVariants
    let isTooMany = state.withLock { state in
      var variants = Set(state.subscriptions.filter { $0 !== old }.compactMap(PictureVariant.init))
      if let new = PictureVariant(subscription) { variants.insert(new) }
      guard variants.count <= most else { return true }
      state.subscriptions.removeAll { $0 === old }
      state.subscriptions.append(subscription)
      return false
    }
    if isTooMany {
      throw CamrecError(
        .overload, "the recorder makes \(most) different pictures already; ask for one of them (width, crop, quality "
          + "and graded alike), or end one", reason: .busy)
    }
    bell.signal()
  }

  /// Pixels of the pictures that a request gets; `nil` before the first frame.
  package func size(of request: PictureRequest) -> (width: Int, height: Int)? {
    guard let shape = state.withLock({ $0.shape }) else { return nil }
    let wanted = PictureMaker.Request(
      PictureVariant(request), shape.view.rotation, changesColors: shape.view.isGraded)
    let view = PictureKernel.View(of: shape.format, wanted)
    return (view.width, view.height)
  }

  package func remove(_ subscription: MonitorSubscription) {
    state.withLock { $0.subscriptions.removeAll { $0 === subscription } }
  }

  /// Ends the thread, and waits for the picture under way.
  package func close() {
    state.withLock { $0.isClosed = true }
    bell.signal()
    thread.withLock { $0.take() }?.join()
  }

  // MARK: Its thread

  private func run() {
    var camera: ViewedCamera?
    var bench = PictureBench()
    while true {
      let (wanted, isClosed) = state.withLock { ($0.subscriptions, $0.isClosed) }
      if isClosed { return }
      guard !wanted.isEmpty else {
        (camera, bench) = (nil, PictureBench())
        bell.wait()
        continue
      }
      do throws(CamrecError) {
        let now = try current(camera)
        // Another camera may be mounted another way, with frames of the same format.
        if now !== camera { bench = PictureBench() }
        camera = now
        try look(at: now, for: wanted, &bench)
      } catch {
        camera = nil
        tell(error, wanted)
        bell.wait(within: PictureStudio.pause)
      }
    }
  }

  /// The camera that runs.
  private func current(_ camera: ViewedCamera?) throws(CamrecError) -> ViewedCamera {
    if let camera, !camera.hasEnded { return camera }
    return try ViewedCamera(try source.runningCamera(), copies: false)
  }

  private func tell(_ error: CamrecError, _ wanted: [MonitorSubscription]) {
    var isNews = false
    for subscription in wanted where subscription.offer(nothing: error) { isNews = true }
    if isNews { news() }
  }

  private func look(
    at camera: ViewedCamera, for wanted: [MonitorSubscription], _ bench: inout PictureBench
  ) throws(CamrecError) {
    var kinds: ViewedCamera.Kinds = []
    for subscription in wanted { kinds.insert(subscription.isGraded ? .graded : .captured) }
    func isWanted(_ isGraded: Bool, _ facts: TappedFrame) -> Bool {
      facts.isFresh(at: .now()) && wanted.contains { $0.isGraded == isGraded && $0.wants(facts.captureTime) }
    }
    _ = try camera.next(kinds, within: PictureStudio.round, if: isWanted) {
      (isGraded, facts, frame) throws(CamrecError) in
      let due = wanted.filter { $0.isGraded == isGraded && $0.wants(facts.captureTime) }
      guard !due.isEmpty else { return }
      latest.keep(camera.remains.camera)
      let recorder = source.state
      state.withLock { $0.shape = (frame.format, camera.view) }
      var flags: MonitorFlags = isGraded && camera.view.isGraded ? [.graded] : []
      if recorder.phase == .recording {
        flags.insert(.recording)
      } else if recorder.preRoll != nil {
        flags.insert(.preRoll)
      }
      if camera.isExposed { flags.insert(.exposureSettled) }
      for (wish, group) in Dictionary(grouping: due, by: \.kind) {
        let product = try bench.make(wish, facts, frame, camera.view, flags, recorder.level)
        group.forEach { $0.offer(product, facts.captureTime) }
        news()
      }
    }
    bench.forget(except: Set(wanted.map(\.kind)))
  }
}

extension TappedFrame {
  /// Nanoseconds after which a frame is not shown as the latest: a slot keeps the last one of long ago.
  static let staleAfter: Int64 = 1_000_000_000

  func isFresh(at now: MonotonicTime) -> Bool { now - tapTime <= TappedFrame.staleAfter }
}
