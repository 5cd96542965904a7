import CameraTestKit
import Exposure
import Foundation
import Frames
import Movies
import Platform
import Recorder
import RecorderAPI
import Synchronization
import Testing

/// Random walks of a recorder in standby against a plain model: commands, viewers, a camera and a microphone that go
/// and come, a disk that refuses. `CAMREC_WALKS` sets how many seeds are walked, for a long run.
@Suite(.serialized) struct CameraWalkTests {
  private static let seeds: Range<UInt64> =
    0..<(ProcessInfo.processInfo.environment["CAMREC_WALKS"].flatMap(UInt64.init) ?? 3)

  @Test(arguments: CameraWalkTests.seeds, [false, true])
  func theRecorderDoesWhatTheModelSays(seed: UInt64, hasPreRoll: Bool) throws {
    try CameraWalk(seed: seed, hasPreRoll: hasPreRoll).run(steps: 14)
  }

  /// Images that are encoded take another way: while no film decodes them, the camera's own thread meters them.
  @Test(arguments: CameraWalkTests.seeds) func encodedImagesDoTheSame(seed: UInt64) throws {
    try CameraWalk(seed: seed + 100, hasPreRoll: seed % 2 == 1, pixelFormat: "mjpeg").run(steps: 10)
  }

  /// The camera is started once, and each film has all its frames.
  @Test(arguments: [false, true]) func fiveFilmsWithAViewerHaveOneStream(hasPreRoll: Bool) throws {
    let walk = try CameraWalk(seed: 0, hasPreRoll: hasPreRoll)
    try walk.take(.look)
    for _ in 0..<5 {
      try walk.take(.start)
      try walk.take(.stop)
    }
    try walk.take(.leave)
    try walk.finish()
    #expect(walk.camera.starts == 1 && walk.notes.films.count == 5)
  }

  /// Whether the camera rests, runs or keeps a pre-roll, the film begins with the first frame at its time or later.
  @Test(arguments: [nil, CameraWalk.Step.look], [false, true])
  func aFilmBeginsAtItsTime(before: CameraWalk.Step?, hasPreRoll: Bool) throws {
    let walk = try CameraWalk(seed: 0, hasPreRoll: hasPreRoll)
    if let before { try walk.take(before) }
    let instant = MonotonicTime.now().advanced(by: 700_000_000)
    let answer = try walk.service.perform(.startAt(instant))
    #expect(answer.phase == .starting || MonotonicTime.now() >= instant)
    let again = #expect(throws: CamrecError.self) { try walk.service.perform(.start) }
    #expect(again?.message == "already recording; stop first")
    for _ in 0..<6000 where walk.service.ownState.seconds < 0.2 { WorkThread.sleep(.milliseconds(10)) }
    let state = walk.service.ownState, started = try #require(state.started)
    #expect(state.phase == .recording && state.films == 1)
    let late = started.timeIntervalSinceNow + Double(MonotonicTime.now() - instant) * 1e-9
    #expect(late > -0.002 && late < 10, "the first frame's exposure began \(late) s after the time")
    _ = try walk.service.perform(.quit)
  }

  /// Its file is there before it begins.
  @Test func aFilmWithATime_isNamedByIt() throws {
    let pattern = "%Y-%m-%d_%H-%M-%S.mov", walk = try CameraWalk(seed: 0, hasPreRoll: false, name: pattern)
    func path(in seconds: Double) throws -> String {
      try OutputPath(
        pattern: "\(walk.films)/\(pattern)", date: Date(timeIntervalSinceNow: seconds), isUTC: true
      ).path
    }
    let first = try path(in: 50)
    let answer = try walk.service.perform(.startAt(MonotonicTime.now().advanced(by: 50_000_000_000)))
    let film = try #require(answer.film), last = try path(in: 50)
    #expect(first <= film && film <= last, "\(first) ... \(film) ... \(last)")
    _ = try walk.service.perform(.quit)
  }

  @Test func aTimeThatIsPastOrFarIsRefused_andChangesNothing() throws {
    let walk = try CameraWalk(seed: 0, hasPreRoll: false)
    try walk.take(.look)
    let past = #expect(throws: CamrecError.self) {
      try walk.service.perform(.startAt(MonotonicTime.now().advanced(by: -2_500_000_000)))
    }
    #expect(past?.code == .usage)
    #expect(past?.message.hasPrefix("cannot start in the past: 'at' is 2.5") == true, "\(past!)")
    let far = #expect(throws: CamrecError.self) {
      try walk.service.perform(.startAt(MonotonicTime.now().advanced(by: 86_400_000_000_000)))
    }
    #expect(far?.code == .usage && far?.message.contains("at most a minute ahead") == true, "\(far!)")
    #expect(walk.service.ownState.phase == .standby && walk.service.ownState.films == 0)
    try walk.take(.start)
    try walk.finish()
  }

  /// The pre-roll begins with the frame behind the last one of the film before.
  @Test func aStopWithAPreRollMissesNoFrame() throws {
    let walk = try CameraWalk(seed: 0, hasPreRoll: true)
    for _ in 0..<3 {
      try walk.take(.start)
      try walk.take(.stop)
    }
    try walk.take(.start)
    try walk.finish()
    var last: Int?
    for name in ["take", "take-2", "take-3", "take-4"] {
      let path = walk.films + "/\(name).mov.camrec"
      let frames = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap { line in
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      }.filter { $0["frame"] != nil && $0["lost"] == nil }
      let first = try #require(frames.first?["sequence"] as? Int)
      if let last { #expect(first == last + 1, "\(name) begins with frame \(first), behind \(last)") }
      last = first + (try #require(frames.last?["frame"] as? Int))
    }
  }

  @Test func whatTheLockOfACameraInStandbyRefuses_isListedSo() throws {
    let walk = try CameraWalk(seed: 0, hasPreRoll: false)
    // Without a camera it is for the next film, which meters the light first.
    for change in [ExposureChange.mode(.auto), .lock(true), .bias(Stops(1))] {
      try walk.service.perform(.exposure(change))
    }
    let listed = ["ev", "metering", "spot"]
    #expect(try walk.service.controls().filter { listed.contains($0.id) }.allSatisfy { $0.refusal == nil })
    try walk.take(.look)
    for _ in 0..<6000 where walk.service.ownState.exposure?.isLocked != true { WorkThread.sleep(.milliseconds(10)) }
    let refusal = #expect(throws: CamrecError.self) { try walk.service.perform(.exposure(.bias(Stops(0)))) }
    #expect(refusal?.message == "an offset in EV has no effect while the exposure is locked; unlock it first")
    let metering = "the metering has no effect while the exposure is locked; unlock it first"
    let refusals = try walk.service.controls().filter { listed.contains($0.id) }.map(\.refusal)
    #expect(refusals == [refusal?.message, metering, metering])
    try walk.finish()
  }

  /// As for one that rests: the next film has it.
  @Test(arguments: [false, true]) func anExposureThatIsSetWhileTheCameraIsAway_isTheNextFilms(hasPreRoll: Bool) throws {
    let walk = try CameraWalk(seed: 0, hasPreRoll: hasPreRoll)
    try walk.take(.unplug)
    for change in [ExposureChange.mode(.auto), .metering(.highlightWeighted), .bias(Stops(1)), .lock(true)] {
      try walk.service.perform(.exposure(change))
    }
    let next = walk.service.ownState.nextExposure
    #expect(next == RecorderState.NextExposure(mode: "auto", bias: 1, isLocked: true))
    for step in [CameraWalk.Step.plug, .start] { try walk.take(step) }
    let exposure = walk.service.ownState.exposure
    #expect(exposure?.mode == "auto" && exposure?.bias == 1 && exposure?.metering == "highlight")
    try walk.finish()
  }

  /// The camera that was opened for it is closed again, so that the next start can open it.
  @Test func aTimedStartWhoseFileIsRefused_leavesTheCameraAlone() throws {
    let walk = try CameraWalk(seed: 0, hasPreRoll: false)
    let films = walk.films, aside = walk.path("aside")
    walk.camera.onceOpened {
      rename(films, aside)
      _ = FileManager.default.createFile(atPath: films, contents: nil)
    }
    let refusal = #expect(throws: CamrecError.self) {
      try walk.service.perform(.startAt(MonotonicTime.now().advanced(by: 5_000_000_000)))
    }
    #expect(refusal?.code == .output && walk.camera.counts.open == 0 && walk.service.ownState.phase == .standby)
    unlink(films)
    rename(aside, films)
    try walk.take(.start)
    try walk.finish()
  }

  /// Its file is gone again, and the next film has its name.
  @Test func aStopBeforeTheFirstFrameLeavesNothing() throws {
    let walk = try CameraWalk(seed: 0, hasPreRoll: false)
    _ = try walk.service.perform(.startAt(MonotonicTime.now().advanced(by: 50_000_000_000)))
    #expect(walk.service.ownState.phase == .starting)
    // Whoever looks meanwhile does not wait for its bake.
    let camera = try walk.service.runningCamera(), reader = try #require(camera.tap.captured.open())
    var bytes: [UInt8] = []
    for _ in 0..<2 { #expect(reader.copy(into: &bytes, within: 60) != nil) }
    #expect(!camera.isRecorded)
    // Its source cannot change, and the list of controls says so.
    let refusal = #expect(throws: CamrecError.self) {
      try walk.service.perform(.source(SourceChange(size: "320x180")))
    }
    #expect(refusal?.message == "a film waits for its time; stop first" && refusal?.reason == .recording)
    let ofSource = try walk.service.controls().filter(\.needsNewFilm)
    #expect(ofSource.count == 4 && ofSource.allSatisfy { $0.refusal == refusal?.message }, "\(ofSource)")
    let state = try walk.service.perform(.stop)
    #expect(state.phase == .standby && state.ledger.expected == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: walk.films) == [])
    #expect(walk.notes.films.allSatisfy { $0.movie == nil && $0.counts.expected == 0 })
    _ = try walk.service.perform(.quit)
  }

  /// As a clip's. Another camera can be chosen.
  @Test(arguments: [false, true]) func aCamerasOwnMode_isListedSo(hasPreRoll: Bool) throws {
    let walk = try CameraWalk(seed: 0, hasPreRoll: hasPreRoll, hasOwnMode: true)
    func refusals() throws -> [String?] { try walk.service.controls().filter(\.needsNewFilm).map(\.refusal) }
    let sentence =
      "the walking camera has its own size, rate and pixel format; to choose them, change to a camera"
      + " ('camrec ctl camera')"
    let own: [String?] = [sentence, sentence, sentence, nil], none: [String?] = [nil, nil, nil, nil]
    #expect(try refusals() == (hasPreRoll ? own : none), "without a pre-roll no camera is open")
    try walk.take(.look)
    #expect(walk.service.ownState.phase == .standby)
    #expect(try refusals() == own)
    try walk.take(.start)
    #expect(try refusals() == own)
    try walk.finish()
  }

  /// The film before is still the last one.
  @Test(arguments: [false, true]) func aStopBeforeTheFirstFrame_leavesTheFilmBefore(hasPreRoll: Bool) throws {
    let walk = try CameraWalk(seed: 0, hasPreRoll: hasPreRoll)
    try walk.take(.start)
    try walk.take(.stop)
    let before = walk.service.ownState
    _ = try walk.service.perform(.startAt(MonotonicTime.now().advanced(by: 50_000_000_000)))
    let state = try walk.service.perform(.stop)
    #expect(state.film == walk.films + "/take.mov" && state.film == before.film && state.identity == before.identity)
    #expect(state.filmAccount == before.filmAccount && state.films == 1)
    _ = try walk.service.perform(.keep)
    #expect(FileManager.default.fileExists(atPath: walk.films + "/take.mov" + KeepMark.suffix))
    try walk.finish()
  }

  /// Whoever has asked for the film finds the reason in the state.
  @Test(arguments: [false, true]) func aCameraThatGoesBeforeAFilmsTime_leavesTheReason(hasPreRoll: Bool) throws {
    let walk = try CameraWalk(seed: 0, hasPreRoll: hasPreRoll)
    let answer = try walk.service.perform(.startAt(MonotonicTime.now().advanced(by: 50_000_000_000)))
    #expect(answer.phase == .starting && answer.startFailure == nil)
    walk.camera.isAway = true
    for _ in 0..<6000 where walk.service.ownState.phase == .starting { WorkThread.sleep(.milliseconds(10)) }
    let state = walk.service.ownState
    let reason =
      "simulated camera was unplugged; the film that waited for its time does not begin; start again when the camera"
      + " is back"
    #expect(state.phase == .standby && state.startFailure == reason, "\(state.phase), \(state.startFailure ?? "")")
    #expect(state.failure == nil && state.film == nil)
    try walk.finish()
    let told = walk.notes.films.compactMap(\.failure)
    #expect(told.map(\.message) == [reason] && told.map(\.reason) == [.unplugged])
    #expect(try FileManager.default.contentsOfDirectory(atPath: walk.films) == [])
  }

  /// The camera's exposure goes on, and yet each trace has all that its reader needs.
  @Test func eachFilmHasATraceThatReplays() throws {
    let walk = try CameraWalk(seed: 0, hasPreRoll: false, trace: "exposure.trace")
    for step in [CameraWalk.Step.start, .expose, .stop, .start, .expose, .stop] { try walk.take(step) }
    try walk.finish()
    #expect(walk.camera.starts == 1)
    for name in ["exposure.trace", "exposure-2.trace"] {
      var replay = ExposureReplay(name: name)
      let text = try String(contentsOfFile: walk.path(name), encoding: .utf8)
      for line in text.split(separator: "\n") { try replay.take(String(line)) }
      try replay.finish(isCut: false)
      #expect(replay.difference == nil && replay.decisions > 5, "\(name): \(String(describing: replay.difference))")
    }
  }

  private static let isMeasured = ProcessInfo.processInfo.environment["CAMREC_MEASURE"] != nil

  /// Prints what 20 s of 720p24 with a LUT lose while one reader keeps up, one borrows for ever, and one is gone.
  @Test(.enabled(if: CameraWalkTests.isMeasured)) func liveRecordingWhileSomebodyLooks() throws {
    let walk = try CameraWalk(
      seed: 0, hasPreRoll: false, size: "1280x720", rate: "24", lut: "LUTs/log2709.cube")
    try walk.take(.start)
    let tap = try walk.service.runningCamera().tap, isOver = Atomic<Bool>(false), seen = Atomic<Int>(0)
    _ = tap.captured.open()
    let threads = (0..<2).map { index in
      WorkThread(name: "looker") {
        guard let reader = tap.captured.open() else { return }
        var bytes: [UInt8] = []
        while !isOver.load(ordering: .acquiring) {
          if index == 0 {
            if reader.copy(into: &bytes, within: 0.1) != nil { seen.add(1, ordering: .relaxed) }
          } else {
            let _: Void? = unsafe reader.borrow(within: 0.1) { _, _ in
              while !isOver.load(ordering: .acquiring) { WorkThread.sleep(.milliseconds(10)) }
            }
          }
        }
      }
    }
    WorkThread.sleep(.seconds(20))
    isOver.store(true, ordering: .releasing)
    threads.forEach { $0.join() }
    try walk.take(.stop)
    try walk.finish()
    for film in walk.notes.films {
      print("720p24 with a LUT: \(film.counts), \(seen.load(ordering: .relaxed)) frames read beside it")
    }
  }

  /// Once, and not of a film that has told it.
  @Test func aCameraThatGoesInStandbyIsMissed() throws {
    let walk = try CameraWalk(seed: 0, hasPreRoll: false)
    for step in [CameraWalk.Step.look, .unplug, .plug, .start, .unplug, .stop, .plug] { try walk.take(step) }
    try walk.finish()
    let loss = "simulated camera was unplugged; the next start looks for the camera"
    #expect(walk.notes.warnings.filter { $0 == loss }.count == 1, "\(walk.notes.warnings)")
  }

  /// Its memory would keep the device open, which then could not be opened with other buffers.
  @Test(arguments: [false, true]) func aCameraThatIsAwayIsLetGo(hasPreRoll: Bool) throws {
    let walk = try CameraWalk(seed: 0, hasPreRoll: hasPreRoll)
    for step in [CameraWalk.Step.start, .unplug] { try walk.take(step) }
    for _ in 0..<6000 where walk.camera.counts.open > 0 { WorkThread.sleep(.milliseconds(10)) }
    #expect(walk.camera.counts.open == 0 && walk.service.ownState.phase == .waiting)
    try walk.take(.plug)
    let state = walk.service.ownState
    #expect(state.films == 2 && state.ledger.framesBetweenFilms > 0, "\(state.ledger)")
    try walk.finish()
    #expect(Set(walk.notes.films.compactMap(\.identity).map(\.recording)).count == 1)
  }

  /// Nothing has ended the film but the loss.
  @Test func aChangeInTheFrameBeforeTheCameraGoes_isRefused_andNoStop() throws {
    let walk = try CameraWalk(seed: 0, hasPreRoll: false), departure = CameraDeparture(atFrame: 0)
    try walk.take(.start)
    walk.camera.leaves(departure)
    departure.waitForLastFrame()
    let checks = walk.camera.checks, service = walk.service, refusal = Mutex<CamrecError?>(nil)
    let command = WorkThread(name: "command") {
      do throws(CamrecError) {
        try service.perform(.source(SourceChange(frameRate: FrameRate(parsing: "30"))), by: "ctl")
      } catch {
        refusal.withLock { $0 = error }
      }
    }
    for _ in 0..<6000 where walk.camera.checks == checks { WorkThread.sleep(.milliseconds(10)) }
    walk.camera.isAway = true
    departure.goes()
    command.join()
    let message = refusal.withLock { $0 }?.message ?? ""
    #expect(
      message.hasPrefix("the change was refused, because camrec waits for the camera (the walking camera is away); "),
      "\(message)")
    for step in [CameraWalk.Step.unplug, .plug] { try walk.take(step) }
    try walk.finish()
    #expect(walk.notes.warnings.contains { $0.hasSuffix("the recording continues in a new film when it is back") })
    let first = try String(contentsOfFile: walk.films + "/take.mov.camrec", encoding: .utf8)
    #expect(!first.contains(#""setting":"stop""#) && first.contains("was unplugged"), "\(first.suffix(400))")
    let second = try String(contentsOfFile: walk.films + "/take-2.mov.camrec", encoding: .utf8)
    #expect(second.contains(" is back after "))
  }

  @Test func theCameraRestsWhenTheLastOneWhoLooksHasLeft() throws {
    let walk = try CameraWalk(seed: 0, hasPreRoll: false, rest: 0.3)
    try walk.take(.look)
    for _ in 0..<20 {
      WorkThread.sleep(.milliseconds(50))
      #expect(walk.camera.running == 1, "somebody looks")
    }
    try walk.take(.leave)
    for _ in 0..<3000 where walk.camera.running > 0 { WorkThread.sleep(.milliseconds(10)) }
    #expect(walk.camera.running == 0)
    try walk.finish()
  }
}
