import Frames
import RecorderAPI
import Testing
import Viewfinder

@Suite struct ViewModelTests {
  private static let window = (width: 1280, height: 720)

  private func request(_ model: ViewModel, _ key: ViewKey) -> ControlRequest? {
    var model = model
    guard case .perform(.request(let request, key), "front")? = model.press(key, at: Made.now).first else { return nil }
    return request
  }

  // MARK: Keys

  @Test func theCharactersOfATerminal_doTheSame() {
    let keys: [(Character, ViewKey)] = [
      (" ", .record), ("M", .marker), ("+", .brighter), ("=", .brighter), ("-", .darker), ("m", .mode), ("l", .lock),
      ("w", .whiteBalance), ("?", .help), ("q", .quit),
    ]
    for (character, key) in keys { #expect(ViewKey(character) == key) }
    #expect(ViewKey("x") == nil && ViewKey("Q") == nil)
  }

  @Test func space_startsInStandbyAndStopsOtherwise() throws {
    #expect(request(Made.single(Made.state(.standby)), .record) == (try ControlRequest(.start)))
    for phase in [RecorderState.Phase.recording, .waiting, .starting] {
      #expect(request(Made.single(Made.state(phase)), .record) == (try ControlRequest(.stop)))
    }
  }

  @Test(arguments: [(0.0, "+1/3", "-1/3"), (1.0 / 3, "+2/3", "+0/3"), (-1, "-2/3", "-4/3"), (0.5, "+3/3", "+1/3")])
  func arrows_goToTheNextThirdOfAnEV(bias: Double, up: String, down: String) throws {
    var state = Made.state(.recording)
    state.exposure = Made.exposure(bias: bias)
    #expect(request(Made.single(state), .brighter) == (try ControlRequest(.ev, ["value": up])))
    #expect(request(Made.single(state), .darker) == (try ControlRequest(.ev, ["value": down])))
    // While no camera is open, it is that of the next film.
    (state.exposure, state.nextExposure) = (nil, .init(mode: "auto", bias: bias, isLocked: true))
    #expect(request(Made.single(state), .brighter) == (try ControlRequest(.ev, ["value": up])))
    #expect(request(Made.single(state), .lock) == (try ControlRequest(.unlock)))
    #expect(request(Made.single(state), .mode) == (try ControlRequest(.mode, ["value": "shutter-priority"])))
  }

  @Test(arguments: [(1e300, "+301/3"), (-1e300, "-299/3"), (Double.infinity, "+1/3"), (Double.nan, "+1/3")])
  func aBiasThatNoCameraHas_isNoEnd(bias: Double, up: String) throws {
    var state = Made.state(.recording)
    state.exposure = Made.exposure(bias: bias)
    #expect(request(Made.single(state), .brighter) == (try ControlRequest(.ev, ["value": up])))
  }

  @Test func theOtherCommands_areThoseOfTheControlProtocol() throws {
    let model = Made.single(Made.state(.recording))
    #expect(request(model, .marker) == (try ControlRequest(.marker)))
    #expect(request(model, .mode) == (try ControlRequest(.mode, ["value": "auto"])))
    #expect(request(model, .lock) == (try ControlRequest(.lock)))
    #expect(request(model, .focus) == (try ControlRequest(.focus)))
    #expect(request(model, .releaseFocus) == (try ControlRequest(.focus, ["value": "release"])))
    var copy = model
    #expect(copy.press(.whiteBalance, at: Made.now) == [.perform(.nextWhiteBalance, "front")])
  }

  @Test func quitAndFullScreen_areForTheWindow() {
    var model = Made.single(Made.state(.recording))
    #expect(model.press(.fullScreen, at: Made.now) == [.setFullScreen(true)])
    #expect(model.press(.fullScreen, at: Made.now) == [.setFullScreen(false)])
    #expect(model.press(.quit, at: Made.now) == [.quit])
  }

  @Test func theListOfKeys_closesAtTheNextKey() {
    var model = Made.single(Made.state(.recording))
    _ = model.press(.help, at: Made.now)
    #expect(model.showsKeys)
    _ = model.press(.help, at: Made.now)
    #expect(!model.showsKeys)
    _ = model.press(.help, at: Made.now)
    #expect(model.press(.record, at: Made.now).count == 1 && !model.showsKeys)
  }

  // MARK: Films

  @Test func aFinishedFilm_isNamedWithItsFrames() {
    let window = Window.common[0]
    var state = Made.state(.recording)
    state.film = "/films/take.mov"
    var model = Made.single(state)
    (state.phase, state.filmAccount) = (.stopping, Made.lost(3))
    state.filmAccount?.ledger.written = 192
    model.setState(state, of: "front", at: Made.now)
    #expect(!window.commands(model).words.contains { $0.contains("take.mov") })
    state.phase = .standby
    model.setState(state, of: "front", at: Made.now)
    #expect(window.commands(model).words.contains("/films/take.mov: 192 frames, 3 lost"))
    // Once, and for a while.
    model.pass(Made.later(5))
    model.setState(state, of: "front", at: Made.later(5))
    #expect(!window.commands(model, at: Made.later(5)).words.contains { $0.contains("take.mov") })
  }

  /// Its state is about the film before again.
  @Test func afterAStartThatKeptNothing_theFilmBeforeIsNotNamed() {
    var state = Made.state(.recording)
    let old = RecordingIdentity()
    (state.film, state.identity) = ("new.mov", RecordingIdentity())
    var model = Made.single(state)
    (state.phase, state.film, state.identity, state.startFailure) = (.standby, "old.mov", old, "the disk is full")
    state.filmAccount?.ledger.written = 500
    model.setState(state, of: "front", at: Made.now)
    #expect(!Window.common[0].commands(model).words.contains { $0.contains("old.mov") })
  }

  /// It went on with another camera, say: one recording, another film.
  @Test func theLastFilmOfARecording_isNamed() {
    var state = Made.state(.recording)
    let first = RecordingIdentity()
    (state.film, state.identity) = ("a.mov", first)
    var model = Made.single(state)
    (state.phase, state.film, state.identity) = (.standby, "b.mov", first.anotherFilm())
    state.filmAccount?.ledger.written = 500
    model.setState(state, of: "front", at: Made.now)
    #expect(Window.common[0].commands(model).words.contains("b.mov: 500 frames, 0 lost"))
  }

  @Test func aFilmOfAnotherCamera_orOfNoFrames_isNotNamed() {
    var state = Made.state(.recording)
    state.film = "take.mov"
    var empty = Made.single(state), wall = Made.wall(["back", "front"])
    wall.setState(state, of: "front", at: Made.now)
    state.phase = .standby
    empty.setState(state, of: "front", at: Made.now)
    state.filmAccount?.ledger.written = 9
    wall.setState(state, of: "front", at: Made.now)
    for model in [empty, wall] {
      #expect(!Window.common[0].commands(model).words.contains { $0.contains("take.mov") })
    }
  }

  // MARK: Who may not control

  @Test func whoMayOnlyLook_isToldSo() {
    var model = Made.single(Made.state(.recording), control: .denied("you may only look"))
    #expect(model.press(.record, at: Made.now).isEmpty)
    let words = Window.common[0].commands(model).words
    #expect(words.contains("You may only look.") && words.contains("looking only"))
    #expect(!words.contains { $0.contains("space") })
    model.pass(Made.later(5))
    #expect(!Window.common[0].commands(model, at: Made.later(5)).words.contains("You may only look."))
  }

  @Test func beforeARecorderAnswers_nothingIsSent() {
    var model = Made.single(Made.state(.recording), control: .unknown)
    #expect(model.press(.record, at: Made.now).isEmpty)
    #expect(Window.common[0].commands(model).words.contains("The recorder front does not answer yet."))
  }

  // MARK: Recorders

  @Test func theOnlyRecorder_fillsTheWindow_alsoWhenAnotherOneComes() {
    var model = Made.single(Made.state(.recording))
    #expect(model.single?.id == "front")
    model.setRunning(["back", "front"], at: Made.now)
    #expect(model.single?.id == "front" && model.recorders.map(\.id) == ["back", "front"])
    _ = model.press(.next, at: Made.now)
    #expect(model.single?.id == "back")
    _ = model.press(.previous, at: Made.now)
    #expect(model.single?.id == "front")
    _ = model.press(.back, at: Made.now)
    #expect(model.single == nil)
  }

  @Test func theFirstRecorderThatIsWaitedFor_fillsTheWindow() {
    var model = ViewModel()
    model.setRunning([], at: Made.now)
    model.setRunning(["front"], at: Made.later(60))
    #expect(model.single?.id == "front")
    // Several at once are shown together.
    var several = ViewModel()
    several.setRunning(["back", "front"], at: Made.now)
    #expect(several.single == nil)
  }

  @Test func aRecorderThatEnds_staysWithItsLastPicture_andIsThereAgainWhenItIsBack() throws {
    var model = Made.single(Made.state(.recording))
    model.setRunning([], at: Made.now)
    model.pass(Made.later(3600))
    let commands = Window.common[0].commands(model, at: Made.later(3600))
    #expect(model.single?.id == "front" && commands.pictures.count == 1 && !commands.fills(.veil).isEmpty)
    #expect(commands.fills(.red).isEmpty, "what has ended records no more")
    #expect(model.press(.record, at: Made.later(3600)).isEmpty)
    model.setRunning(["front"], at: Made.later(3601))
    #expect(try #require(model.single).isRunning)
  }

  @Test func aRecorderWithoutAName_isFollowedToItsNextProcess() {
    var model = Made.single(Made.state(.recording), id: "4711")
    model.setRunning(["4712"], at: Made.now)
    #expect(model.single?.id == "4712")
    // One with a name is waited for.
    var named = Made.single(Made.state(.recording))
    named.setRunning(["4712"], at: Made.now)
    #expect(named.single?.id == "front")
  }

  @Test func whatIsNotTheNextProcess_isNotFollowed() {
    // One with a name is another camera.
    var model = Made.single(Made.state(.recording), id: "4711")
    model.setRunning(["front"], at: Made.now)
    #expect(model.single?.id == "4711")
    model.setRunning(["front", "4712"], at: Made.now)
    model.setRunning(["4712"], at: Made.now)
    #expect(model.single?.id == "4711")
    // So is one that ran at the same time.
    var beside = Made.single(Made.state(.recording), id: "4711")
    beside.setRunning(["4711", "4712"], at: Made.now)
    for second in 0..<3 {
      beside.setRunning(["4712"], at: Made.later(Double(second)))
      #expect(beside.single?.id == "4711")
    }
  }

  @Test func aRecorderWhoseNameBecomesKnown_staysOne() {
    var model = ViewModel()
    model.setRunning(["4711"], at: Made.now)
    model.update("4711") { $0.control = .allowed }
    model.rename("4711", to: "front")
    model.setRunning(["front"], at: Made.now)
    #expect(model.recorders.map(\.id) == ["front"] && model.single?.isRunning == true)
    #expect(model.single?.control == .allowed)
    // So on the wall, also where its last process has just ended.
    var wall = Made.wall(["back", "front"])
    wall.setRunning(["back"], at: Made.now)
    wall.setRunning(["4712", "back"], at: Made.now)
    wall.rename("4712", to: "front")
    wall.setRunning(["back", "front"], at: Made.now)
    #expect(wall.recorders.map(\.id) == ["back", "front"] && wall.single == nil)
    #expect(!Window.common[0].commands(wall).words.contains("ENDED"))
  }

  @Test func onTheWall_whatHasEndedIsShownForTenSeconds() {
    var model = Made.wall(["back", "front"])
    model.setRunning(["front"], at: Made.now)
    #expect(model.recorders.count == 2)
    model.pass(Made.later(9))
    #expect(model.recorders.count == 2)
    model.pass(Made.later(11))
    #expect(model.recorders.map(\.id) == ["front"] && model.single == nil)
  }

  @Test func aName_isTheOnlyRecorder() {
    var model = ViewModel(name: "front")
    #expect(model.single?.isRunning == false)
    model.setRunning(["back", "front"], at: Made.now)
    #expect(model.recorders.map(\.id) == ["front"] && model.single?.isRunning == true)
    _ = model.press(.back, at: Made.now)
    #expect(model.single?.id == "front")
  }

  // MARK: The wall

  @Test func aClickOrADigit_choosesACamera() throws {
    let model = Made.wall(["a", "b", "c"])
    for (index, id) in ["a", "b", "c"].enumerated() {
      var byDigit = model, byClick = model
      _ = byDigit.press(digit: index + 1, at: Made.now)
      #expect(byDigit.single?.id == id)
      let rect = try #require(Window.common[0].commands(model).pictures.first { $0.id == id }).rect
      byClick.pressButton(
        at: ViewPoint(x: rect.x + rect.width / 2, y: rect.y + rect.height / 2), width: 1280, height: 720)
      #expect(byClick.single?.id == id)
    }
    var other = model
    _ = other.press(digit: 4, at: Made.now)
    #expect(other.single == nil)
    #expect(other.press(.record, at: Made.now).isEmpty, "nobody starts all by mistake")
    #expect(Window.common[0].commands(other).words.contains { $0.hasPrefix("Choose a camera first") })
  }

  @Test(arguments: Window.common) func aRefusal_isNotWrittenOverTheNames(window: Window) throws {
    var model = Made.wall(["a", "b"])
    _ = model.press(.record, at: Made.now)
    let places = window.commands(model).compactMap { command -> (text: String, y: Int, height: Int)? in
      if case .text(let text, _, let y, let height, _) = command { (text, y, height) } else { nil }
    }
    let refusal = try #require(places.first { $0.text.hasPrefix("Choose a camera first") })
    let names = places.filter { ["1 a", "2 b", "STANDBY"].contains($0.text) }
    #expect(names.count == 4)
    for name in names { #expect(name.y + name.height < refusal.y, "\(name.text)") }
    // One that is longer than a row covers what is below it.
    model.say(String(repeating: "a long reason ", count: 20), isRefusal: true, at: Made.now)
    #expect(window.commands(model).fills(.black).contains { $0.width == window.width })
  }

  @Test(arguments: Window.common) func theTiles_areAsLargeAsTheyCanBe(window: Window) {
    for count in 1...9 {
      let ids = (1...count).map { "camera\($0)" }
      let pictures = window.commands(Made.wall(ids)).pictures
      #expect(pictures.map(\.id) == ids)
      for (index, one) in pictures.enumerated() {
        #expect(one.rect.x >= 0 && one.rect.right <= window.width && one.rect.bottom <= window.height)
        #expect(abs(Double(one.rect.width) / Double(one.rect.height) / (16.0 / 9) - 1) < 0.03)
        for other in pictures[..<index] {
          let isBeside = one.rect.x >= other.rect.right || other.rect.x >= one.rect.right
          #expect(isBeside || one.rect.y >= other.rect.bottom || other.rect.y >= one.rect.bottom)
        }
      }
      let covered = pictures.reduce(0) { $0 + $1.rect.width * $1.rect.height }
      #expect(covered * 100 >= window.width * window.height * 38, "\(count): \(covered)")
    }
  }

  @Test func aTile_saysWhatIsRecordedAndLost() {
    var model = Made.wall(["a", "b"])
    model.update("b") { recorder in
      recorder.state = Made.state(.recording)
      recorder.state?.filmAccount = Made.lost(7)
    }
    let commands = Window.common[0].commands(model)
    #expect(commands.words.contains("REC 0:01:23") && commands.words.contains { $0.hasPrefix("LOST 7") })
    #expect(commands.words.contains("1 a") && commands.words.contains("2 b"))
    #expect(!commands.fills(.red).isEmpty)
  }

  @Test func aNameThatIsTooLong_isShortened() throws {
    let long = String(repeating: "camera", count: 8) + "50"
    let words = Window(width: 640, height: 360).commands(Made.wall([long, "x"])).words
    let name = try #require(words.first { $0.hasPrefix("1 camera") }, "\(words)")
    #expect(name.hasSuffix("…") && name.count > 8 && words.contains("2 x"))
    #expect(words.filter { $0 == "STANDBY" }.count == 2)
    // So in the row of one camera.
    let single = Window.common[1].commands(Made.single(Made.state(.recording), id: long)).words
    #expect(single.contains { $0.hasPrefix("camera") && $0.hasSuffix("…") }, "\(single)")
    let whole = Window(width: 3840, height: 800).commands(Made.single(Made.state(.recording), id: long)).words
    #expect(whole.contains(long))
  }

  @Test func withoutRecorders_theWindowSaysThatItWaits() {
    let words = Window.common[0].commands(ViewModel()).words
    #expect(words.contains("Waiting for a recorder to start.") && !words.contains { $0.contains("one camera") })
  }

  // MARK: Pictures

  @Test func noMorePixelsAreAskedForThanAreShown() throws {
    for window in Window.common {
      let model = Made.single(Made.state(.recording))
      let wish = try #require(model.wish(for: "front", width: window.width, height: window.height))
      #expect(wish.width == window.commands(model).pictures.first?.rect.width && wish.part == .whole && wish.isGraded)
    }
    // A frame that has fewer is not asked for more.
    let small = Made.single(Made.state(.recording, width: 640, height: 360), Made.picture(640, 360))
    #expect(small.wish(for: "front", width: 1280, height: 720)?.width == 640)
    #expect(small.wish(for: "other", width: 1280, height: 720) == nil)
  }

  @Test func onTheWall_smallPicturesAreAskedFor_andFewerOfMany() throws {
    let few = try #require(Made.wall(["a", "b"]).wish(for: "a", width: 1280, height: 720))
    let many = try #require(Made.wall((1...9).map { "\($0)" }).wish(for: "9", width: 1280, height: 720))
    #expect(few.width < 700 && many.width < few.width && many.rate < few.rate)
  }

  @Test func measures_areAskedForWhereSomethingNeedsThem() {
    var model = Made.single(Made.state(.recording))
    #expect(model.wish(for: "front", width: 1280, height: 720)?.wantsMeasures == false)
    _ = model.press(.histogram, at: Made.now)
    #expect(model.wish(for: "front", width: 1280, height: 720)?.wantsMeasures == true)
    let looking = Made.single(nil, control: .denied("looking"))
    #expect(looking.wish(for: "front", width: 1280, height: 720)?.wantsMeasures == true)
  }

  @Test func ungraded_isAskedFor() {
    var model = Made.single(Made.state(.recording))
    _ = model.press(.graded, at: Made.now)
    #expect(model.wish(for: "front", width: 1280, height: 720)?.isGraded == false)
    // The words say what is shown, not what has been asked for.
    #expect(Window.common[0].commands(model).words.contains("graded"))
    model.update("front") { $0.picture = Made.picture(960, 540, []) }
    #expect(Window.common[0].commands(model).words.contains("ungraded"))
    model.update("front") { $0.picture = nil }
    #expect(!Window.common[0].commands(model).words.contains { $0.hasSuffix("graded") })
  }
}
