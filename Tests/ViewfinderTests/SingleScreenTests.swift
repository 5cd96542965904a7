import Frames
import RecorderAPI
import Testing
import Viewfinder

@Suite struct SingleScreenTests {
  private static let red = ViewColor.red, amber = ViewColor.amber

  // MARK: The frame

  @Test(arguments: Window.common) func whileRecording_aRedFrameIsAroundThePicture(window: Window) throws {
    let commands = window.commands(Made.single(Made.state(.recording)))
    let picture = try #require(commands.pictures.first).rect
    let frame = commands.fills(SingleScreenTests.red)
    for (x, y) in [
      (picture.x - 1, picture.y + picture.height / 2), (picture.right, picture.y + picture.height / 2),
      (picture.x + picture.width / 2, picture.y - 1), (picture.x + picture.width / 2, picture.bottom),
    ] {
      #expect(frame.contains { $0.contains(x: x, y: y) }, "\(x), \(y)")
    }
    #expect(!frame.contains { $0.contains(x: picture.x, y: picture.y) }, "the frame hides nothing of the picture")
    #expect(commands.fills(SingleScreenTests.amber).isEmpty)
    #expect(commands.words.contains("REC 0:01:23"), "not by colour alone")
  }

  @Test func whilePreRollIsKept_theFrameIsAmber() {
    var state = Made.state(.standby)
    state.preRoll = PreRollStatus(seconds: 3.2)
    let commands = Window.common[0].commands(Made.single(state))
    #expect(commands.fills(SingleScreenTests.red).isEmpty && commands.fills(SingleScreenTests.amber).count >= 5)
    #expect(commands.words.contains("PRE-ROLL 3.2 s"))
  }

  @Test(arguments: [RecorderState.Phase.standby, .starting, .waiting, .stopping, .ended])
  func otherwise_thereIsNoFrame(phase: RecorderState.Phase) {
    let commands = Window.common[0].commands(Made.single(Made.state(phase)))
    #expect(commands.fills(SingleScreenTests.red).isEmpty && commands.fills(SingleScreenTests.amber).isEmpty)
    let word = [
      .standby: "STANDBY", .starting: "STARTING", .waiting: "NO CAMERA", .stopping: "FINISHING 0:01:23",
      .ended: "ENDED",
    ][phase]
    #expect(commands.words.contains(word ?? "-"))
  }

  @Test(arguments: [
    (RecorderState.Phase.standby, "space record  ? keys"), (.recording, "space stop  ? keys"),
    (.waiting, "space stop  ? keys"), (.starting, "? keys"), (.stopping, "? keys"),
  ])
  func space_isOfferedWhereItDoesSomething(phase: RecorderState.Phase, text: String) {
    #expect(Window(width: 1920, height: 540).commands(Made.single(Made.state(phase))).words.contains(text))
  }

  @Test func withoutAState_thePictureSaysWhetherItIsRecorded() {
    let commands = Window.common[0].commands(
      Made.single(nil, Made.picture(960, 540, [.recording]), control: .denied("looking only")))
    #expect(!commands.fills(SingleScreenTests.red).isEmpty && commands.words.contains("REC"))
    let preRoll = Window.common[0].commands(Made.single(nil, Made.picture(960, 540, [.preRoll])))
    #expect(preRoll.words.contains("PRE-ROLL"))
    #expect(Window.common[0].commands(Made.single(nil)).words.contains("NO FILM"))
  }

  // MARK: Words

  @Test(arguments: Window.common) func whatAFilmDependsOn_standsOnEveryScreen(window: Window) {
    var state = Made.state(.recording)
    state.exposure?.missingEV = 0.7
    state.filmAccount = Made.lost(3)
    let words = window.commands(Made.single(state)).words
    for word in ["REC 0:01:23", "LOST 3 frames", "ISO 800", "180° 1/48 s", "3:12 h left", "10:11:12:13", "-12 dB"] {
      #expect(words.contains(word), "\(word) in \(words)")
    }
    #expect(words.contains { ["EV off -0.7", "EV -0.7"].contains($0) })
  }

  @Test func losses_areRedWithTheirNumber_andThoseOfTheLastFilmAreNot() throws {
    var state = Made.state(.recording)
    state.filmAccount = Made.lost(1)
    let now = Window.common[0].commands(Made.single(state)).texts
    let alarm = try #require(now.first { $0.text == "LOST 1 frame" }).color
    #expect(alarm.red > 200 && alarm.green < 128 && alarm.blue < 128)
    state.phase = .standby
    let later = Window.common[0].commands(Made.single(state)).texts
    #expect(try #require(later.first { $0.text == "last film lost 1 frame" }).color != alarm)
    state.phase = .recording
    state.filmAccount = .init(soundLost: 5)
    let audio = Window.common[0].commands(Made.single(state)).texts
    #expect(audio.contains { $0.text == "LOST AUDIO" && $0.color == alarm })
  }

  @Test func aFullDisk_isAnAlarmOnceItIsMeasured() throws {
    var state = Made.state(.recording)
    state.disk?.secondsLeft = 100
    let measured = Window.common[0].commands(Made.single(state)).texts
    #expect(try #require(measured.first { $0.text == "100 s left" }).color.green < 128)
    state.disk?.isSecondsLeftMeasured = false
    let expected = Window.common[0].commands(Made.single(state)).texts
    #expect(try #require(expected.first { $0.text == "about 100 s left" }).color.green > 200)
  }

  @Test(arguments: [
    (0.0, "EV off 0.0"), (0.7, "EV off -0.7"), (-1.25, "EV off +1.2"), (0.04, "EV off 0.0"),
  ])
  func belowZero_isTooDark(missing: Double, text: String) {
    var state = Made.state(.standby)
    state.exposure = Made.exposure(missing: missing)
    #expect(Window.common[0].commands(Made.single(state)).words.contains(text))
  }

  @Test(arguments: [
    (1.0 / 48, "180° 1/48 s"), (1.0 / 47.96, "180° 1/48 s"), (1.0 / 59.5, "180° 1/59.5 s"),
    (1.0 / 119.88, "180° 1/119.9 s"), (1.0 / 999.6, "180° 1/1000 s"), (0.5, "180° 0.5 s"), (0, "180° 0 s"),
  ] as [(Double, String)])
  func theExposureTime_isThatOfThePicture(time: Double, text: String) {
    var picture = Made.picture()
    var header = picture.header
    header.exposureTime = time
    picture = ViewedRecorder.Picture(header, time: Made.now)
    let state = Made.state(.standby)
    var expected = text
    // One that a picture does not tell is the state's.
    if time == 0 { expected = "180° 1/48 s" }
    #expect(Window.common[0].commands(Made.single(state, picture)).words.contains(expected))
  }

  @Test(arguments: [(1.0 / 3, "set +1/3 EV"), (-5.0 / 3, "set -1 2/3 EV"), (2, "set +2 EV"), (0.5, "set +0.50 EV")])
  func whatIsSet_isSaid(bias: Double, text: String) {
    var state = Made.state(.standby)
    state.exposure = Made.exposure(bias: bias)
    #expect(Window.common[0].commands(Made.single(state)).words.contains(text))
  }

  @Test(arguments: Window.common) func theModeOfTheExposure_isSaid(window: Window) {
    var state = Made.state(.recording)
    let priority = window.commands(Made.single(state)).words
    #expect(priority.contains { ["shutter-priority", "shutter"].contains($0) }, "\(priority)")
    state.exposure = Made.exposure(mode: "auto")
    #expect(window.commands(Made.single(state)).words.contains("auto"))
    (state.exposure, state.nextExposure) = (nil, .init(mode: "auto", bias: 0, isLocked: false))
    #expect(window.commands(Made.single(state)).words.contains("auto"))
    state.nextExposure = nil
    #expect(!window.commands(Made.single(state)).words.contains("auto"))
  }

  @Test func namesWithOtherLetters_areStillNames() {
    let words = Window.common[0].commands(Made.single(Made.state(.standby), id: "Küche 相")).words
    #expect(words.contains("Kuche ?"))
  }

  @Test func aShortEstimate_hasItsSign() {
    var state = Made.state(.recording)
    state.disk?.secondsLeft = 172_800
    state.disk?.isSecondsLeftMeasured = false
    let words = Window(width: 480, height: 270).commands(Made.single(state)).words
    #expect(words.contains { $0.hasPrefix("~2") } && !words.contains { $0.hasPrefix("?2") }, "\(words)")
  }

  // MARK: Room

  @Test(arguments: Window.common + Window.odd) func nothingIsDrawnBesideTheWindow(window: Window) {
    var state = Made.state(.recording)
    state.filmAccount = Made.lost(123_456)
    state.failure = String(repeating: "a long sentence ", count: 20)
    var model = Made.single(state, Made.picture(age: 90))
    _ = model.press(.histogram, at: Made.now)
    let bounds = ViewRect(x: 0, y: 0, width: window.width, height: window.height)
    for command in window.commands(model) {
      switch command {
      case .fill(let rect, _):
        // A chip may be higher than a row of a very small window.
        guard window.width >= 320 else { continue }
        #expect(rect.isEmpty || rect.x >= -bounds.width / 40 && rect.right <= bounds.right + bounds.width / 40)
      case .picture(_, let part, let rect):
        #expect(rect.x >= 0 && rect.y >= 0 && rect.right <= bounds.right && rect.bottom <= bounds.bottom)
        #expect(part.width <= 1 && part.height <= 1)
      case .text(let text, let x, let y, let height, _):
        guard window.width >= 320 else { continue }
        let right = x + GlyphBitmap.place(of: text.count, height: height)
        #expect(x >= 0 && y >= 0 && y + height <= bounds.bottom && right <= bounds.right + height, "\(text)")
      case .line(let points, _): #expect(points.allSatisfy { bounds.contains(x: $0.x, y: $0.y) })
      }
    }
  }

  @Test(arguments: Window.common) func thePicture_hasItsShapeAndMostOfTheWindow(window: Window) throws {
    for (width, height) in [(1920, 1080), (1080, 1920), (1440, 1080), (853, 480)] {
      let state = Made.state(.standby, width: width, height: height)
      let picture = Made.picture(width / 2 & ~1, height / 2 & ~1)
      let rect = try #require(window.commands(Made.single(state, picture)).pictures.first).rect
      let shape = Double(width) / Double(height)
      #expect(abs(Double(rect.width) / Double(rect.height) / shape - 1) < 0.01)
      #expect(rect.width % 2 == 0 && rect.height % 2 == 0)
      #expect(rect.height >= window.height * 85 / 100 || rect.width >= window.width * 95 / 100)
    }
  }

  @Test func withoutInformation_thePictureGetsTheRows() throws {
    var model = Made.single(Made.state(.standby))
    let window = Window.common[0]
    let before = try #require(window.commands(model).pictures.first).rect
    _ = model.press(.information, at: Made.now)
    let commands = window.commands(model)
    #expect(try #require(commands.pictures.first).rect.height > before.height && commands.words.isEmpty)
  }

  @Test func withoutInformation_onlyWhatIsWrongIsWritten() {
    var model = Made.single(Made.state(.standby))
    let window = Window.common[0]
    let plain = window.commands(model).count
    _ = model.press(.histogram, at: Made.now)
    #expect(window.commands(model).count > plain)
    _ = model.press(.information, at: Made.now)
    model.say("exposure 0 EV", isRefusal: false, at: Made.now)
    #expect(window.commands(model).count == 1, "the picture")
    #expect(model.wish(for: "front", width: 1280, height: 720)?.wantsMeasures == false)
    model.say("the camera has no focus", isRefusal: true, at: Made.now)
    #expect(window.commands(model).words == ["The camera has no focus."])
    // Whoever asks for the histogram then sees it.
    _ = model.press(.histogram, at: Made.now)
    #expect(model.showsInformation && model.showsHistogram)
  }

  // MARK: Old pictures

  @Test func aPictureOlderThanASecond_isGreyAndSaysHowOld() throws {
    let window = Window.common[0]
    let fresh = window.commands(Made.single(Made.state(.standby), Made.picture(age: 0.9)))
    #expect(fresh.fills(.veil).isEmpty)
    let old = window.commands(Made.single(Made.state(.standby), Made.picture(age: 3.4)))
    #expect(old.fills(.veil) == [try #require(old.pictures.first).rect])
    #expect(old.words.contains("This picture is 3 s old."))
    #expect(window.commands(Made.single(Made.state(.standby), Made.picture(age: 0.9)), at: Made.later(1)).words
      .contains("This picture is 1 s old."))
  }

  @Test func ofASlowCamera_threeFramesMayPass() {
    let window = Window.common[0], state = Made.state(.standby, rate: "1")
    #expect(window.commands(Made.single(state, Made.picture(age: 2.9))).fills(.veil).isEmpty)
    #expect(!window.commands(Made.single(state, Made.picture(age: 3.1))).fills(.veil).isEmpty)
  }

  @Test func whatIsWrong_isSaid() {
    var state = Made.state(.waiting)
    state.cameraFailure = "the camera is gone"
    var model = Made.single(state)
    model.update("front") { $0.failure = "the camera is gone" }
    let words = Window.common[0].commands(model).words
    #expect(words.filter { $0 == "The camera is gone." }.count == 1)
    model.setRunning([], at: Made.now)
    #expect(Window.common[0].commands(model).words.contains { $0.hasPrefix("The recorder front has ended") })
  }

  @Test func whatHasEnded_hasNoLevelAndNoTimeLeft() {
    let window = Window.common[0]
    func isLive(_ model: ViewModel) -> Bool {
      let commands = window.commands(model)
      return commands.words.contains { $0.hasSuffix("dB") || $0.hasSuffix("left") || $0.hasSuffix("unsaved") }
        || !commands.fills(ViewColor(48, 48, 48)).isEmpty
    }
    var state = Made.state(.recording)
    (state.unsavedSeconds, state.lossBound) = (9, 1)
    var model = Made.single(state)
    #expect(isLive(model))
    model.setRunning([], at: Made.now)
    #expect(!isLive(model))
    #expect(!isLive(Made.single(Made.state(.ended))))
  }

  @Test func aRecordingThatCannotContinue_isNotCalledWithoutACamera() {
    var state = Made.state(.waiting)
    state.continuationFailure = "the disk is full"
    let words = Window.common[0].commands(Made.single(state)).words
    #expect(words.contains("CANNOT RECORD") && !words.contains("NO CAMERA"))
    #expect(words.contains("Cannot continue: the disk is full."))
  }

  @Test func aFailure_isSaidToBeOfTheLastFilm_onlyIfThereIsOne() {
    var state = Made.state(.standby)
    state.failure = "the disk is full"
    #expect(Window.common[0].commands(Made.single(state)).words.contains("Cannot record: the disk is full."))
    state.films = 1
    let words = Window.common[0].commands(Made.single(state)).words
    #expect(words.contains("The last film ended early: the disk is full."))
    #expect(!words.contains { $0.hasPrefix("Cannot record") })
  }

  @Test func aStartThatRecordedNothing_isSaidUntilTheNextFilm() {
    var state = Made.state(.standby)
    state.startFailure = "no frame came"
    state.cameraFailure = state.startFailure
    let words = Window.common[0].commands(Made.single(state)).words
    #expect(words.contains("No film was made: no frame came."))
    #expect(!words.contains("No frame came."), "once is enough")
    state.phase = .recording
    state.cameraFailure = nil
    #expect(!Window.common[0].commands(Made.single(state)).words.contains { $0.hasSuffix("no frame came.") })
  }

  // MARK: Over the picture

  @Test func theHistogram_isInThePicture() throws {
    var model = Made.single(Made.state(.standby))
    _ = model.press(.histogram, at: Made.now)
    var counts = [UInt32](repeating: 0, count: 256)
    (counts[100], counts[255]) = (975, 25)
    model.update("front") {
      $0.measures = MeasuresPayload(bitDepth: 8, luma: counts, red: counts, green: counts, blue: counts)
    }
    let commands = Window.common[0].commands(model), picture = try #require(commands.pictures.first).rect
    let lines = commands.compactMap { if case .line(let points, let color) = $0 { (points, color) } else { nil } }
    #expect(Set(lines.map(\.1)).count == 3)
    for (points, _) in lines {
      #expect(points.allSatisfy { picture.contains(x: $0.x, y: $0.y) })
      #expect(points.map(\.y).min() == points[100].y, "the highest is where most pixels are")
    }
    #expect(commands.words.contains("clipped 2.5 %"))
    _ = model.press(.histogram, at: Made.now)
    #expect(!Window.common[0].commands(model).words.contains("clipped 2.5 %"))
  }

  @Test(arguments: Window.common) func theListOfKeys_isWhole(window: Window) {
    var model = Made.single(Made.state(.standby))
    _ = model.press(.help, at: Made.now)
    let words = window.commands(model).words
    for key in ViewKey.allCases { #expect(words.contains(key.names) && words.contains(key.meaning)) }
    for case .text(_, let x, let y, let height, _) in window.commands(model) {
      #expect(x >= 0 && y >= 0 && y + height <= window.height)
    }
  }

  @Test(arguments: Window.common) func theListOfKeys_coversNoRowAndNoSentence(window: Window) {
    var model = Made.single(Made.state(.recording), Made.picture(age: 9))
    func lines(_ model: ViewModel) -> [(text: String, top: Int, bottom: Int)] {
      window.commands(model).compactMap {
        if case .text(let text, _, let y, let height, _) = $0 { (text, y, y + height * 4 / 3) } else { nil }
      }
    }
    let rows = lines(model).filter { !$0.text.hasPrefix("This picture") }
    #expect(rows.count < lines(model).count)
    _ = model.press(.help, at: Made.now)
    let names = Set(ViewKey.allCases.flatMap { [$0.names, $0.meaning] } + ["wheel", "drag"])
    let list = lines(model).filter { names.contains($0.text) }
    for row in rows { #expect(list.allSatisfy { $0.bottom <= row.top || row.bottom <= $0.top }, "\(row.text)") }
    #expect(!lines(model).contains { $0.text.hasPrefix("This picture") })
  }

  @Test func theLevel_isDrawnForEachChannel() {
    var model = Made.single(Made.state(.recording))
    model.update("front") {
      let none = [UInt32](repeating: 0, count: 256)
      $0.measures = MeasuresPayload(
        bitDepth: 8, luma: none, red: none, green: none, blue: none,
        levels: [.init(peak: -20, held: -6), .init(peak: -.infinity, held: -.infinity)])
    }
    let commands = Window.common[0].commands(model)
    #expect(commands.words.contains("-6 dB"))
    #expect(commands.fills(ViewColor(48, 48, 48)).count == 2)
    var state = Made.state(.recording)
    state.level = .init(peak: 1, held: 1, isClipped: true)
    #expect(Window.common[0].commands(Made.single(state)).words.contains("CLIP"))
    state.level = nil
    #expect(!Window.common[0].commands(Made.single(state)).words.contains { $0.hasSuffix("dB") })
  }
}
