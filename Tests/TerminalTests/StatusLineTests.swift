import Movies
import Recorder
import RecorderAPI
import Terminal
import Testing

/// What somebody behind a camera reads at a glance.
@Suite struct StatusLineTests {
  private static func exposure(missingEV: Double = 0) -> ExposureStatus {
    ExposureStatus(
      mode: "shutter-priority", state: .settled, exposureTime: 1.0 / 48, shutterAngle: 180, reachedShutterAngle: 180,
      iso: 122, isCalibrated: true, gain: 0.3, bias: 0, metering: "centre", isLocked: false, missingEV: missingEV)
  }

  private static func recording(lost: Int = 0) -> RecorderState {
    var state = RecorderState(phase: .recording)
    state.seconds = 3725
    state.timecode = "17:33:09:05"
    state.exposure = exposure()
    state.level = .init(peak: 0.25, held: 0.5, isClipped: false)
    state.filmAccount = .init()
    state.filmAccount?.ledger.lost = lost > 0 ? ["overload": lost] : [:]
    state.disk = DiskStatus()
    state.disk?.secondsLeft = 5400
    return state
  }

  @Test func wideTerminal_showsEverything() {
    let line = StatusLine(StatusLineTests.recording(), megabitsPerSecond: 23.46)
    let text = line.text(columns: 200)
    #expect(
      text.hasPrefix(
        "REC 1:02:05  0 lost  17:33:09:05  180° ISO 122 EV off 0.0  23.5 Mb/s  90 min left  [########"), "\(text)")
    #expect(text.hasSuffix(" -6 dB  space stop  ? keys  q quit"))
  }

  /// Standard input may be a pipe, and standard error a terminal.
  @Test func withoutKeys_noneIsNamed() {
    for phase in [RecorderState.Phase.standby, .starting, .recording, .waiting] {
      let text = StatusLine(RecorderState(phase: phase), hasKeys: false).text(columns: 200)
      #expect(text.hasSuffix("0 lost"), "\(text)")
    }
  }

  /// The rest goes before what the film depends on.
  @Test func narrowTerminal_keepsPhaseLossesAndRoom() {
    let line = StatusLine(StatusLineTests.recording(lost: 12), megabitsPerSecond: 23.46)
    for columns in 20...200 {
      let text = line.text(columns: columns)
      #expect(text.count < columns, "\(columns): \(text)")
      #expect(text.hasPrefix("REC 1:02:05"))
    }
    #expect(line.text(columns: 40).contains("LOST 12") && line.text(columns: 40).contains("90 min left"))
    #expect(line.text(columns: 24).contains("LOST 12"))
  }

  /// A word says it, too.
  @Test func losses_areRed_andAWord() {
    let line = StatusLine(StatusLineTests.recording(lost: 1))
    #expect(line.text(columns: 120, isColored: true).contains("\u{1B}[1;31mLOST 1 frame\u{1B}[0m"))
    #expect(!line.text(columns: 120).contains("\u{1B}"))
    var state = StatusLineTests.recording()
    state.filmAccount?.soundLost = 7
    #expect(StatusLine(state).text(columns: 120).contains("LOST AUDIO"))
  }

  /// What the start promises is not worth a word.
  @Test func filmThatACrashWouldCost_isRed_whereItIsMoreThanPromised() {
    var state = StatusLineTests.recording()
    (state.unsavedSeconds, state.lossBound) = (0.97, 0.97)
    #expect(!StatusLine(state).text(columns: 120).contains("unsaved"))
    state.unsavedSeconds = 2.03
    let line = StatusLine(state)
    #expect(line.text(columns: 200, isColored: true).contains("  \u{1B}[1;31m2.0 s unsaved\u{1B}[0m  "))
    #expect(line.text(columns: 40).contains("unsaved"))
    state.lossBound = nil
    #expect(!StatusLine(state).text(columns: 120).contains("unsaved"), "nothing was promised")
  }

  /// Where a film has gone on at another rate, nothing is lost.
  @Test func framesBetweenTwoFilms_areNoLoss_andCalledWhatTheyAre() {
    var state = StatusLineTests.recording()
    state.ledger.lost = ["between": 3]
    let line = StatusLine(state)
    #expect(line.text(columns: 200).hasPrefix("REC 1:02:05  0 lost  3 between films  "))
    for columns in 1...200 {
      let text = line.text(columns: columns, isColored: true)
      #expect(!text.contains("LOST") && !text.contains("\u{1B}[1;31m"), "\(columns): \(text)")
    }
    state.ledger.lost = ["between": 3, "overload": 2]
    state.filmAccount?.ledger.lost = ["overload": 2]
    #expect(StatusLine(state).text(columns: 200).hasPrefix("REC 1:02:05  LOST 2 frames  3 between films  "))
    state.phase = .standby
    #expect(StatusLine(state).text(columns: 200).hasPrefix("STANDBY  last film lost 2 frames  3 between films  "))
  }

  /// What an earlier film lost is no alarm for the one that is being recorded.
  @Test func losses_areThoseOfTheFilm() {
    var state = StatusLineTests.recording()
    state.ledger.lost = ["overload": 1]
    state.totals = .init()
    state.totals?.soundLost = 7
    let text = StatusLine(state).text(columns: 200, isColored: true)
    #expect(text.contains("0 lost") && !text.contains("LOST"), "\(text)")
    state = StatusLineTests.recording(lost: 1)
    state.filmAccount?.soundLost = 7
    state.phase = .standby
    let standby = StatusLine(state).text(columns: 200, isColored: true)
    #expect(standby.hasPrefix("STANDBY  last film lost 1 frame  last film lost audio  "), "\(standby)")
    #expect(StatusLine(state).text(columns: 40).contains("last lost 1"))
  }

  @Test func standby_showsThePreRoll() {
    var state = RecorderState(phase: .standby)
    state.preRoll = PreRollStatus(seconds: 2.25, bytes: 1000)
    let text = StatusLine(state, preRoll: 4).text(columns: 120)
    #expect(text == "STANDBY  0 lost  pre-roll 2.2 of 4 s  space record  ? keys  q quit", "\(text)")
  }

  /// No bound: dark, noisy pictures take more than is expected, and other programs write to the disk as well.
  @Test func theTimeLeft_isAnEstimate_untilItIsMeasured() {
    var state = StatusLineTests.recording()
    state.disk?.secondsLeft = 108_000
    state.disk?.isSecondsLeftMeasured = false
    #expect(StatusLine(state).text(columns: 200).contains("  about 30 h left  "))
    state.disk?.secondsLeft = 53
    let line = StatusLine(state)
    #expect(line.text(columns: 30).contains("~53s") && !line.text(columns: 200, isColored: true).contains("[1;31m"))
    state.disk?.isSecondsLeftMeasured = true
    #expect(StatusLine(state).text(columns: 200).contains("  53 s left  "))
    #expect(StatusLine(state).text(columns: 200, isColored: true).contains("\u{1B}[1;31m53 s left"))
  }

  /// Pictures that can be decoded only from an earlier one are kept with that one.
  @Test func thePreRoll_isNeverLongerThanItWasAskedFor() {
    var state = RecorderState(phase: .standby)
    state.preRoll = PreRollStatus(seconds: 5.64, bytes: 1000)
    #expect(StatusLine(state, preRoll: 5).text(columns: 120).contains("pre-roll 5.0 of 5 s"))
    #expect(StatusLine(state).text(columns: 120).contains("pre-roll 5.6 s"))
  }

  @Test func clippedSound_darkness_andAFullDisk_areSaid() {
    var state = StatusLineTests.recording()
    state.level = .init(peak: 1, held: 1, isClipped: true)
    state.exposure = StatusLineTests.exposure(missingEV: 1.5)
    state.disk?.secondsLeft = 45
    let text = StatusLine(state).text(columns: 160)
    #expect(text.contains("CLIP") && text.contains("EV off -1.5") && text.contains("45 s left"), "\(text)")
  }

  @Test func inAClippedPicture_theExposureIsOffByAtLeastThatMuch() {
    var state = StatusLineTests.recording()
    state.exposure = StatusLineTests.exposure(missingEV: -2.43)
    state.exposure?.isMissingEVLowerBound = true
    #expect(StatusLine(state).text(columns: 160).contains("ISO 122 EV off at least +2.4  "))
    let short = (40...160).map { StatusLine(state).text(columns: $0) }.first { $0.contains("ISO122") }
    #expect(short?.contains("ISO122 EV≥+2.4") == true, "\(short ?? "")")
  }

  @Test func withoutACamera_theTimeIsThatOfItsAbsence_andThereIsNoBitrate() {
    var state = RecorderState(phase: .waiting)
    state.filmAccount = .init()
    let line = StatusLine(state, megabitsPerSecond: 1.7, absentSeconds: 72)
    #expect(line.text(columns: 120) == "NO CAMERA 0:01:12  0 lost  space stop  ? keys  q quit")
    #expect(StatusLine(state).text(columns: 120).hasPrefix("NO CAMERA  0 lost  "))
    state.continuationFailure = "the disk is full"
    #expect(StatusLine(state).text(columns: 120).hasPrefix("CANNOT RECORD  0 lost  "), "the camera is back")
  }

  @Test(arguments: [(RecorderState.Phase.starting, "STARTING"), (.stopping, "FINISHING"), (.ended, "ENDED")])
  func whileAFilmBeginsOrEnds_theSpaceBarIsNotOffered(_ phase: RecorderState.Phase, _ word: String) {
    let text = StatusLine(RecorderState(phase: phase)).text(columns: 120)
    #expect(text.hasPrefix(word) && text.hasSuffix("  ? keys  q quit") && !text.contains("space"), "\(text)")
  }

  @Test func numbersThatNothingHas_areNoTrap() {
    var state = StatusLineTests.recording()
    for number in [Double.nan, .infinity, -.infinity, 1e300, -1e300] {
      state.seconds = number
      (state.unsavedSeconds, state.lossBound) = (number, 1)
      state.disk?.secondsLeft = number
      state.level = .init(peak: number, held: number, isClipped: false)
      state.exposure = StatusLineTests.exposure(missingEV: number)
      let line = StatusLine(state, megabitsPerSecond: number, preRoll: number)
      for columns in [0, 1, 10, 80] { _ = line.text(columns: columns) }
    }
    state.ledger.lost = ["a": .max, "b": .max]
    state.filmAccount?.ledger.lost = ["a": .max, "b": .max]
    _ = StatusLine(state).text(columns: 80)
  }
}
