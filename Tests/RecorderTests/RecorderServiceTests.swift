import Audio
import Bake
import CameraTestKit
import Cameras
import Color
import Exposure
import Foundation
import Frames
import MovieTestKit
import Movies
import Platform
import Recorder
import RecorderAPI
import Sidecar
import Synchronization
import TestKit
import Testing

/// A recorder on simulated cameras, told what to do while it records.
struct RecorderServiceTests {
  /// Films into memory, of `sim:` and its options.
  final class Films: FilmFactory {
    struct Ending {
      var path: String
      var summary: SessionSummary
      var isContinued: Bool
      /// What was said by then.
      var warnings: [String]
    }

    private(set) var endings: [Ending] = []
    private(set) var trials = 0
    private(set) var standbys = 0
    let limit: RecordingLimit?

    /// The one that is recorded where nothing else is asked for. Pulled: no frame is lost however busy the machine is.
    var camera = "sim:sensitivity=iso,pace=pulled"
    /// What the film is called where another recorder was faster; `nil`: as it was prepared.
    var takenName: String?
    /// What a look at the camera shows of its rates; `nil` where it shows nothing.
    var fastest: Double?
    /// Where films are divided into segments of a second.
    var shelf: SegmentShelf?
    /// Seconds that it takes to open a camera for a film that follows another.
    var openingTime = 0.0
    /// Concluding a film takes until the one that follows it has begun.
    var concludesLate = false
    /// The disk refuses the files of later ones.
    var mostFilms = Int.max
    /// There is no room for later ones.
    var mostPrepared = Int.max
    /// Why the files of later ones cannot be opened.
    var fileFailure: CamrecError?
    /// Whoever opens the file of a later one passes it.
    var openingGate: Gate?
    /// The first one is finished when it is open, and its disk is full then.
    var endingGate: Gate?
    /// The file that later ones are to begin in; takes until a test says so.
    var lateFile: LateFile?
    /// What keeps a film from following although its camera is back; set on any thread.
    let hindrance = Hindrance()
    /// When cameras are unplugged, by what they are called.
    var departures: [String: CameraDeparture] = [:]
    /// A camera that is to go has gone before its film is attached.
    var goesEarly = false
    /// Changes of the camera's mode that were checked.
    let checks = CheckCount()
    /// Of the film that was prepared last.
    private var latest: RecordingSession?
    fileprivate var notes: RecordingSessionTests.Notes?

    final class Hindrance: Sendable {
      private let value = Mutex<CamrecError?>(nil)
      private let action = Mutex<(@Sendable () -> Void)?>(nil)
      private let encounters = Atomic<Int>(0)

      var error: CamrecError? {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
      }

      /// How often it has kept a film from following.
      var meetings: Int { encounters.load(ordering: .acquiring) }

      /// - Parameter action: happens right before it keeps a film from following.
      func whenMet(_ action: @escaping @Sendable () -> Void) { self.action.withLock { $0 = action } }

      fileprivate func meet() throws(CamrecError) {
        guard let error else { return }
        action.withLock { $0 }?()
        encounters.add(1, ordering: .releasing)
        throw error
      }
    }

    final class CheckCount: Sendable {
      fileprivate let count = Atomic<Int>(0)

      func wait() throws {
        for _ in 0..<6000 where count.load(ordering: .acquiring) == 0 { WorkThread.sleep(.milliseconds(10)) }
        if count.load(ordering: .acquiring) == 0 { throw CamrecError(.defect, "no change was checked") }
      }
    }

    init(limit: RecordingLimit? = nil) { self.limit = limit }

    func prepare(_ order: FilmOrder) throws(CamrecError) -> PreparedFilm {
      if order.number > 0, !order.isTrial { WorkThread.sleep(.milliseconds(Int(openingTime * 1000))) }
      if order.number >= mostPrepared, !order.isTrial { throw CamrecError(.output, "there is too little room") }
      let text = order.source.camera ?? camera
      guard text.hasPrefix("sim:") else { throw CamrecError(.device, "there is no camera '\(text)'") }
      let departure = departures[text]
      if departure?.isAway == true { throw CamrecError(.device, "the camera is away", reason: .unplugged) }
      let options = try SimulatedCamera.Options(parsing: String(text.dropFirst(4)))
      let rate = order.source.frameRate ?? RecordingSessionTests.rate
      let clock = SimulatedClock(pace: options.pace)
      let simulation = try SimulatedCamera(
        options, request: CameraRequest(width: 160, height: 96, frameRate: rate, pixelFormat: "nv12"), clock: clock,
        frames: 8
      ) { (_) throws(CamrecError) in throw CamrecError(.defect, "nothing is encoded here") }
      let camera: any Camera =
        if let departure, !order.isTrial {
          StartedCamera(simulation, counts: departure.counts) { departure.isDue() }
        } else {
          simulation
        }
      guard case .raw(let layout) = camera.format.image else { throw CamrecError(.defect, "raw") }
      let service = try order.exposure.map { (exposure) throws(CamrecError) in
        try ExposureService.open(camera, options: exposure, startingFrom: order.setting).service
      }
      let baker = try Baker(
        input: FrameFormat(width: 160, height: 96, layout: layout, color: camera.format.color), outputLayout: layout,
        outputColor: camera.format.color, lut: nil, interpolation: .tetrahedral, workers: 1, frames: 6)
      if order.isReturn { try hindrance.meet() }
      if order.isTrial { trials += 1 }
      let path = "/films/\(order.number).mov", sink = CollectingSink(secondsPerFrame: 0.03)
      var parts = RecordingSession.Parts(
        camera: camera, microphone: nil, converter: nil, baker: baker, resampler: nil, exposure: service ?? nil,
        openSink: {
          [takenName, shelf, endingGate, isRefused = order.number >= mostFilms, gate = openingGate]
          _ throws(CamrecError) in
          if order.number > 0 { gate?.pass() }
          if isRefused { throw CamrecError(.output, "the disk is full") }
          if let shelf { return (shelf.open(nil), shelf.path(0)) }
          if let endingGate, order.number == 0 { return (FullDiskFilm(sink, endingGate), path) }
          return (sink, takenName ?? path)
        })
      parts.date = { (_, seconds) in Date(timeIntervalSince1970: 1_800_000_000 + seconds) }
      if let shelf {
        parts.path = shelf.path(0)
        parts.segments = shelf.plan(.seconds(Rational(1)), rate: rate, timeBase: Rational(1, 24000))
      }
      if let fileFailure, order.number > 0 {
        parts.prepareFile = { () throws(CamrecError) -> any PreparedSegment in throw fileFailure }
      }
      if let lateFile, order.number > 0 {
        parts.prepareFile = { () throws(CamrecError) -> any PreparedSegment in
          lateFile.gate.pass()
          return lateFile
        }
      }
      if let recording = order.recording { parts.identity = RecordingIdentity(recording: recording) }
      let session = RecordingSession(
        parts: parts,
        options: SessionOptions(overload: options.pace == .pulled ? .wait : .drop, limit: limit),
        timeBase: Rational(1, 24000))
      if !order.isTrial { latest = session }
      return PreparedFilm(
        session: session, path: path,
        source: RecorderState.Source(
          camera: text, width: 160, height: 96, frameRate: rate.description, pixelFormat: layout.rawValue),
        address: "\(text),seed=3", leftover: { "\($0) is cut off" },
        announce: { [goesEarly] _ in
          guard goesEarly, let departure, departure.counts.stops == 0 else { return }
          departure.waitForLastFrame()
          departure.goes()
          departure.waitForStop()
        },
        conclude: { summary, isContinued in
          for _ in 0..<6000 where self.concludesLate && self.latest?.hasBegunMovie == false {
            WorkThread.sleep(.milliseconds(10))
          }
          self.endings.append(
            Ending(
              path: path, summary: summary, isContinued: isContinued, warnings: self.notes?.warnings ?? []))
        })
    }

    func check(_ source: SourceChange) throws(CamrecError) {
      checks.count.add(1, ordering: .releasing)
      if let limit = fastest, let rate = source.frameRate, rate.framesPerSecond > limit {
        throw CamrecError(.usage, "\(rate) is faster than \(limit)")
      }
    }

    func standsBy() { standbys += 1 }

    func isSameCamera(_ one: SourceChange, _ other: SourceChange) -> Bool { one.camera == other.camera }
  }

  /// A file on a disk that does not answer until its gate is open.
  final class LateFile: PreparedSegment {
    let gate = Gate()
    let path = "/films/late.mov"
    private let discards = Atomic<Int>(0)

    var isDiscarded: Bool { discards.load(ordering: .acquiring) == 1 }

    func begin(_ start: SegmentStart) throws(CamrecError) -> any MovieSink { CollectingSink(secondsPerFrame: 0) }
    func openSidecar(_ start: SegmentStart) throws(CamrecError) -> SidecarWriter? { nil }
    func discard() { discards.add(1, ordering: .releasing) }
  }

  /// A film whose disk is full when it is finished.
  private final class FullDiskFilm: MovieSink {
    private let inner: CollectingSink
    private let gate: Gate
    private let hasFailed = Atomic<Bool>(false)

    init(_ inner: CollectingSink, _ gate: Gate) {
      self.inner = inner
      self.gate = gate
    }

    var bytesWritten: Int64 { inner.bytesWritten }
    func write(_ frame: consuming Frame, at time: Int64) throws(CamrecError) { try inner.write(frame, at: time) }
    func write(_ sound: borrowing AudioBuffer) throws(CamrecError) { try inner.write(sound) }
    func finish(at endTime: Int64) throws(CamrecError) -> MovieReport {
      gate.pass()
      if hasFailed.exchange(true, ordering: .acquiringAndReleasing) { return try inner.finish(at: endTime) }
      throw CamrecError(.output, "the disk is full")
    }
  }

  struct Outcome {
    var films: Films
    var state: RecorderState
    var notes: RecordingSessionTests.Notes
    var failure: CamrecError?
  }

  /// Runs a recorder on this thread, and the script beside it; what the script throws ends it and is rethrown.
  func run(
    _ films: Films = Films(), exposure: ExposureOptions? = ExposureOptions(), standsBy: Bool = false,
    awaitsCamera: Bool = false, memory: (any RecorderMemory)? = nil,
    _ script: @escaping @Sendable (RecorderService) throws -> Void
  ) throws -> Outcome {
    let service = RecorderService(
      RecorderSettings(exposure: exposure), standsBy: standsBy, awaitsCamera: awaitsCamera, memory: memory)
    let failure = Mutex<(any Error)?>(nil)
    let thread = WorkThread(name: "script") {
      do { try script(service) } catch { failure.withLock { $0 = error } }
      service.requestStop()
    }
    let notes = RecordingSessionTests.Notes()
    films.notes = notes
    var refusal: CamrecError?
    do throws(CamrecError) { try service.run(films, observer: notes) } catch { refusal = error }
    thread.join()
    if let error = failure.withLock({ $0 }) { throw error }
    return Outcome(films: films, state: service.state, notes: notes, failure: refusal)
  }

  static func wait(
    _ service: RecorderService, _ what: String, until condition: (RecorderState) -> Bool
  ) throws {
    for _ in 0..<6000 {
      if condition(service.state) { return }
      WorkThread.sleep(.milliseconds(10))
    }
    Issue.record("waited in vain until \(what)")
    throw CamrecError(.defect, what)
  }

  static func refusal(_ service: RecorderService, _ command: RecorderCommand) -> CamrecError? {
    do throws(CamrecError) {
      try service.perform(command)
      return nil
    } catch {
      return error
    }
  }

  /// Another recorder was faster, and this one's film has the next name.
  @Test func whatIsLeftIsSaidOfTheFilmThatWasOpened() throws {
    let films = Films()
    films.takenName = "/films/0-2.mov"
    _ = try run(films) { service in
      try Self.wait(service, "it records") { $0.phase == .recording && $0.film == "/films/0-2.mov" }
      #expect(service.leftover == "/films/0-2.mov is cut off")
    }
  }

  /// Some are told only when the film is finished, and the next one is recorded.
  @Test func aRemarkBelongsToItsFilm() throws {
    let outcome = try run { service in
      for (number, rate) in ["30", "25", nil].enumerated() {
        try Self.wait(service, "film \(number) has a frame") {
          $0.film == "/films/\(number).mov" && $0.phase == .recording && $0.filmAccount?.ledger.written ?? 0 > 0
        }
        service.remark(SessionRemark("it is said of film \(number)"))
        if let rate { try service.perform(.source(SourceChange(frameRate: FrameRate(parsing: rate)))) }
      }
    }
    let said = outcome.notes.remarks.filter { $0.message.hasPrefix("it is said of film ") }
    #expect(said.map(\.message) == (0...2).map { "it is said of film \($0)" })
    #expect(said.map(\.film) == (0...2).map { "/films/\($0).mov" })
  }

  /// It is switched while a camera is open, and is no setting of the film's.
  @Test func theTorchIsASign() throws {
    _ = try run(standsBy: true) { service in
      try Self.wait(service, "it stands by") { $0.phase == .standby }
      #expect(try !service.torch(percent: 50), "no camera is open")
      try service.perform(.start)
      #expect(try service.torch(percent: 50))
      #expect(try service.torch(percent: 0))
      try service.perform(.stop)
    }
  }

  @Test func aFilmEndsAtAStopAndTheRecorderWithIt() throws {
    let outcome = try run { service in
      try Self.wait(service, "five frames are written") { $0.ledger.written >= 5 }
      let state = try service.perform(.stop)
      #expect(state.phase == .ended && state.films == 1 && state.film == "/films/0.mov")
    }
    #expect(outcome.films.endings.count == 1 && outcome.films.standbys == 0)
    #expect(outcome.state.ledger.expected == outcome.state.ledger.written && outcome.state.ledger.written >= 5)
  }

  /// Also where the one behind it failed at its first frame.
  @Test(arguments: [false, true]) func theLastFilm_isNamedWithItsSegment(fails: Bool) throws {
    let films = Films()
    films.shelf = SegmentShelf(
      script: SegmentShelf.Script(
        fullDisks: fails ? [SegmentShelf.FullDisk(file: 3, frame: 0)] : [],
        wrote: { _, _ in WorkThread.sleep(.milliseconds(5)) }))
    let outcome = try run(films, standsBy: true) { service in
      try Self.wait(service, "it stands by") { $0.phase == .standby }
      #expect(service.state.segment == nil)
      try service.perform(.start)
      try Self.wait(service, "the third segment is recorded") { $0.segment ?? 0 >= 3 }
      if !fails { try service.perform(.stop) }
      try Self.wait(service, "it stands by again") { $0.phase == .standby }
      let state = service.state, number = try #require(state.segment)
      #expect(number >= 3 && state.film == "memory/take-\(number).mov")
    }
    let state = outcome.state, number = try #require(state.segment)
    #expect(state.phase == .ended && state.film == "memory/take-\(number).mov")
  }

  /// The state's account is read before its seconds.
  @Test func theStatesSeconds_includeTheLastFrame() throws {
    _ = try run { service in
      try Self.wait(service, "five frames are written") { $0.ledger.written >= 5 }
      for _ in 0..<20 {
        let state = service.state, captured = state.filmAccount?.ledger.captured ?? .max
        #expect(state.seconds * 24 + 1e-6 >= Double(captured), "\(state.seconds) s of \(captured) frames")
        WorkThread.sleep(.milliseconds(5))
      }
    }
  }

  @Test func standingByItRecordsWhenItIsTold() throws {
    let outcome = try run(standsBy: true) { service in
      try Self.wait(service, "it stands by") { $0.phase == .standby }
      #expect(Self.refusal(service, .stop)?.message == "nothing is being recorded")
      #expect(Self.refusal(service, .stop)?.reason == .notRecording)
      #expect(Self.refusal(service, .keep)?.reason == .noFilm && Self.refusal(service, .forget)?.field == .settings)
      for film in 1...2 {
        let begun = try service.perform(.start)
        #expect(begun.phase == .recording && begun.films == film && begun.started != nil)
        #expect(Self.refusal(service, .start)?.message == "already recording; stop first")
        #expect(Self.refusal(service, .start)?.reason == .recording)
        try Self.wait(service, "frames are written") { $0.ledger.written >= 3 * film }
        let stopped = try service.perform(.stop)
        #expect(stopped.phase == .standby)
        let own = try #require(stopped.filmAccount).ledger
        #expect(own.lost.isEmpty && own.written > 0 && own.expected == own.written)
        #expect(film == 1 ? own == stopped.ledger : own.written < stopped.ledger.written, "the last film's alone")
      }
      #expect(try service.perform(.quit).phase == .ended)
      #expect(Self.refusal(service, .start)?.message == "the recorder has ended")
      #expect(Self.refusal(service, .start)?.reason == .ended)
    }
    #expect(outcome.films.trials == 1 && outcome.films.standbys == 1)
    #expect(outcome.films.endings.map(\.path) == ["/films/0.mov", "/films/1.mov"])
    #expect(outcome.state.ledger.lost.isEmpty, "a pause between two films is no loss")
  }

  /// Its camera runs, and delivers nothing.
  @Test(arguments: [false, true]) func aFilmWithoutAFrame_isStarting_andNotRecorded(standsBy: Bool) throws {
    let films = Films(), departure = CameraDeparture(atFrame: 0)
    films.departures[films.camera] = departure
    _ = try run(films, exposure: nil, standsBy: standsBy) { service in
      let start = WorkThread(name: "start") { if standsBy { _ = Self.refusal(service, .start) } }
      departure.waitForLastFrame()
      let state = service.state
      #expect(state.phase == .starting && state.films == 0 && state.seconds == 0, "\(state)")
      departure.goes()
      start.join()
      try Self.wait(service, "no film has begun") { $0.phase == (standsBy ? .standby : .ended) }
      #expect(service.state.startFailure != nil && service.state.film == nil)
    }
  }

  @Test func aStartThatLeavesNoFile_leavesTheFilmBeforeAsTheLastOne() throws {
    let films = Films()
    films.mostFilms = 1
    _ = try run(films, standsBy: true) { service in
      try Self.wait(service, "it stands by") { $0.phase == .standby }
      try service.perform(.start)
      try Self.wait(service, "frames are written") { $0.ledger.written >= 3 }
      let first = try service.perform(.stop)
      _ = Self.refusal(service, .start)
      try Self.wait(service, "the second has failed") { $0.phase == .standby && $0.startFailure != nil }
      let state = service.state
      #expect(state.startFailure == "the disk is full" && state.failure == nil, "the last film is whole")
      #expect(state.films == 2 && state.film == "/films/0.mov" && state.identity == first.identity)
      #expect(state.filmAccount == first.filmAccount && first.filmAccount != nil)
    }
  }

  @Test(arguments: [false, true]) func filmsOfOneRecording_shareItsUUID_andTheNextStartBeginsAnother(
    isSame: Bool
  ) throws {
    let outcome = try run(standsBy: true) { service in
      try Self.wait(service, "it stands by") { $0.phase == .standby }
      #expect(service.state.identity == nil, "no film yet")
      let first = try #require(try service.perform(.start).identity)
      let camera = isSame ? nil : "sim:sensitivity=iso,pace=pulled,seed=7"
      let change = SourceChange(camera: camera, frameRate: FrameRate(parsing: "30"))
      let second = try #require(try service.perform(.source(change)).identity)
      #expect(second.recording == first.recording && second.film != first.film)
      #expect(try service.perform(.stop).identity == second, "the film recorded last")
      let third = try #require(try service.perform(.start).identity)
      #expect(third.recording != first.recording && third.film != second.film)
    }
    let films = outcome.films.endings.compactMap(\.summary.identity)
    #expect(films.count == 3 && Set(films.map(\.film)).count == 3 && Set(films.map(\.recording)).count == 2)
    // On a busy machine the one before may be finished last.
    let third = films.first { film in films.count { $0.recording == film.recording } == 1 }
    #expect(third != nil && outcome.state.identity == third && outcome.state.filmID == third?.filmID)
  }

  /// Sets a marker as soon as the film has frames, and returns its name.
  private static func mark(_ service: RecorderService, _ text: String? = nil) throws -> String? {
    try wait(service, "frames are written") { ($0.filmAccount?.ledger.written ?? 0) >= 2 }
    return try service.perform(.marker(text)).marker?.text
  }

  @Test func markersAreNumberedInTheirRecording_overAllItsFilms() throws {
    _ = try run(standsBy: true) { service in
      try Self.wait(service, "it stands by") { $0.phase == .standby }
      try service.perform(.start)
      var names = [try Self.mark(service), try Self.mark(service, "slate")]
      try service.perform(.source(SourceChange(frameRate: FrameRate(parsing: "30"))))
      names.append(try Self.mark(service))
      try service.perform(.stop)
      try service.perform(.start)
      names.append(try Self.mark(service))
      #expect(names == ["marker 1", "slate", "marker 3", "marker 1"])
    }
  }

  /// A change is answered at the film's first frame, and its file is opened when that frame is baked.
  @Test func aMarkerIsTaken_whileTheFilmsFileIsBeingOpened() throws {
    let films = Films(), gate = Gate()
    films.openingGate = gate
    _ = try run(films) { service in
      defer { gate.open() }
      try Self.wait(service, "frames are written") { $0.ledger.written >= 2 }
      gate.close()
      let begun = try service.perform(.source(SourceChange(frameRate: FrameRate(parsing: "30"))))
      #expect(begun.phase == .recording && begun.film == "/films/1.mov")
      gate.awaitSomebody()
      let disk = WorkThread(name: "disk") {
        WorkThread.sleep(.milliseconds(20))
        gate.open()
      }
      let marked = try service.perform(.marker("slate"))
      #expect(marked.marker?.text == "slate" && marked.film == "/films/1.mov")
      disk.join()
    }
  }

  @Test func aMarkerOfAFilmWhoseFileCannotBeOpened_isRefused() throws {
    let films = Films(), gate = Gate()
    (films.openingGate, films.mostFilms) = (gate, 1)
    _ = try run(films, standsBy: true) { service in
      defer { gate.open() }
      try Self.wait(service, "it stands by") { $0.phase == .standby }
      try service.perform(.start)
      try Self.wait(service, "frames are written") { $0.ledger.written >= 2 }
      gate.close()
      try service.perform(.source(SourceChange(frameRate: FrameRate(parsing: "30"))))
      gate.awaitSomebody()
      gate.open()
      try Self.wait(service, "the film cannot begin") { $0.phase != .recording }
      let refusal = Self.refusal(service, .marker("slate"))
      #expect(refusal?.message == "cannot set a marker: no film is being recorded")
      #expect(refusal?.reason == .notRecording)
    }
  }

  @Test(arguments: [false, true]) func anotherCameraTakesOver(isSame: Bool) throws {
    let outcome = try run { service in
      try Self.wait(service, "frames are written") { $0.ledger.written >= 5 }
      let rate = FrameRate(parsing: "30")
      let change =
        isSame
        ? SourceChange(frameRate: rate)
        : SourceChange(camera: "sim:sensitivity=iso,pace=pulled,seed=7", frameRate: rate)
      let state = try service.perform(.source(change))
      #expect(state.phase == .recording && state.films == 2 && state.source?.frameRate == "30")
      let written = state.ledger.written
      try Self.wait(service, "the second film has frames") { $0.ledger.written >= written + 5 }
    }
    let counts = outcome.films.endings.map(\.summary.counts)
    try #require(counts.count == 2)
    #expect(counts.allSatisfy { $0.totalLost == 0 && $0.written >= 5 })
    let ledger = outcome.state.ledger, between = ledger.lost["between"] ?? 0
    #expect(ledger.expected == counts[0].expected + counts[1].expected + between)
    #expect(ledger.written + between == ledger.expected, "every frame is in a film, or was due between two")
    #expect(outcome.films.endings.compactMap(\.summary.framesBetween) == [between])
  }

  /// Its operator has set it, and the angle was for the camera of the start.
  @Test(arguments: [false, true]) func aLockWithTheAngle_isNotThatOfAnotherCamera(standsBy: Bool) throws {
    let angle = try ShutterAngle(degrees: Rational(90))
    let exposure = ExposureOptions(mode: .locked, angle: angle, locksWithAngle: true)
    _ = try run(exposure: exposure, standsBy: standsBy) { service in
      func reached(_ film: Int) throws -> Double {
        if standsBy {
          try Self.wait(service, "it stands by") { $0.phase == .standby }
          try service.perform(.start)
        }
        try Self.wait(service, "film \(film) has frames") {
          $0.films == film && $0.phase == .recording && $0.filmAccount?.ledger.written ?? 0 > 0
        }
        let degrees = try #require(service.state.exposure?.reachedShutterAngle)
        if standsBy { try service.perform(.stop) }
        return degrees
      }
      let first = try reached(1)
      #expect(abs(first - 90) < 1)
      let camera = "sim:sensitivity=iso,pace=pulled,seed=7,shutter=45deg"
      try service.perform(.source(SourceChange(camera: camera)))
      let second = try reached(2)
      #expect(abs(second - 45) < 1, "as it is set")
    }
  }

  /// Even if the first frame comes while the recorder is busy with the film before.
  @Test func theAnswerHasTheFramesThatWereDueInBetween() throws {
    let films = Films()
    films.camera = "sim:"
    (films.openingTime, films.concludesLate) = (0.6, true)
    let outcome = try run(films, exposure: nil) { service in
      try Self.wait(service, "frames are written") { $0.ledger.written >= 3 }
      let answer = try service.perform(.source(SourceChange(frameRate: FrameRate(parsing: "12"))))
      #expect(answer.ledger.framesBetweenFilms >= 5, "\(answer.ledger)")
    }
    #expect(outcome.films.endings.compactMap(\.summary.framesBetween) == [outcome.state.ledger.framesBetweenFilms])
  }

  /// Whoever watches hears of the end, not that a film is starting.
  @Test func aSignalDuringAChangeThatFails_isToldAsTheEnd() throws {
    let films = Films()
    (films.openingTime, films.mostPrepared) = (0.5, 1)
    let outcome = try run(films, standsBy: true) { service in
      try Self.wait(service, "it stands by") { $0.phase == .standby }
      try service.perform(.start)
      let change = WorkThread(name: "change") {
        _ = try? service.perform(.source(SourceChange(frameRate: FrameRate(parsing: "30"))))
      }
      try Self.wait(service, "the film has ended for the change") { $0.phase != .recording }
      service.requestStop()
      change.join()
    }
    #expect(outcome.state.phase == .ended && outcome.films.endings.count == 1)
  }

  @Test func theAngleIsThatOfTheNewRateFromTheFirstFrameOn() throws {
    _ = try run { service in
      try Self.wait(service, "the exposure rests") { $0.exposure?.state == .settled }
      let before = try #require(service.state.exposure)
      #expect(abs(before.reachedShutterAngle - 180) < 0.5)
      let after = try #require(
        try service.perform(.source(SourceChange(frameRate: FrameRate(parsing: "50")))).exposure)
      #expect(abs(after.reachedShutterAngle - 180) < 0.5 && abs(after.exposureTime - 0.01) < 1e-4)
      #expect(abs(after.iso / before.iso - 50.0 / 24) < 0.25, "as bright as before")
    }
  }

  /// Though the camera shows a setting only frames later.
  @Test(arguments: [ExposureOptions.Mode.shutterPriority, .auto])
  func theAnswerHasTheAngleAndTheISOThatWereSet(mode: ExposureOptions.Mode) throws {
    _ = try run(exposure: ExposureOptions(mode: mode)) { service in
      try Self.wait(service, "the exposure rests") { $0.exposure?.state == .settled }
      let angle = try ShutterAngle(degrees: Rational(90))
      let narrow = try #require(try service.perform(.exposure(.angle(angle))).exposure)
      #expect(abs(narrow.reachedShutterAngle - 90) < 2, "\(narrow.reachedShutterAngle)")
      try service.perform(.exposure(.mode(.manual)))
      for iso in [800.0, 200] {
        let answer = try #require(try service.perform(.exposure(.iso(iso))).exposure)
        #expect(abs(answer.iso / iso - 1) < 0.05, "\(answer.iso)")
      }
    }
  }

  @Test func whatALockLeavesWithoutEffectIsRefused_andDescribedSo() throws {
    _ = try run(exposure: ExposureOptions(mode: .auto)) { service in
      try Self.wait(service, "frames are written") { $0.ledger.written >= 3 }
      #expect(try service.perform(.exposure(.lock(true))).exposure?.isLocked == true)
      let sentence = "an offset in EV has no effect while the exposure is locked; unlock it first"
      let refusal = Self.refusal(service, .exposure(.bias(Stops(1))))
      #expect(refusal?.message == sentence && refusal?.reason == .exposureMode)
      #expect(service.state.exposure?.bias == 0)
      #expect(try service.controls().first { $0.id == "ev" }?.refusal == sentence)
      try service.perform(.exposure(.lock(false)))
      #expect(try service.perform(.exposure(.bias(Stops(1)))).exposure?.bias == 1)
    }
  }

  @Test func theLockOfARecordingSurvivesASwitch() throws {
    var options = ExposureOptions()
    options.locksWhileRecording = true
    _ = try run(exposure: options) { service in
      try Self.wait(service, "it is locked") { $0.exposure?.isLocked == true }
      for camera in ["sim:sensitivity=iso,pace=pulled,light=2", "sim:sensitivity=iso,pace=pulled"] {
        try service.perform(.source(SourceChange(camera: camera)))
        try Self.wait(service, "it is locked again") { $0.exposure?.isLocked == true }
        #expect(service.state.exposure?.state == .held)
      }
    }
  }

  @Test func whatIsAskedInVainLeavesTheRecordingAsItWas() throws {
    let outcome = try run { service in
      try Self.wait(service, "frames are written") { $0.ledger.written >= 3 }
      #expect(
        Self.refusal(service, .source(SourceChange(camera: "/dev/nothing")))?.message
          == "there is no camera '/dev/nothing'")
      #expect(
        Self.refusal(service, .exposure(.lock(true)))?.message
          == "the exposure cannot be locked or unlocked in shutter-priority; choose auto")
      #expect(
        Self.refusal(service, .control(name: "colour", value: "1"))?.message.hasPrefix("there is no control 'colour'")
          == true)
      #expect(
        Self.refusal(service, .control(name: "exposure-time", value: "1/50"))?.message
          == "camrec's own exposure sets exposure-time; use mode, angle, iso and ev, or record with --exposure camera")
      let exposure = Self.refusal(service, .control(name: "exposure-time", value: "1/50"))
      #expect(exposure?.reason == .exposureByRecorder && exposure?.field == .exposure)
      #expect(exposure?.sentence.plain.hasSuffix("or record with 'exposure' camera") == true)
      #expect(Self.refusal(service, .control(name: "white-balance", value: "warm"))?.code == .usage)
      #expect(Self.refusal(service, .releaseFocus)?.message == "the recorder does not hold the focus")
      let written = service.state.ledger.written
      try Self.wait(service, "it goes on") { $0.ledger.written >= written + 3 }
      #expect(service.state.films == 1)
    }
    #expect(outcome.films.endings.count == 1 && outcome.state.ledger.lost.isEmpty)
  }

  @Test func whatTheCameraIsSeenToLackCostsNoFrame() throws {
    let films = Films()
    films.fastest = 100
    let outcome = try run(films) { service in
      try Self.wait(service, "frames are written") { $0.ledger.written >= 3 }
      #expect(
        Self.refusal(service, .source(SourceChange(frameRate: FrameRate(parsing: "999"))))?.message
          == "999 is faster than 100.0")
      // What it has already is no change.
      #expect(
        try service.perform(.source(SourceChange(frameRate: FrameRate(parsing: "24"), size: "160x96"))).films == 1)
      let written = service.state.ledger.written
      try Self.wait(service, "it goes on") { $0.ledger.written >= written + 3 }
    }
    #expect(outcome.films.endings.count == 1 && outcome.state.ledger.lost.isEmpty)
  }

  @Test func aRateThatTheCameraLacksBringsTheFormerOneBack() throws {
    let outcome = try run { service in
      try Self.wait(service, "frames are written") { $0.ledger.written >= 3 }
      let refused = Self.refusal(service, .source(SourceChange(frameRate: FrameRate(parsing: "999"))))
      #expect(refused != nil)
      let written = service.state.ledger.written
      #expect(service.state.source?.frameRate == "24" && service.state.phase == .recording)
      try Self.wait(service, "it goes on") { $0.ledger.written >= written + 3 }
    }
    let between = outcome.state.ledger.lost["between"] ?? 0
    #expect(outcome.films.endings.count == 2)
    #expect(outcome.state.ledger.written + between == outcome.state.ledger.expected)
  }

  @Test func anotherCameraWhoseFileCannotBeOpened_changesNothing() throws {
    let films = Films()
    films.fileFailure = CamrecError(.output, "the folder is gone")
    let outcome = try run(films) { service in
      try Self.wait(service, "frames are written") { $0.ledger.written >= 3 }
      let change = SourceChange(camera: "sim:sensitivity=iso,pace=pulled,seed=7")
      #expect(Self.refusal(service, .source(change)) == CamrecError(.output, "the folder is gone"))
      let written = service.state.ledger.written
      try Self.wait(service, "it goes on") { $0.ledger.written >= written + 3 }
      #expect(service.state.source?.camera == "sim:sensitivity=iso,pace=pulled")
    }
    #expect(outcome.films.endings.count == 1 && outcome.state.ledger.lost.isEmpty)
  }

  /// Its disk does not answer. That holds neither the film that is being recorded nor the recorder.
  @Test func anotherCameraWhoseFileIsBeingOpened_holdsNobody() throws {
    let films = Films(), file = LateFile()
    films.lateFile = file
    file.gate.close()
    let outcome = try run(films) { service in
      defer { file.gate.open() }
      try Self.wait(service, "frames are written") { $0.ledger.written >= 3 }
      let change = SourceChange(camera: "sim:sensitivity=iso,pace=pulled,seed=7")
      let refusal = Mutex<CamrecError?>(nil)
      let asking = WorkThread(name: "remote") {
        let error = Self.refusal(service, .source(change))
        refusal.withLock { $0 = error }
      }
      file.gate.awaitSomebody()
      let written = service.state.ledger.written
      try Self.wait(service, "it goes on") { $0.ledger.written >= written + 3 }
      service.requestStop()
      #expect(asking.join(within: 60), "the recorder waits for the disk")
      #expect(refusal.withLock { $0 } != nil)
      file.gate.open()
      asking.join()
    }
    for _ in 0..<6000 where !file.isDiscarded { WorkThread.sleep(.milliseconds(10)) }
    #expect(file.isDiscarded && outcome.films.endings.count == 1 && outcome.state.ledger.lost.isEmpty)
  }

  /// The film before has ended as it was told to.
  @Test(arguments: [false, true]) func aChangeAfterWhichNothingCanBeRecorded_isNoFailureOfTheLastFilm(
    standsBy: Bool
  ) throws {
    let films = Films()
    films.mostPrepared = 1
    let outcome = try run(films, standsBy: standsBy) { service in
      if standsBy {
        try Self.wait(service, "it stands by") { $0.phase == .standby }
        try service.perform(.start)
      }
      try Self.wait(service, "frames are written") { $0.ledger.written >= 3 }
      let refusal = Self.refusal(service, .source(SourceChange(frameRate: FrameRate(parsing: "30"))))
      #expect(
        refusal?.message
          == "there is too little room; the recording has ended, because it cannot go on as before either")
      try Self.wait(service, "nothing is recorded") { $0.phase == (standsBy ? .standby : .ended) }
      #expect(service.state.failure == nil && service.state.startFailure == "there is too little room")
    }
    #expect(outcome.failure?.message == (standsBy ? nil : "there is too little room"))
    #expect(outcome.films.endings.count == 1 && outcome.films.endings.first?.summary.failure == nil)
  }

  /// The change that ended it has failed meanwhile.
  @Test(arguments: [false, true]) func aFilmThatFailsWhileItIsFinished_isToldOf(standsBy: Bool) throws {
    let films = Films(), gate = Gate()
    films.mostPrepared = 1
    films.endingGate = gate
    gate.close()
    let outcome = try run(films, standsBy: standsBy) { service in
      defer { gate.open() }
      if standsBy {
        try Self.wait(service, "it stands by") { $0.phase == .standby }
        try service.perform(.start)
      }
      try Self.wait(service, "frames are written") { $0.ledger.written >= 3 }
      #expect(Self.refusal(service, .source(SourceChange(frameRate: FrameRate(parsing: "30")))) != nil)
      let state = service.state
      #expect(state.phase == (standsBy ? .standby : .stopping) && state.failure == nil)
      gate.open()
      try Self.wait(service, "its failure is told") {
        $0.failure != nil && $0.phase == (standsBy ? .standby : .ended)
      }
    }
    #expect(outcome.films.endings.count == 1 && outcome.state.phase == .ended)
    #expect(outcome.state.failure == outcome.films.endings.first?.summary.failure?.description)
    #expect(outcome.state.startFailure == "there is too little room")
  }

  @Test func settingsReachTheCameraAndTheNextFilm() throws {
    let outcome = try run { service in
      try Self.wait(service, "frames are written") { $0.ledger.written >= 3 }
      #expect(try service.perform(.control(name: "white-balance", value: "tungsten")).whiteBalance == "3200")
      #expect(try #require(service.state.whiteBalanceAge) >= 0 && service.ownState.whiteBalanceAge == nil)
      #expect(try service.perform(.exposure(.bias(Stops(1)))).exposure?.bias == 1)
      let next = try service.perform(.source(SourceChange(camera: "sim:sensitivity=iso,pace=pulled,seed=3")))
      #expect(next.whiteBalance == "3200" && next.exposure?.bias == 1)
      #expect(try service.perform(.exposure(.mode(.auto))).exposure?.mode == "auto")
      #expect(try service.perform(.exposure(.lock(true))).exposure?.isLocked == true)
      #expect(try service.perform(.exposure(.lock(false))).exposure?.isLocked == false)
      #expect(try service.perform(.focus(x: nil, y: nil)).focus?.phase == .searching)
      try Self.wait(service, "the focus is held") { $0.focus?.phase == .held }
      #expect(try service.perform(.releaseFocus).focus?.phase == .free)
    }
    #expect(outcome.films.endings.count == 2)
  }

  /// So that whoever watches hears of it at once.
  @Test func whatIsAcceptedRings_whatIsRefusedDoesNot() throws {
    _ = try run { service in
      try Self.wait(service, "frames are written") { $0.ledger.written >= 3 }
      let rings = Atomic<Int>(0)
      let listener = service.changes.add { rings.add(1, ordering: .relaxed) }
      try service.perform(.exposure(.bias(Stops(1))))
      try service.perform(.control(name: "white-balance", value: "tungsten"))
      let accepted = rings.load(ordering: .relaxed)
      #expect(accepted >= 2)
      #expect(Self.refusal(service, .start) != nil)
      try service.perform(.state)
      let afterwards = rings.load(ordering: .relaxed)
      #expect(afterwards == accepted)
      service.changes.remove(listener)
      try service.perform(.exposure(.bias(Stops(0))))
      let last = rings.load(ordering: .relaxed)
      #expect(last == accepted, "it listens no more")
    }
  }

  @Test func aLimitCountsOverAllFilmsOfARecording() throws {
    // More than a slow machine can have used up before the last change.
    let films = Films(limit: .frames(400))
    // What is due between two films counts, in real time.
    films.camera = "sim:sensitivity=iso"
    let outcome = try run(films) { service in
      for rate in ["60", "50"] {
        let written = service.state.ledger.written
        try Self.wait(service, "frames are written") { $0.ledger.written >= written + 5 }
        try service.perform(.source(SourceChange(frameRate: FrameRate(parsing: rate))))
      }
      try Self.wait(service, "it ends by itself") { $0.phase == .ended }
    }
    #expect(outcome.films.endings.map(\.summary.counts.expected).reduce(0, +) == 400)
  }

  @Test func standingByNothingIsTakenThatNoFilmCouldBeMadeWith() throws {
    _ = try run(standsBy: true) { service in
      try Self.wait(service, "it stands by") { $0.phase == .standby }
      try service.perform(.exposure(.mode(.manual)))
      let refusal = Self.refusal(service, .exposure(.iso(9_000_000)))
      #expect(refusal?.message.contains("the camera has no ISO 9000000") == true && refusal?.field == .iso)
      #expect(try service.perform(.start).exposure?.mode == "manual")
    }
  }

  @Test func whatIsLeftToTheCameraStaysWithIt() throws {
    _ = try run(exposure: ExposureOptions(mode: .camera)) { service in
      try Self.wait(service, "frames are written") { $0.ledger.written >= 3 }
      try service.perform(.exposure(.mode(.camera)))
      let sentence = "the camera sets its own exposure in this recording; stop first, or start with --exposure auto"
      #expect(Self.refusal(service, .exposure(.mode(.auto))) == CamrecError(.usage, sentence))
    }
  }

  @Test func whatMakesTheFirstFilmImpossibleIsThrown() throws {
    var options = ExposureOptions(mode: .manual)
    options.iso = 9_000_000
    let outcome = try run(exposure: options) { _ in }
    #expect(outcome.failure?.code == .usage && outcome.films.endings.isEmpty)
  }
}
