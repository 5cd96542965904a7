import Foundation
import Frames
import Movies
import Recorder
import RecorderAPI
import Telemetry
import Testing

/// A recorder's states, one a second, and what the watchdog makes of them.
@Suite struct WatchdogTests {
  /// A recorder that is looked at once a second.
  private struct Scene {
    var judge = WatchdogJudge()
    var state = RecorderState(phase: .starting)
    var time = 1000.0

    init(fps: String = "24") {
      state.beats = 0
      state.films = 1
      state.source = RecorderState.Source(
        camera: "sim", width: 160, height: 90, frameRate: fps, pixelFormat: "nv12")
    }

    /// Seconds until it is said to hang; `nil` where it never is.
    mutating func run(seconds: Int, beats: Int = 10, _ change: (inout RecorderState) -> Void = { _ in }) -> Int? {
      for second in 1...seconds {
        time += 1
        state.beats? += beats
        change(&state)
        if case .hangs = judge.judge(state, at: time) { return second }
      }
      return nil
    }

    mutating func sentence() -> String? {
      if case .hangs(let sentence) = judge.judge(state, at: time) { return sentence }
      return nil
    }

    mutating func record(seconds: Int = 5) -> Int? {
      state.phase = .recording
      return run(seconds: seconds) {
        $0.ledger.expected += 24
        $0.ledger.written = $0.ledger.expected - 3
      }
    }
  }

  @Test func recordingThatMoves_isWell_forHours() {
    var scene = Scene()
    #expect(scene.run(seconds: 30) == nil)
    #expect(scene.record(seconds: 6 * 3600) == nil)
  }

  @Test func captureThatStandsStill_hangs() {
    var scene = Scene()
    #expect(scene.record() == nil)
    #expect(scene.run(seconds: 60) == 21)
    #expect(scene.sentence() == "no frame has arrived for 21 s, but the recorder still waits for the camera")
    #expect(scene.record() == nil, "and is well again once it moves")
  }

  @Test func slowCamera_isGivenItsIntervals() {
    var scene = Scene(fps: "1/10")
    scene.state.phase = .recording
    scene.state.started = .now
    #expect(scene.run(seconds: 5) { $0.ledger.expected = 1; $0.ledger.written = 1 } == nil)
    #expect(scene.run(seconds: 300) == 117, "12 intervals of 10 s behind the first second of standing still")
  }

  /// A film is recorded from its first frame on.
  @Test func recordingWithoutAnotherFrame_hangs() {
    var scene = Scene()
    #expect(scene.run(seconds: 80) == nil)
    scene.state.phase = .recording
    #expect(scene.run(seconds: 60) == 22, "counted from the film's beginning")
  }

  @Test func writerThatStandsStill_hangs_butNotWithAStalledDisk() {
    var scene = Scene()
    #expect(scene.record() == nil)
    func capture(_ state: inout RecorderState) { state.ledger.expected += 24 }
    #expect(scene.run(seconds: 60, capture) == 21)
    #expect(scene.sentence() == "frames are waiting, but none has been written or given up for 21 s")
    var stalled = Scene()
    #expect(stalled.record() == nil)
    stalled.state.disk = DiskStatus()
    stalled.state.disk?.stalledSeconds = 3
    #expect(stalled.run(seconds: 600, capture) == nil, "it waits for the disk, and says so")
    stalled.state.disk?.stalledSeconds = 0
    #expect(stalled.run(seconds: 60, capture) == 21)
  }

  @Test func framesThatAreLost_moveAsWell() {
    var scene = Scene()
    #expect(scene.record() == nil)
    let lossy: (inout RecorderState) -> Void = {
      $0.ledger.expected += 24
      $0.ledger.lost["overload", default: 0] += 24
    }
    #expect(scene.run(seconds: 600, lossy) == nil)
  }

  @Test func waitingForAnOrder_isWell_asLongAsTheRecorderLooksAround() {
    var scene = Scene()
    scene.state.phase = .standby
    #expect(scene.run(seconds: 7200) == nil)
    #expect(scene.run(seconds: 300, beats: 0) == 91)
    #expect(scene.sentence() == "the recorder's own thread has not moved for 91 s")
  }

  @Test func cameraOfAPreRollThatStandsStill_hangs() {
    var scene = Scene()
    scene.state.phase = .standby
    scene.state.preRoll = PreRollStatus()
    #expect(scene.run(seconds: 80) == nil, "it opens")
    #expect(scene.run(seconds: 7200) { $0.preRoll?.frames += 24 } == nil)
    #expect(scene.run(seconds: 60) == 21)
    #expect(scene.sentence() == "no pre-roll frame has arrived for 21 s, but the recorder still waits for the camera")
    scene.state.preRoll = nil
    #expect(scene.run(seconds: 600) == nil, "it was given up")
    scene.state.preRoll = PreRollStatus()
    #expect(scene.run(seconds: 300) == 92, "it never opened")
    var triggered = Scene()
    triggered.state.phase = .standby
    triggered.state.preRoll = PreRollStatus()
    #expect(triggered.run(seconds: 5) == nil)
    triggered.state.preRoll = nil
    #expect(triggered.record(seconds: 600) == nil)
    (triggered.state.phase, triggered.state.preRoll) = (.standby, PreRollStatus())
    #expect(triggered.run(seconds: 80) == nil, "behind a film it opens anew")
  }

  @Test func startingAndStopping_areLimited() {
    var scene = Scene()
    #expect(scene.run(seconds: 300) == 92)
    #expect(scene.sentence() == "it has been starting for 91 s")
    scene.state.phase = .stopping
    #expect(scene.run(seconds: 300) == 182)
    #expect(scene.sentence() == "it has been stopping for 181 s")
    var waiting = Scene()
    waiting.state.phase = .stopping
    #expect(waiting.run(seconds: 300, beats: 0) == 182, "who waits for the film's end may wait as long")
  }

  /// Films that follow one another are not one that stands still.
  @Test func eachFilm_beginsAnew() {
    var scene = Scene()
    for _ in 0..<20 {
      #expect(scene.record() == nil)
      scene.state.phase = .starting
      scene.state.films += 1
      scene.state.ledger.written = scene.state.ledger.expected
      #expect(scene.run(seconds: 25) == nil, "the camera is being measured")
    }
  }

  @Test func recorderThatTellsNoBeats_isJudgedByTheRest() {
    var scene = Scene()
    scene.state.beats = nil
    scene.state.phase = .standby
    #expect(scene.run(seconds: 1000) == nil)
  }
}
