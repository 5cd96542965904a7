import CameraTestKit
import Cameras
import Exposure
import Foundation
import Frames
import Platform
import Recorder
import RecorderAPI
import Synchronization
import TestKit
import Testing

/// Cameras that go away while they are recorded; the simulated one, by its script.
struct CameraReturnTests {
  /// A fault script of its own for each test: what is unplugged is known by it.
  private final class Script {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("faults-\(UUID().uuidString)").path

    init(_ text: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  private let tests = RecorderServiceTests()

  private func films(_ script: Script) -> RecorderServiceTests.Films {
    let films = RecorderServiceTests.Films()
    films.camera = "sim:sensitivity=iso,faults=\(script.path)"
    return films
  }

  @Test func theRecordingGoesOnInANewFilm() throws {
    let script = try Script("vanish 10 300ms\ndrop 90001")
    let outcome = try tests.run(films(script), awaitsCamera: true) { service in
      try RecorderServiceTests.wait(service, "a third film has frames") { $0.films >= 3 && $0.seconds > 0 }
    }
    let endings = outcome.films.endings
    try #require(endings.count >= 3)
    let continued = endings.filter(\.isContinued)
    #expect(continued.count >= 2 && continued.allSatisfy { $0.summary.failure?.code == .device })
    let ledger = outcome.state.ledger, between = ledger.lost["between"] ?? 0
    #expect(between > 0, "frames were due while it was away")
    #expect(ledger.expected == endings.reduce(between) { $0 + $1.summary.counts.expected })
    #expect(ledger.written + ledger.lost.values.reduce(0, +) == ledger.expected)
    #expect(outcome.notes.warnings.contains { $0.contains(" is back after ") })
    let identities = endings.compactMap(\.summary.identity)
    #expect(Set(identities.map(\.film)).count == endings.count && Set(identities.map(\.recording)).count == 1)
  }

  /// They were due between the two films, and count once.
  @Test func damagedFramesInFrontOfAFilmThatContinues_areNoneOfItsLosses() throws {
    let script = try Script("damage 0 3\nvanish 12 300ms\ndrop 90071")
    let outcome = try tests.run(films(script), exposure: nil, awaitsCamera: true) { service in
      try RecorderServiceTests.wait(service, "a second film has frames") { $0.films >= 2 && $0.seconds > 0 }
    }
    let damaged = outcome.films.endings.map { $0.summary.counts.lost(.deviceError) }
    try #require(damaged.count >= 2)
    #expect(damaged[0] == 3, "nothing else counts those of the first film")
    #expect(damaged.dropFirst().allSatisfy { $0 == 0 }, "\(damaged)")
    #expect((outcome.state.ledger.lost["between"] ?? 0) >= 3, "they are among these")
  }

  /// Time without a camera is no film.
  @Test func aLimitCountsFilm_andNotTheGaps() throws {
    let script = try Script("vanish 10 300ms\ndrop 90011"), films = RecorderServiceTests.Films(limit: .frames(20))
    films.camera = "sim:sensitivity=iso,faults=\(script.path)"
    let outcome = try tests.run(films, awaitsCamera: true) { service in
      try RecorderServiceTests.wait(service, "it has ended") { $0.phase == .ended }
    }
    let ledger = outcome.state.ledger, between = ledger.lost["between"] ?? 0
    #expect(between > 0 && ledger.expected - between == 20, "\(ledger)")
  }

  /// The camera is back, and the disk is full or the folder is gone: each is said once, and neither is the camera's.
  @Test func whatKeepsTheRecordingFromContinuing_isNotBlamedOnTheCamera() throws {
    let script = try Script("vanish 10 100ms\ndrop 90041"), films = films(script)
    @Sendable func noRoom(_ free: String) -> CamrecError {
      CamrecError(.output, "there is too little room: \(free) are free", reason: .noRoom)
    }
    let folder = CamrecError(.output, "the folder does not exist", cause: "No such file or directory")
    films.hindrance.error = noRoom("8.3 MB")
    let hindrance = films.hindrance
    let outcome = try tests.run(films, awaitsCamera: true) { service in
      for (failure, next) in [(noRoom("8.3 MB"), noRoom("812 kB")), (noRoom("812 kB"), folder), (folder, nil)] {
        try RecorderServiceTests.wait(service, "it says \(failure)") { $0.continuationFailure == failure.description }
        let state = service.state
        #expect(state.phase == .waiting && state.cameraFailure == nil, "it waits for no camera")
        let why = "the camera is back, but the recording cannot continue: \(failure.message)"
        let start = RecorderServiceTests.refusal(service, .start)
        #expect(start?.message == why + "; then it continues by itself; to begin a new one, stop first")
        #expect(start?.code == .usage && start?.reason == .awaitingCamera && start?.cause == failure.cause)
        let look = #expect(throws: CamrecError.self) { _ = try service.runningCamera() }
        #expect(look?.message == "there is no picture: " + why && look?.reason == failure.reason)
        hindrance.error = next
      }
      try RecorderServiceTests.wait(service, "a second film has frames") { $0.films >= 2 && $0.seconds > 0 }
      #expect(service.state.continuationFailure == nil)
    }
    // A busy machine may lose frames.
    let said = outcome.notes.warnings.filter { $0.hasPrefix(films.camera) || $0.hasPrefix("the recording ") }
    let told = said.prefix(4).map { $0.replacing(/\d+\.\d s/, with: "N s") }
    #expect(
      told == [
        "\(films.camera) is gone; the recording continues in a new film when it is back",
        "\(films.camera) is back after N s, but the recording cannot continue: \(noRoom("8.3 MB").message)",
        "the recording still cannot continue: the folder does not exist (No such file or directory)",
        "the recording continued after N s",
      ])
  }

  /// It came back once, whatever is asked of it meanwhile.
  @Test func aChangeOfItsMode_whileSomethingElseHinders_isNoReturn() throws {
    let script = try Script("vanish 10 100ms\ndrop 90051"), films = films(script), hindrance = films.hindrance
    let full = CamrecError(.output, "the disk is full", reason: .noRoom)
    hindrance.error = full
    let outcome = try tests.run(films, awaitsCamera: true) { service in
      try RecorderServiceTests.wait(service, "it cannot continue") { $0.continuationFailure == full.description }
      let answer = try service.perform(.source(SourceChange(frameRate: FrameRate(parsing: "30"))))
      #expect(answer.continuationFailure == full.description)
      hindrance.error = nil
      try RecorderServiceTests.wait(service, "a second film has frames") { $0.films >= 2 && $0.seconds > 0 }
    }
    let said = outcome.notes.warnings.filter { $0.hasPrefix(films.camera) || $0.hasPrefix("the recording ") }
    let told = said.prefix(4).map { $0.replacing(/\d+\.\d s/, with: "N s") }
    #expect(
      told == [
        "\(films.camera) is gone; the recording continues in a new film when it is back",
        "\(films.camera) is back after N s, but the recording cannot continue: the disk is full",
        "the recording still cannot continue: the disk is full",
        "the recording continued after N s",
      ])
  }

  /// Another program has it.
  @Test func oneThatIsBackAndCannotBeOpened_isNotCalledAway() throws {
    let script = try Script("vanish 10 100ms\ndrop 90072"), films = films(script), hindrance = films.hindrance
    let full = CamrecError(.output, "the disk is full", reason: .noRoom)
    hindrance.error = full
    let outcome = try tests.run(films, awaitsCamera: true) { service in
      try RecorderServiceTests.wait(service, "it cannot continue") { $0.continuationFailure == full.description }
      hindrance.error = CamrecError(.device, "the camera is in use")
      try RecorderServiceTests.wait(service, "it cannot be opened") { $0.cameraFailure == "the camera is in use" }
    }
    let sentence = " can no longer be opened (the camera is in use); the recording continues in a new film when it can"
    #expect(outcome.notes.warnings.contains(films.camera + sentence), "\(outcome.notes.warnings)")
  }

  /// Nobody waits for it any more.
  @Test func aLookThatFailsWhileTheRecorderEnds_isNotSaid() throws {
    let script = try Script("vanish 10 100ms\ndrop 90043"), films = films(script), hindrance = films.hindrance
    let outcome = try tests.run(films, awaitsCamera: true) { service in
      hindrance.whenMet { service.requestStop() }
      hindrance.error = CamrecError(.output, "the disk is full")
      try RecorderServiceTests.wait(service, "the camera is back") { _ in hindrance.meetings > 0 }
    }
    let warnings = outcome.notes.warnings
    #expect(warnings.contains { $0.hasSuffix("the recording continues in a new film when it is back") }, "\(warnings)")
    #expect(!warnings.contains { $0.contains("cannot continue") }, "\(warnings)")
  }

  @Test func withoutThatTheRecordingEnds() throws {
    let script = try Script("vanish 10 300ms\ndrop 90002")
    let outcome = try tests.run(films(script)) { service in
      try RecorderServiceTests.wait(service, "it has ended") { $0.phase == .ended }
    }
    #expect(outcome.films.endings.count == 1 && outcome.films.endings.first?.isContinued == false)
    #expect(outcome.state.failure?.hasPrefix("simulated camera was unplugged") == true)
  }

  /// It is not gone, and whoever reads it has nothing to do.
  @Test func aChangeOfItsFormat_isNoAbsence() throws {
    let script = try Script("change 10\ndrop 90007"), films = films(script)
    let outcome = try tests.run(films, awaitsCamera: true) { service in
      try RecorderServiceTests.wait(service, "a second film has frames") { $0.films >= 2 && $0.seconds > 0 }
    }
    let failures = outcome.films.endings.compactMap(\.summary.failure?.message)
    #expect(
      !failures.isEmpty
        && failures.allSatisfy {
          $0 == "simulated camera changed its picture format; what was recorded until then is kept"
        }, "\(failures)")
    let told = outcome.notes.warnings
    let change = " changed its picture format; camrec opens it again, and the recording continues in a new film"
    #expect(told.contains(films.camera + change), "\(told)")
    let mode = " now delivers 160x96 at 24 fps, nv12; the recording continued after "
    #expect(told.contains { $0.hasPrefix(films.camera + mode) }, "\(told)")
    #expect(!told.contains { $0.contains(" is gone") || $0.contains(" is back") }, "\(told)")
  }

  @Test func withoutThat_aChangeOfItsFormatEndsTheRecording() throws {
    let script = try Script("change 10\ndrop 90008")
    let outcome = try tests.run(films(script)) { service in
      try RecorderServiceTests.wait(service, "it has ended") { $0.phase == .ended }
    }
    #expect(
      outcome.state.failure
        == "simulated camera changed its picture format; what was recorded until then is kept; start again to record"
        + " the new format")
  }

  /// In real time: ten seconds of silence.
  @Test(arguments: [true, false]) func oneThatFallsSilent_isNoAbsence(awaitsCamera: Bool) throws {
    let script = try Script("hang 10 deaf\ndrop \(awaitsCamera ? 90009 : 90010)"), films = films(script)
    let outcome = try tests.run(films, awaitsCamera: awaitsCamera) { service in
      try RecorderServiceTests.wait(service, "it has ended, or a second film has frames") {
        awaitsCamera ? $0.films >= 2 && $0.seconds > 0 : $0.phase == .ended
      }
    }
    let failures = outcome.films.endings.compactMap(\.summary.failure?.message)
    let kept = "simulated camera has delivered no intact frame for 10 s; what was recorded until then is kept"
    let remedy = "; start again; if that does not help, unplug the camera and plug it in again"
    let failure = awaitsCamera ? kept : kept + remedy
    #expect(!failures.isEmpty && failures.allSatisfy { $0 == failure }, "\(failures)")
    let told = outcome.notes.warnings.filter { $0.hasPrefix(films.camera) }
    guard awaitsCamera else {
      #expect(told.isEmpty, "\(told)")
      return
    }
    let silence = " delivers no intact frames; camrec opens it again, and the recording continues in a new film"
    #expect(told.contains(films.camera + silence), "\(told)")
    let again = films.camera + " delivers intact frames again after "
    let returns = told.filter { $0.hasPrefix(again) }.map { Double($0.dropFirst(again.count).dropLast(2)) ?? 0 }
    #expect(!returns.isEmpty && returns.allSatisfy { $0 >= 10 }, "since its last intact frame: \(told)")
  }

  @Test(arguments: [false, true]) func oneThatIsAwayCanBeGivenUp(standsBy: Bool) throws {
    let script = try Script("vanish 10\ndrop \(standsBy ? 90003 : 90004)")
    let outcome = try tests.run(films(script), standsBy: standsBy, awaitsCamera: true) { service in
      if standsBy { try service.perform(.start) }
      // Why the film ended, and why there is still no camera, are two things.
      try RecorderServiceTests.wait(service, "it has looked for it") {
        $0.phase == .waiting && $0.seconds == 0 && $0.cameraFailure == "the simulated camera is unplugged"
      }
      #expect(service.state.failure?.hasPrefix("simulated camera was unplugged; what was recorded") == true)
      #expect(
        RecorderServiceTests.refusal(service, .start)?.message
          == "the recording continues by itself when the camera is back; to begin a new one, stop first")
      let look = #expect(throws: CamrecError.self) { _ = try service.runningCamera() }
      #expect(look?.message == "there is no picture: camrec waits for the camera" && look?.reason == .awaitingCamera)
      // What is set meanwhile is set when it is back.
      #expect(try service.perform(.exposure(.bias(Stops(1)))).phase == .waiting)
      #expect(try service.perform(.stop).phase == (standsBy ? .standby : .ended))
    }
    #expect(outcome.films.endings.count == 1 && outcome.state.cameraFailure == nil)
    #expect(outcome.state.failure?.hasPrefix("simulated camera was unplugged") == true)
  }

  /// No film follows whose account has it.
  @Test func whatWasDueUntilOneIsGivenUp_isSaid() throws {
    let script = try Script("vanish 10\ndrop 90042")
    let outcome = try tests.run(films(script), standsBy: true, awaitsCamera: true) { service in
      try service.perform(.start)
      try RecorderServiceTests.wait(service, "it waits") { $0.phase == .waiting }
      // Some frames are due.
      WorkThread.sleep(.milliseconds(300))
      try service.perform(.stop)
    }
    let between = try #require(outcome.state.ledger.lost["between"])
    let said = outcome.notes.remarks.filter { $0.facts["between"] != nil }
    #expect(said.map { $0.facts["between"] } == ["\(between)"] && said.allSatisfy { !$0.isWarning && $0.namesFilm })
    let sentence = "\(between) frames were due between the end of the last film and the stop; no film has them"
    #expect(said.map(\.message) == [sentence])
  }

  /// The state's failure is the last film's.
  @Test func aStartWithoutACamera_isNoFilmThatEndedEarly() throws {
    let script = try Script("vanish 10\ndrop 90031")
    _ = try tests.run(films(script), standsBy: true) { service in
      try RecorderServiceTests.wait(service, "it stands by") { $0.phase == .standby }
      try service.perform(.start)
      try RecorderServiceTests.wait(service, "the film has ended") { $0.phase == .standby && $0.failure != nil }
      let before = service.state, refusal = RecorderServiceTests.refusal(service, .start), state = service.state
      #expect(before.startFailure == nil && refusal?.message == "the simulated camera is unplugged")
      #expect(state.startFailure == refusal?.description && state.failure == before.failure)
      #expect(state.film == before.film && state.film != nil && state.phase == .standby)
      // Refused, it changes nothing.
      #expect(RecorderServiceTests.refusal(service, .startAt(MonotonicTime(nanoseconds: 0)))?.code == .usage)
      #expect(service.state.startFailure == refusal?.description)
    }
  }

  @Test func aStartWithoutAFrame_isRefusedForTheCamerasReason() throws {
    let script = try Script("vanish 0\ndrop 90032")
    _ = try tests.run(films(script), standsBy: true) { service in
      try RecorderServiceTests.wait(service, "it stands by") { $0.phase == .standby }
      let refusal = RecorderServiceTests.refusal(service, .start), state = service.state
      #expect(refusal?.message == "simulated camera was unplugged" && refusal?.reason == .unplugged, "\(state)")
      #expect(state.startFailure == refusal?.description && state.failure == nil && state.film == nil)
    }
  }

  /// By a stop, or because the recorder ends.
  @Test(arguments: [true, false]) func whatWasDueWhileItWasAwayCountsEvenIfItDoesNotComeBack(stops: Bool) throws {
    let script = try Script("vanish 10\ndrop \(stops ? 90021 : 90022)")
    let outcome = try tests.run(films(script), standsBy: true, awaitsCamera: true) { service in
      try service.perform(.start)
      try RecorderServiceTests.wait(service, "it waits") { $0.phase == .waiting }
      // At least four frames are due.
      WorkThread.sleep(.milliseconds(200))
      if stops { try service.perform(.stop) }
    }
    let ledger = outcome.state.ledger, film = try #require(outcome.films.endings.first).summary.counts
    #expect(outcome.films.endings.count == 1 && ledger.framesBetweenFilms >= 4, "\(ledger)")
    #expect(ledger.expected == film.expected + ledger.framesBetweenFilms && film.totalLost == 0)
  }

  /// It can be opened, and delivers nothing: the film recorded last is still the one before.
  @Test func anotherCameraWithoutAFrame_isStillWaitedFor() throws {
    let films = RecorderServiceTests.Films(), other = "sim:sensitivity=iso,pace=pulled,seed=9"
    let departure = CameraDeparture(atFrame: 0), phases = Phases()
    films.departures = [films.camera: CameraDeparture(atFrame: 10, isHeld: false), other: departure]
    _ = try tests.run(films, exposure: nil, awaitsCamera: true) { service in
      try RecorderServiceTests.wait(service, "it has looked for it") { $0.cameraFailure == "the camera is away" }
      phases.listen(to: service)
      let change = WorkThread(name: "change") {
        _ = RecorderServiceTests.refusal(service, .source(SourceChange(camera: other)))
      }
      departure.waitForLastFrame()
      let state = service.state
      #expect(state.phase == .waiting && state.films == 1 && state.film == "/films/0.mov", "\(state)")
      #expect(state.failure?.hasPrefix("simulated camera was unplugged") == true && state.cameraFailure != nil)
      #expect((state.filmAccount?.ledger.written ?? 0) > 0, "that film's")
      departure.goes()
      change.join()
      let seen = phases.all.withLock { $0 }
      #expect(seen.allSatisfy { $0 == .waiting }, "\(seen)")
      departure.returns()
      try RecorderServiceTests.wait(service, "it is recorded") { $0.phase == .recording && $0.films == 2 }
      let refusals = try service.controls().compactMap(\.refusal)
      #expect(!refusals.contains { $0.contains("waits for the camera") }, "\(refusals)")
      #expect(service.state.film != "/films/0.mov" && service.state.source?.camera == other)
    }
  }

  @Test func anotherCameraTakesThePlaceOfOneThatIsAway() throws {
    let script = try Script("vanish 10\ndrop 90005")
    let outcome = try tests.run(films(script), awaitsCamera: true) { service in
      try RecorderServiceTests.wait(service, "it waits") { $0.phase == .waiting }
      let answer = try service.perform(.source(SourceChange(camera: "sim:sensitivity=iso,seed=9")))
      #expect(answer.phase == .recording && answer.films == 2 && answer.cameraFailure == nil, "the film has begun")
      try RecorderServiceTests.wait(service, "the other one is recorded") { $0.films == 2 && $0.ledger.written > 15 }
    }
    let told = outcome.notes.warnings
    #expect(told.contains { $0.hasPrefix("the recording continued with sim:sensitivity=iso,seed=9 after ") }, "\(told)")
    #expect(!told.contains { $0.contains(" is back after ") }, "the first one is not: \(told)")
    #expect(outcome.films.endings.count == 2 && outcome.films.endings.last?.summary.failure == nil)
  }

  @Test func aChangeOfItsModeIsRefusedWhileItIsAway_withWhatToDo() throws {
    let script = try Script("vanish 10\ndrop 90012")
    _ = try tests.run(films(script), awaitsCamera: true) { service in
      try RecorderServiceTests.wait(service, "it waits") { $0.phase == .waiting }
      let refusal = RecorderServiceTests.refusal(service, .source(SourceChange(frameRate: FrameRate(parsing: "30"))))
      #expect(refusal?.code == .device && refusal?.reason == .awaitingCamera)
      #expect(
        refusal?.message
          == "the change was refused, because camrec waits for the camera (the simulated camera is unplugged); make it"
          + " when the recording continues, or change to another camera now ('camrec ctl camera')")
      #expect(service.state.phase == .waiting)
      // Of another camera, only it can be the reason.
      let other = RecorderServiceTests.refusal(service, .source(SourceChange(camera: "none")))
      #expect(other?.message == "there is no camera 'none'" && other?.reason == nil)
    }
  }

  /// A change of the mode, and what is set on the camera itself: for the same reason, which the list of controls gives.
  @Test func whatIsForTheCamera_isRefusedWhileItIsAway_andListedSo() throws {
    let script = try Script("vanish 10\ndrop 90013")
    _ = try tests.run(films(script), awaitsCamera: true) { service in
      let gone = "the simulated camera is unplugged"
      try RecorderServiceTests.wait(service, "it was looked for") { $0.cameraFailure == gone }
      let sentence =
        "the change was refused, because camrec waits for the camera (\(gone)); make it when the recording continues,"
        + " or change to another camera now ('camrec ctl camera')"
      let commands: [RecorderCommand] = [
        .control(name: "white-balance", value: "5000"), .control(name: "torch", value: "on"), .focus(x: nil, y: nil),
        .releaseFocus, .source(SourceChange(frameRate: FrameRate(parsing: "30"))),
      ]
      for command in commands {
        let refusal = RecorderServiceTests.refusal(service, command)
        #expect(refusal == CamrecError(.device, sentence) && refusal?.reason == .awaitingCamera, "\(command)")
      }
      let controls = try service.controls().filter(\.needsNewFilm)
      #expect(controls.map(\.id) == ["rate", "size", "format", "camera"])
      #expect(controls.map(\.refusal) == [sentence, sentence, sentence, nil])
    }
  }

  /// The camera is back, and something else keeps the recording from continuing.
  @Test func whatIsForTheCamera_isRefusedForWhatHinders() throws {
    let script = try Script("vanish 10 100ms\ndrop 90044"), films = films(script), hindrance = films.hindrance
    let full = CamrecError(
      .output, about: .onFull, "the disk is full; try \(setting: .onFull) rotate", reason: .noRoom)
    hindrance.error = full
    _ = try tests.run(films, awaitsCamera: true) { service in
      try RecorderServiceTests.wait(service, "it cannot continue") { $0.continuationFailure == full.message }
      let refusal = RecorderServiceTests.refusal(service, .control(name: "white-balance", value: "5000"))
      func sentence(_ option: String) -> String {
        "the change was refused, because the recording cannot continue yet (the disk is full; try \(option) rotate);"
          + " make it when the recording continues"
      }
      #expect(refusal == CamrecError(.usage, sentence("--on-full")), "\(refusal as Any)")
      #expect(refusal?.sentence.plain == sentence("'on-full'") && refusal?.reason == .awaitingCamera)
      #expect(try service.controls().filter(\.needsNewFilm).allSatisfy { $0.refusal == nil }, "they can be tried")
    }
  }

  @Test func whoQuitsMeanwhileIsNotKeptWaiting() throws {
    let script = try Script("vanish 10\ndrop 90006")
    let outcome = try tests.run(films(script), awaitsCamera: true) { service in
      try RecorderServiceTests.wait(service, "it waits") { $0.phase == .waiting }
      let phase = try service.perform(.quit).phase
      #expect(phase == .stopping || phase == .ended, "its film may still be being finished")
    }
    #expect(outcome.films.endings.count == 1)
  }

  /// Its disk holds it up. The recorder waits from the moment on at which the camera is lost.
  @Test func aFilmThatIsFinishedMeanwhile_keepsItsLength() throws {
    let films = RecorderServiceTests.Films(), other = "sim:sensitivity=iso,pace=pulled,seed=9"
    let departure = CameraDeparture(atFrame: 3), gate = Gate(), phases = Phases()
    films.departures[other] = departure
    films.openingGate = gate
    _ = try tests.run(films, exposure: nil, standsBy: true, awaitsCamera: true) { service in
      defer { gate.open() }
      try service.perform(.start)
      try service.perform(.stop)
      try service.perform(.source(SourceChange(camera: other)))
      gate.close()
      try service.perform(.start)
      departure.waitForLastFrame()
      phases.listen(to: service)
      departure.goes()
      try RecorderServiceTests.wait(service, "it waits") { $0.phase == .waiting && $0.cameraFailure != nil }
      let state = service.state
      #expect(state.film == "/films/1.mov" && abs(state.seconds - 3.0 / 24) < 1e-6, "\(state)")
      let seen = phases.all.withLock { $0 }
      #expect(seen.allSatisfy { $0 == .waiting }, "\(seen)")
      gate.open()
      try RecorderServiceTests.wait(service, "it is finished") { $0.phase == .waiting && $0.seconds == 0 }
    }
  }

  private final class Phases: Sendable {
    let all = Mutex<[RecorderState.Phase]>([])

    /// Notes the phase at each change from now on.
    func listen(to service: RecorderService) {
      _ = service.changes.add { [self, weak service] in
        guard let phase = service?.ownState.phase else { return }
        all.withLock { $0.append(phase) }
      }
    }
  }

  /// Whoever watches hears of the end, and the last state gives no reason why it goes on without its camera.
  @Test(arguments: [false, true], [false, true])
  func aSignalMeanwhile_isToldAsTheEnd(standsBy: Bool, isHindered: Bool) throws {
    let number = 90060 + (standsBy ? 1 : 0) + (isHindered ? 2 : 0)
    let script = try Script("vanish 10\(isHindered ? " 100ms" : "")\ndrop \(number)"), films = films(script)
    if isHindered { films.hindrance.error = CamrecError(.output, "there is too little room", reason: .noRoom) }
    let phases = Phases()
    let outcome = try tests.run(films, standsBy: standsBy, awaitsCamera: true) { service in
      if standsBy { try service.perform(.start) }
      try RecorderServiceTests.wait(service, "it has looked for it") {
        $0.phase == .waiting && (isHindered ? $0.continuationFailure : $0.cameraFailure) != nil
      }
      phases.listen(to: service)
      service.requestStop()
    }
    let state = outcome.state
    #expect(state.phase == .ended && phases.all.withLock { $0.last } == .ended)
    #expect(state.cameraFailure == nil && state.continuationFailure == nil)
    #expect(state.failure?.hasPrefix("simulated camera was unplugged") == true, "why the last film ended early stays")
  }

  /// Nothing is wrong with the camera.
  @Test func whatElseKeepsAPreRollFromBeginning_isNotTakenForTheCamera() throws {
    let films = RecorderServiceTests.Films(), notes = RecordingSessionTests.Notes()
    films.mostPrepared = 0
    let service = RecorderService(exposure: nil, standsBy: true, keepsPreRoll: true)
    let script = WorkThread(name: "script") {
      try? RecorderServiceTests.wait(service, "it has tried") { $0.cameraFailure != nil }
      service.requestStop()
    }
    try service.run(films, observer: notes)
    script.join()
    #expect(notes.warnings == ["there is too little room; until that is mended, there is no pre-roll"])
  }

  // MARK: Commands in the frame before the camera goes

  enum Wish: CaseIterable { case stop, quit, signal }

  @Test(arguments: Wish.allCases, [false, true])
  func whoeverEndsTheFilmInTheFrameBefore_isObeyed(wish: Wish, standsBy: Bool) throws {
    let films = RecorderServiceTests.Films(), departure = CameraDeparture(atFrame: 10, staysAway: false)
    films.departures[films.camera] = departure
    let outcome = try tests.run(films, exposure: nil, standsBy: standsBy, awaitsCamera: true) { service in
      if standsBy { try service.perform(.start) }
      departure.waitForLastFrame()
      let command = WorkThread(name: "command") {
        switch wish {
        case .stop: _ = RecorderServiceTests.refusal(service, .stop)
        case .quit: _ = RecorderServiceTests.refusal(service, .quit)
        case .signal: service.requestStop()
        }
      }
      if wish == .signal {
        command.join()
      } else {
        try RecorderServiceTests.wait(service, "the film is asked to stop") { $0.phase == .stopping }
      }
      departure.goes()
      command.join()
      let end: RecorderState.Phase = wish == .stop && standsBy ? .standby : .ended
      try RecorderServiceTests.wait(service, "that is the end") { $0.phase == end }
    }
    let endings = outcome.films.endings
    #expect(endings.count == 1 && endings.allSatisfy { $0.summary.failure == nil }, "it has all its frames")
    let told = outcome.notes.warnings
    #expect(outcome.state.totals?.absences == 0 && !told.contains { $0.contains(" is gone") }, "\(told)")
  }

  /// As one that comes a moment later.
  @Test func aChangeOfItsModeInTheFrameBefore_isRefused_andTheRecordingWaits() throws {
    let films = RecorderServiceTests.Films(), departure = CameraDeparture(atFrame: 10), checks = films.checks
    let name = films.camera
    films.departures[name] = departure
    let outcome = try tests.run(films, exposure: nil, awaitsCamera: true) { service in
      departure.waitForLastFrame()
      let refusal = Mutex<CamrecError?>(nil)
      let command = WorkThread(name: "command") {
        let error = RecorderServiceTests.refusal(
          service, .source(SourceChange(frameRate: FrameRate(parsing: "30"))))
        refusal.withLock { $0 = error }
      }
      try checks.wait()
      departure.goes()
      command.join()
      #expect(
        refusal.withLock { $0 }?.message
          == "the change was refused, because camrec waits for the camera (the camera is away); make it when the"
          + " recording continues, or change to another camera now ('camrec ctl camera')")
      let state = service.state
      #expect(state.phase == .waiting && state.totals?.absences == 1)
      #expect(state.failure?.hasPrefix("simulated camera was unplugged; what was recorded") == true)
      departure.returns()
      try RecorderServiceTests.wait(service, "it is recorded again") { $0.films == 2 && $0.ledger.written > 15 }
      #expect(service.state.source?.frameRate == "24")
    }
    let endings = outcome.films.endings, told = outcome.notes.warnings.filter { $0.hasPrefix(name) }
    #expect(endings.count == 2 && endings.first?.isContinued == true)
    #expect(endings.first?.summary.failure?.code == .device && endings.last?.summary.failure == nil)
    #expect(told.first == "\(name) is gone; the recording continues in a new film when it is back")
    #expect(told.dropFirst().first?.hasPrefix("\(name) is back after ") == true, "\(told)")
  }

  /// The film before has ended already, as it was told to.
  @Test(arguments: [false, true]) func anotherCameraThatGoesBeforeItsFirstFrame_isAwaited(standsBy: Bool) throws {
    let films = RecorderServiceTests.Films(), departure = CameraDeparture(atFrame: 5)
    let other = "sim:sensitivity=iso,pace=pulled,seed=9"
    films.departures[other] = departure
    films.goesEarly = true
    let outcome = try tests.run(films, exposure: nil, standsBy: standsBy, awaitsCamera: true) { service in
      if standsBy { try service.perform(.start) }
      try RecorderServiceTests.wait(service, "frames are written") { $0.ledger.written >= 3 }
      let answer = try service.perform(.source(SourceChange(camera: other)))
      #expect(answer.phase == .waiting && answer.films == 1 && answer.totals?.absences == 1, "\(answer)")
      #expect(answer.cameraFailure?.hasPrefix("simulated camera was unplugged") == true)
      #expect(answer.failure == nil && answer.startFailure == nil, "the last film is whole")
      departure.returns()
      let written = answer.ledger.written
      try RecorderServiceTests.wait(service, "it is recorded") { $0.films == 2 && $0.ledger.written > written + 5 }
      #expect(service.state.phase == .recording && service.state.source?.camera == other)
    }
    let endings = outcome.films.endings, told = outcome.notes.warnings.filter { $0.hasPrefix(other) }
    let recorded = endings.filter { $0.summary.counts.written > 0 }
    #expect(recorded.count == 2 && recorded.allSatisfy { $0.summary.failure == nil })
    #expect(endings.count == 3 && endings.filter { $0.summary.counts.written == 0 }.allSatisfy(\.isContinued))
    #expect(Set(endings.compactMap(\.summary.identity).map(\.recording)).count == 1)
    #expect(told.first == "\(other) is gone; the recording continues in a new film when it is back")
    #expect(told.dropFirst().first?.hasPrefix("\(other) is back after ") == true, "\(told)")
  }

  /// Without that there is nothing to wait for.
  @Test func withoutThat_aRecorderThatStandsByGoesOnStandingBy() throws {
    let films = RecorderServiceTests.Films(), departure = CameraDeparture(atFrame: 5)
    let other = "sim:sensitivity=iso,pace=pulled,seed=9"
    films.departures[other] = departure
    films.goesEarly = true
    let outcome = try tests.run(films, exposure: nil, standsBy: true) { service in
      try service.perform(.start)
      try RecorderServiceTests.wait(service, "frames are written") { $0.ledger.written >= 3 }
      let refusal = RecorderServiceTests.refusal(service, .source(SourceChange(camera: other)))
      #expect(refusal?.code == .device && refusal?.message.hasSuffix("; the recording has ended") == true)
      try RecorderServiceTests.wait(service, "it stands by") { $0.phase == .standby }
      #expect(service.state.films == 1, "the other has no frame")
    }
    #expect(outcome.films.endings.allSatisfy { !$0.isContinued })
  }

  /// A camera that was to take over, and has nothing to record: that the other one goes on, is said.
  @Test(arguments: ["vanish 0", "hang 0 deaf"], [false, true])
  func anotherCameraThatDeliversNothing_doesNotTakeOver(fault: String, awaitsCamera: Bool) throws {
    let isSilent = fault.hasPrefix("hang"), films = RecorderServiceTests.Films(), camera = films.camera
    let script = try Script("\(fault)\ndrop \(90081 + (isSilent ? 1 : 0) + (awaitsCamera ? 2 : 0))")
    let outcome = try tests.run(films, exposure: nil, awaitsCamera: awaitsCamera) { [path = script.path] service in
      try RecorderServiceTests.wait(service, "frames are written") { $0.ledger.written >= 3 }
      let change = SourceChange(camera: "sim:sensitivity=iso,faults=\(path)")
      let refusal = RecorderServiceTests.refusal(service, .source(change))
      let why = isSilent ? "has delivered no intact frame for 10 s" : "was unplugged"
      let sentence = "the other camera does not take over: simulated camera \(why); the recording goes on as before"
      let reason: RefusalReason? = isSilent ? nil : .unplugged
      #expect(refusal?.message == sentence && refusal?.reason == reason, "\(refusal as Any)")
      let written = service.state.ledger.written
      try RecorderServiceTests.wait(service, "it goes on") { $0.ledger.written >= written + 3 }
      let state = service.state
      #expect(state.phase == .recording && state.films == 1 && state.source?.camera == camera, "\(state)")
    }
    #expect(outcome.films.endings.count == 1 && outcome.state.ledger.lost.isEmpty)
  }

  /// Its warning is the new film's, however short that is.
  @Test func thatItIsBack_isSaidBeforeTheNewFilmHasEnded() throws {
    let films = RecorderServiceTests.Films(limit: .frames(11))
    films.departures[films.camera] = CameraDeparture(atFrame: 10, isHeld: false, staysAway: false)
    let outcome = try tests.run(films, exposure: nil, awaitsCamera: true) { service in
      try RecorderServiceTests.wait(service, "it has ended") { $0.phase == .ended }
    }
    let last = try #require(outcome.films.endings.first { $0.path == "/films/1.mov" })
    #expect((1...5).contains(last.summary.counts.written), "\(last.summary.counts)")
    #expect(last.warnings.contains { $0.contains(" is back after ") }, "\(last.warnings)")
  }
}
