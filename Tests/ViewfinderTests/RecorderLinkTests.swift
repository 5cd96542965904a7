import ControlCodec
import Frames
import Platform
import RecorderAPI
import RecorderRemote
import Synchronization
import Testing
import Viewfinder

@Suite struct RecorderLinkTests {
  private static let wish = PictureWish(isGraded: true, width: 960, rate: 30)

  /// A link, and what has come of it.
  private final class Watched {
    let link: RecorderLink
    private let bell: MonotonicSemaphore

    init(_ reach: RecorderReach, feed: PretendedFeed? = nil) {
      let bell = MonotonicSemaphore()
      self.bell = bell
      link = RecorderLink(reach, feed: feed, makeDecoder: { PretendedDecoder() }, changed: { bell.signal() })
    }

    deinit { link.end() }

    /// Looks until something is so; a minute at most.
    @discardableResult
    func until(_ isSo: (RecorderLink.News) -> Bool) -> RecorderLink.News? {
      let end = MonotonicTime.now().advanced(by: 60_000_000_000)
      var outcomes: [(text: String, isRefusal: Bool)] = []
      while MonotonicTime.now() < end {
        var news = link.takeNews()
        if let picture = news.picture { link.finish(picture) }
        outcomes += news.outcomes
        news.outcomes = outcomes
        if isSo(news) { return news }
        bell.wait(within: 0.05)
      }
      Issue.record("nothing came of it")
      return nil
    }
  }

  private static func reach(
    _ feeds: [PretendedFeed] = [], control: RecorderReach.Control = .denied("only looking"),
    state: RecorderState? = nil
  ) -> RecorderReach {
    let rest = Mutex(feeds)
    return RecorderReach(
      id: "front",
      connectMonitor: { () throws(CamrecError) in
        let feed = rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        guard let feed else { throw CamrecError(.device, "nobody answers") }
        return feed
      }, connectControl: { () throws(CamrecError) in control }, readState: { state })
  }

  // MARK: Pictures

  @Test func aPicture_isDecodedAndAcknowledgedWhenItWasShown() throws {
    let feed = PretendedFeed(), watched = Watched(RecorderLinkTests.reach(), feed: feed)
    watched.link.want(RecorderLinkTests.wish)
    watched.until { _ in feed.pictures.count == 1 }
    let number = try #require(feed.pictures.first).number
    #expect(feed.pictures.first?.request.width == 960)
    feed.sendPicture(number, 1, width: 6)
    let news = watched.until { $0.picture != nil }
    let picture = try #require(news?.picture)
    #expect(picture.width == 6 && picture.height == 2 && picture.part == .whole && picture.pixels.count >= 48)
    #expect(feed.used.map(\.0) == [number] && feed.used.map(\.1) == [1])
  }

  @Test func anotherPart_isASubscriptionOfItsOwn_andTheFirstGoesOnUntilThen() throws {
    let feed = PretendedFeed(), watched = Watched(RecorderLinkTests.reach(), feed: feed)
    watched.link.want(RecorderLinkTests.wish)
    watched.until { _ in feed.pictures.count == 1 }
    var part = RecorderLinkTests.wish
    part.part = PicturePart(x: 0.25, y: 0.25, width: 0.5, height: 0.5)
    watched.link.want(part)
    watched.until { _ in feed.pictures.count == 2 }
    let (old, new) = (feed.pictures[0].number, feed.pictures[1].number)
    #expect(old != new && feed.ended.isEmpty)
    #expect(feed.pictures[1].request.crop == (try MonitorCrop(x: 0.25, y: 0.25, width: 0.5, height: 0.5)))
    feed.sendPicture(old, 1, width: 3)
    #expect(watched.until { $0.picture?.width == 3 }?.picture?.part == .whole)
    #expect(feed.ended.isEmpty)
    feed.sendPicture(new, 1, width: 4)
    #expect(watched.until { $0.picture?.width == 4 }?.picture?.part == part.part)
    #expect(feed.ended == [old])
    watched.link.want(nil)
    watched.until { _ in feed.ended == [old, new] }
  }

  @Test func onlyTheLatestPicture_isKept_andADamagedOneIsTold() throws {
    let feed = PretendedFeed(), watched = Watched(RecorderLinkTests.reach(), feed: feed)
    watched.link.want(RecorderLinkTests.wish)
    watched.until { _ in feed.pictures.count == 1 }
    let number = try #require(feed.pictures.first).number
    for sequence in 1...5 { feed.sendPicture(number, UInt64(sequence), width: UInt8(sequence)) }
    watched.until { $0.picture?.width == 5 }
    feed.sendPicture(number, 6, width: 0)
    #expect(watched.until { $0.failure != nil }?.failure == "no image")
    #expect(feed.used.map(\.1).last == 6, "a damaged picture holds up no other")
    feed.sendPicture(number, 7)
    #expect(watched.until { $0.picture != nil }?.failure == nil)
  }

  @Test func aRefusal_isToldAndTriedAgain() {
    let feed = PretendedFeed(), watched = Watched(RecorderLinkTests.reach(), feed: feed)
    feed.refuse(CamrecError(.usage, "8 different pictures are being made"))
    watched.link.want(RecorderLinkTests.wish)
    watched.until { $0.failure == "8 different pictures are being made" }
    feed.refuse(nil)
    watched.until { _ in feed.pictures.count == 1 }
  }

  @Test func measures_comeWithTheSizeOfTheFrame() throws {
    let feed = PretendedFeed(), watched = Watched(RecorderLinkTests.reach(), feed: feed)
    var wish = RecorderLinkTests.wish
    wish.wantsMeasures = true
    watched.link.want(wish)
    watched.until { _ in feed.measures.count == 1 }
    let counts = [UInt32](repeating: 1, count: 256)
    let measures = MeasuresPayload(bitDepth: 8, luma: counts, red: counts, green: counts, blue: counts)
    var header = MonitorHeader(.measures, subscription: feed.measures[0], sequence: 1)
    (header.width, header.height) = (1920, 1080)
    feed.send(MonitorMessage(header, payload: measures.bytes))
    let news = watched.until { $0.measures != nil }
    #expect(news?.measures == measures && news?.measured == FrameExtent(width: 1920, height: 1080))
    watched.link.want(RecorderLinkTests.wish)
    #expect(watched.until { $0.measures == nil } != nil, "old measures are not shown for new ones")
  }

  @Test func aNotice_saysWhyNothingComes() throws {
    let feed = PretendedFeed(), watched = Watched(RecorderLinkTests.reach(), feed: feed)
    watched.link.want(RecorderLinkTests.wish)
    watched.until { _ in feed.pictures.count == 1 }
    let number = feed.pictures[0].number
    feed.send(MonitorText.notice(.waiting, number, CamrecError(.device, "the camera is gone")).message(sequence: 2))
    watched.until { $0.failure == "the camera is gone" }
    feed.send(MonitorText.notice(.ended, number, CamrecError(.device, "the camera changed")).message(sequence: 3))
    watched.until { _ in feed.pictures.count == 2 }
  }

  @Test func aLostConnection_isMadeAgain() throws {
    let (first, second) = (PretendedFeed(), PretendedFeed())
    let watched = Watched(RecorderLinkTests.reach([second]), feed: first)
    watched.link.want(RecorderLinkTests.wish)
    watched.until { _ in first.pictures.count == 1 }
    first.fail(CamrecError(.device, "the recorder has ended"))
    watched.until { $0.failure == "the recorder has ended" }
    watched.until { _ in second.pictures.count == 1 }
    #expect(first.isClosed)
    second.sendPicture(second.pictures[0].number, 1)
    #expect(watched.until { $0.picture != nil }?.failure == nil)
  }

  @Test func theEnd_closesTheConnection() {
    let feed = PretendedFeed(), watched = Watched(RecorderLinkTests.reach(), feed: feed)
    watched.link.want(RecorderLinkTests.wish)
    watched.until { _ in feed.pictures.count == 1 }
    watched.link.end()
    watched.until { _ in feed.isClosed }
  }

  // MARK: State and commands

  @Test func withoutTheRight_theStateIsThatOfTheFile() {
    let watched = Watched(RecorderLinkTests.reach(state: Made.state(.recording)))
    let news = watched.until { $0.state != nil && $0.control != .unknown }
    #expect(news?.control == .denied("only looking") && news?.state?.phase == .recording)
  }

  @Test func aControlSocketThatFails_saysWhyInTheWindowsWords_andTheStateIsThatOfTheFile() {
    let state = Made.state(.recording)
    let watched = Watched(
      RecorderReach(
        id: "front",
        connectMonitor: { () throws(CamrecError) -> any PictureFeed in throw CamrecError(.device, "nobody answers") },
        connectControl: { () throws(CamrecError) -> RecorderReach.Control in
          throw CamrecError(.device, about: .monitor, "it speaks another version; restart it with \(setting: .monitor)")
        }, readState: { state }))
    let news = watched.until { $0.control != .unknown }
    #expect(news?.control == .denied("it speaks another version; restart it with 'monitor'"))
    #expect(news?.state?.phase == .recording, "both come at once")
  }

  @Test func commands_arePerformedInTheirOrder_andRefusalsAreTold() throws {
    let recorder = PretendedRecorder(Made.state(.recording))
    let watched = Watched(RecorderLinkTests.reach(control: .client(recorder)))
    watched.until { $0.control == .allowed && $0.state?.phase == .recording }
    watched.link.perform(.request(try ControlRequest(.ev, ["value": "+1/3"]), .brighter))
    watched.link.perform(.request(try ControlRequest(.focus), .focus))
    let outcomes = watched.until { $0.outcomes.count == 2 }?.outcomes ?? []
    #expect(outcomes.map(\.text) == ["exposure 0 EV", "the camera has no focus"])
    #expect(outcomes.map(\.isRefusal) == [false, true])
    #expect(recorder.requests.withLock { $0 }.map(\.word) == [.ev, .focus])
  }

  @Test func theWhiteBalance_goesThroughWhatTheCameraOffers() throws {
    var balance = ControlDescription("white-balance", .number)
    (balance.minimum, balance.maximum, balance.value) = (2800, 6500, .number(5600))
    balance.choices = ["auto", "daylight", "tungsten"]
    let recorder = PretendedRecorder(Made.state(.recording), controls: [balance])
    let watched = Watched(RecorderLinkTests.reach(control: .client(recorder)))
    watched.until { $0.control == .allowed }
    for _ in 0..<4 { watched.link.perform(.nextWhiteBalance) }
    watched.until { _ in recorder.requests.withLock { $0.count } == 4 }
    #expect(
      recorder.requests.withLock { $0 }.compactMap { $0.members["value"] } == ["auto", "daylight", "tungsten", "auto"])
  }

  @Test func aCameraWithoutWhiteBalance_isToldSo() {
    let watched = Watched(RecorderLinkTests.reach(control: .client(PretendedRecorder(Made.state(.standby)))))
    watched.until { $0.control == .allowed }
    watched.link.perform(.nextWhiteBalance)
    let outcome = watched.until { !$0.outcomes.isEmpty }?.outcomes.first
    #expect(outcome?.text == "the camera of 'front' has no white balance to choose" && outcome?.isRefusal == true)
  }
}
