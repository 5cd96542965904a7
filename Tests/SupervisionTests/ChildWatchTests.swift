import Foundation
import Frames
import Platform
import Supervision
import Testing

/// When a recording is started again, and when it is not.
@Suite struct ChildWatchTests {
  private var watch = ChildWatch(now: at(0))

  private static func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1e9)) }

  private func news(_ json: String) throws -> ChildWatch.Event { .news(try #require(ChildNews(line: json))) }

  private func progress(_ written: Int, of expected: Int) throws -> ChildWatch.Event {
    try news(
      #"{"event":"progress","fps":24.0,"ledger":"#
        + #"{"captured":\#(expected),"expected":\#(expected),"lost":{},"written":\#(written)}}"#)
  }

  /// Seconds at which it is started, when every start fails at once.
  @Test mutating func failures_areFollowedByLongerAndLongerPauses() {
    var starts: [Double] = []
    for tenth in 0..<3000 {
      let now = Double(tenth) / 10
      for action in watch.receive(.tick, at: ChildWatchTests.at(now)) where action == .start {
        starts.append(now)
        let said = watch.receive(.ended(.status(69)), at: ChildWatchTests.at(now))
        #expect(said.count == 1)
      }
    }
    #expect(starts == [0, 1, 3, 7, 15, 31, 63, 123, 183, 243])
  }

  @Test mutating func goodMinute_beginsTheCountAnew() throws {
    for (time, pause) in [(0.0, 1), (1, 2), (3, 4)] {
      #expect(watch.receive(.tick, at: ChildWatchTests.at(time)) == [.start])
      #expect(
        watch.receive(.ended(.signal(9)), at: ChildWatchTests.at(time))
          == [.say(.error, "it was ended by signal 9; restarting it in \(pause) s")])
    }
    _ = watch.receive(.tick, at: ChildWatchTests.at(100))
    _ = watch.receive(try news(#"{"event":"started"}"#), at: ChildWatchTests.at(101))
    #expect(
      watch.receive(.ended(.status(70)), at: ChildWatchTests.at(161)) == [
        .say(.error, "it ended with status 70; restarting it in 1 s")
      ])
  }

  @Test mutating func ownEnd_isTheEnd() throws {
    for status in [Int32(0), 3] {
      var watch = ChildWatch(now: ChildWatchTests.at(0))
      #expect(watch.receive(.tick, at: ChildWatchTests.at(0)) == [.start])
      #expect(
        watch.receive(.ended(.status(status)), at: ChildWatchTests.at(9))
          == [.say(.info, "it finished by itself and is not restarted"), .finished(status)])
      #expect(watch.isOver && !watch.hasInterruptions)
    }
  }

  private func end(_ status: Int32, isAsked: Bool = false) throws -> ChildWatch.Event {
    try news(#"{"event":"ended","isAsked":\#(isAsked),"status":\#(status)}"#)
  }

  /// The exit status of a recorder is that of its first film that was not a success: a film before has lost frames.
  @Test mutating func recorderThatADiskHasEnded_isRestarted_whateverItsExitStatus() throws {
    _ = watch.receive(.tick, at: ChildWatchTests.at(0))
    _ = watch.receive(try news(#"{"event":"started"}"#), at: ChildWatchTests.at(1))
    #expect(watch.receive(try end(74), at: ChildWatchTests.at(2)) == [])
    #expect(
      watch.receive(.ended(.status(3)), at: ChildWatchTests.at(2))
        == [.say(.error, "its last film ended with status 74; restarting it in 1 s")])
    #expect(watch.hasInterruptions && !watch.isOver)
    #expect(watch.receive(.tick, at: ChildWatchTests.at(3)) == [.start])
    #expect(
      watch.receive(.ended(.status(3)), at: ChildWatchTests.at(4)).first
        == .say(.info, "it finished by itself and is not restarted"), "what one process says holds for that one")
  }

  @Test func recorderThatWasToldToEnd_isNotRestarted_whateverItsFilms() throws {
    for (film, exit) in [(Int32(0), Int32(74)), (3, 69), (74, 74), (0, 0)] {
      var watch = ChildWatch(now: ChildWatchTests.at(0))
      _ = watch.receive(.tick, at: ChildWatchTests.at(0))
      _ = watch.receive(try end(film, isAsked: true), at: ChildWatchTests.at(9))
      #expect(
        watch.receive(.ended(.status(exit)), at: ChildWatchTests.at(9))
          == [.say(.info, "it was told to end and is not restarted"), .finished(exit == 0 ? 0 : 3)],
        "a film that has failed is no failure of the rig's end")
      #expect(watch.isOver)
    }
  }

  @Test func recorderThatHangs_isRestarted_thoughItEndedAsItWasTold() throws {
    var watch = ChildWatch(now: ChildWatchTests.at(0))
    _ = watch.receive(.tick, at: ChildWatchTests.at(0))
    #expect(watch.receive(.tick, at: ChildWatchTests.at(300)).last == .signal(SIGTERM))
    _ = watch.receive(try end(0, isAsked: true), at: ChildWatchTests.at(301))
    #expect(
      watch.receive(.ended(.status(0)), at: ChildWatchTests.at(301))
        == [.say(.warning, "it ended with status 0; restarting it in 1 s")])
  }

  /// Of a rig that stops: only what fails then counts as more than a loss.
  @Test(arguments: [(Int32(3), Int32(74), Int32(3)), (0, 69, 3), (74, 74, 74), (69, 3, 69), (0, 0, 0), (3, 3, 3)])
  mutating func failuresBeforeTheStop_areLosses(film: Int32, exit: Int32, counts: Int32) throws {
    _ = watch.receive(.tick, at: ChildWatchTests.at(0))
    _ = watch.receive(try news(#"{"event":"started"}"#), at: ChildWatchTests.at(1))
    _ = watch.receive(.stop, at: ChildWatchTests.at(2))
    _ = watch.receive(try end(film, isAsked: true), at: ChildWatchTests.at(3))
    #expect(watch.receive(.ended(.status(exit)), at: ChildWatchTests.at(3)) == [.finished(counts)])
  }

  @Test mutating func crashAtTheEnd_isADefect_whateverWasSaidBefore() throws {
    _ = watch.receive(.tick, at: ChildWatchTests.at(0))
    _ = watch.receive(.stop, at: ChildWatchTests.at(2))
    _ = watch.receive(try end(0, isAsked: true), at: ChildWatchTests.at(3))
    #expect(watch.receive(.ended(.signal(SIGSEGV)), at: ChildWatchTests.at(3)) == [.finished(70)])
  }

  /// A folder, a LUT or a camera that is missing comes back; a camera at another port may offer less for a while.
  @Test(arguments: [Int32(64), 65, 69, 70, 74, 130])
  mutating func noFailureIsFinal(status: Int32) throws {
    let hint = status == 64 ? " (check the rig file: camrec rig check)" : ""
    for (time, pause) in [(0.0, 1), (1, 2), (3, 4)] {
      #expect(watch.receive(.tick, at: ChildWatchTests.at(time)) == [.start])
      #expect(
        watch.receive(.ended(.status(status)), at: ChildWatchTests.at(time))
          == [.say(.error, "it ended with status \(status)\(hint); restarting it in \(pause) s")])
      #expect(watch.isFailing && watch.failures > 0 && !watch.isOver)
    }
    #expect(watch.receive(.tick, at: ChildWatchTests.at(7)) == [.start])
    #expect(watch.isFailing, "as long as it has not recorded")
    _ = watch.receive(try news(#"{"event":"started"}"#), at: ChildWatchTests.at(8))
    #expect(!watch.isFailing)
  }

  @Test mutating func startThatRecords_isNoFailedOne() throws {
    for (time, records, count) in [(0.0, false, 1), (10, false, 2), (20, true, 0), (30, false, 1)] {
      #expect(watch.receive(.tick, at: ChildWatchTests.at(time)) == [.start])
      if records { _ = watch.receive(try news(#"{"event":"started"}"#), at: ChildWatchTests.at(time + 1)) }
      _ = watch.receive(.ended(.signal(9)), at: ChildWatchTests.at(time + 2))
      #expect(watch.failedStarts == count)
    }
    #expect(watch.failures == 4, "but the pauses grow")
  }

  @Test mutating func recorderThatStandsBy_isWell() throws {
    _ = watch.receive(.tick, at: ChildWatchTests.at(0))
    _ = watch.receive(.ended(.signal(11)), at: ChildWatchTests.at(0))
    _ = watch.receive(.tick, at: ChildWatchTests.at(1))
    _ = watch.receive(try news(#"{"event":"alive","phase":"starting"}"#), at: ChildWatchTests.at(2))
    #expect(watch.isFailing)
    _ = watch.receive(try news(#"{"event":"standby"}"#), at: ChildWatchTests.at(3))
    #expect(!watch.isFailing)
    #expect(
      watch.receive(.ended(.signal(11)), at: ChildWatchTests.at(63))
        == [.say(.error, "it was ended by signal 11; restarting it in 1 s")], "a good minute")
  }

  /// In the midst of a system call that does not return.
  @Test mutating func killedOneThatDoesNotGo_isSaidAgain_andKeepsNoRigFromEnding() throws {
    _ = watch.receive(.tick, at: ChildWatchTests.at(0))
    #expect(watch.receive(.tick, at: ChildWatchTests.at(300)).last == .signal(SIGTERM))
    #expect(watch.receive(.tick, at: ChildWatchTests.at(330)).last == .signal(SIGTERM))
    #expect(watch.receive(.tick, at: ChildWatchTests.at(340)).last == .signal(SIGKILL))
    #expect(watch.receive(.tick, at: ChildWatchTests.at(349)) == [])
    let sentence = "it was killed but is not gone: a driver or a disk holds it in the kernel"
    var said: [Double] = []
    for second in stride(from: 350.0, to: 2000, by: 1) {
      let actions = watch.receive(.tick, at: ChildWatchTests.at(second))
      if actions == [] { continue }
      #expect(actions == [.say(.error, "\(sentence); restarting it once it is gone (see dmesg)")])
      said.append(second)
    }
    #expect(said == [350, 950, 1550])
    #expect(watch.isFailing)
    var back = watch
    #expect(back.receive(.ended(.signal(9)), at: ChildWatchTests.at(2000)).count == 1)
    #expect(back.receive(.tick, at: ChildWatchTests.at(2001)) == [.start])
    #expect(watch.receive(.stop, at: ChildWatchTests.at(2000)) == [])
    #expect(
      watch.receive(.tick, at: ChildWatchTests.at(2000)) == [
        .say(.error, "\(sentence); the rig ends without it"), .finished(74),
      ])
    #expect(watch.isOver)
  }

  @Test mutating func silence_isAHang() throws {
    _ = watch.receive(.tick, at: ChildWatchTests.at(0))
    _ = watch.receive(try news(#"{"event":"started"}"#), at: ChildWatchTests.at(1))
    _ = watch.receive(try progress(10, of: 10), at: ChildWatchTests.at(2))
    #expect(watch.receive(.tick, at: ChildWatchTests.at(31)) == [])
    #expect(
      watch.receive(.tick, at: ChildWatchTests.at(32))
        == [
          .say(.error, "it hangs: it has reported nothing for 30 s; restarting it"), .signal(SIGTERM),
        ])
    #expect(watch.receive(.tick, at: ChildWatchTests.at(61)) == [])
    #expect(watch.receive(.tick, at: ChildWatchTests.at(62)).last == .signal(SIGTERM))
    #expect(watch.receive(.tick, at: ChildWatchTests.at(72)).last == .signal(SIGKILL))
    #expect(
      watch.receive(.ended(.signal(9)), at: ChildWatchTests.at(73)) == [
        .say(.warning, "it was ended by signal 9; restarting it in 1 s")
      ])
  }

  @Test mutating func standstill_isAHangWhereFramesAreDue() throws {
    _ = watch.receive(.tick, at: ChildWatchTests.at(0))
    _ = watch.receive(try news(#"{"event":"started"}"#), at: ChildWatchTests.at(0))
    for second in 1...400 {
      // A camera that is away for a while: nothing is due.
      _ = watch.receive(try progress(10, of: 10), at: ChildWatchTests.at(Double(second)))
      #expect(watch.receive(.tick, at: ChildWatchTests.at(Double(second))) == [])
    }
    for second in 401..<520 {
      _ = watch.receive(try progress(10, of: second), at: ChildWatchTests.at(Double(second)))
      #expect(watch.receive(.tick, at: ChildWatchTests.at(Double(second))) == [])
    }
    _ = watch.receive(try progress(10, of: 520), at: ChildWatchTests.at(520))
    #expect(
      watch.receive(.tick, at: ChildWatchTests.at(520)).first
        == .say(
          .error, "it hangs: frames are due, but none was written for 120 s; restarting it"))
  }

  /// A recorder that waits for an order or its camera has nothing to tell but that it lives.
  @Test(arguments: ["standby", "stopped"])
  mutating func restingRecorder_saysThatItLives(event: String) throws {
    _ = watch.receive(.tick, at: ChildWatchTests.at(0))
    _ = watch.receive(try news(#"{"event":"alive","phase":"starting"}"#), at: ChildWatchTests.at(1))
    _ = watch.receive(try news(#"{"event":"started"}"#), at: ChildWatchTests.at(2))
    _ = watch.receive(try news(#"{"event":"\#(event)"}"#), at: ChildWatchTests.at(3))
    for time in stride(from: 6.0, to: 100_000, by: 59) {
      _ = watch.receive(try news(#"{"event":"alive","phase":"waiting"}"#), at: ChildWatchTests.at(time))
      #expect(watch.receive(.tick, at: ChildWatchTests.at(time + 58.9)) == [])
    }
    _ = watch.receive(try news(#"{"event":"alive","phase":"waiting"}"#), at: ChildWatchTests.at(100_000))
    #expect(watch.receive(.tick, at: ChildWatchTests.at(100_059)) == [])
    #expect(
      watch.receive(.tick, at: ChildWatchTests.at(100_060))
        == [
          .say(.error, "it hangs: it has reported nothing for 60 s; restarting it"), .signal(SIGTERM),
        ])
  }

  /// Progress is told by another thread than that which looks whether all is well.
  @Test mutating func recorderThatNoLongerSaysItIsWell_hangs() throws {
    _ = watch.receive(.tick, at: ChildWatchTests.at(0))
    _ = watch.receive(try news(#"{"event":"started"}"#), at: ChildWatchTests.at(1))
    _ = watch.receive(try news(#"{"event":"alive","phase":"recording"}"#), at: ChildWatchTests.at(2))
    for second in 3..<62 {
      _ = watch.receive(try progress(10, of: 10), at: ChildWatchTests.at(Double(second)))
      #expect(watch.receive(.tick, at: ChildWatchTests.at(Double(second))) == [])
    }
    _ = watch.receive(try progress(10, of: 10), at: ChildWatchTests.at(62))
    #expect(
      watch.receive(.tick, at: ChildWatchTests.at(62))
        == [
          .say(.error, "it hangs: it has not reported that it is well for 60 s; restarting it"),
          .signal(SIGTERM),
        ])
  }

  /// A film that is finished on a slow disk beside a camera that stands by tells nothing of its own.
  @Test mutating func finishingFilm_mayTakeAsLongAsItIsSaidToBeWell() throws {
    _ = watch.receive(.tick, at: ChildWatchTests.at(0))
    _ = watch.receive(try news(#"{"event":"started"}"#), at: ChildWatchTests.at(0))
    _ = watch.receive(try progress(10, of: 12), at: ChildWatchTests.at(1))
    for second in stride(from: 5.0, to: 175, by: 5) {
      _ = watch.receive(try news(#"{"event":"alive","phase":"stopping"}"#), at: ChildWatchTests.at(second))
      #expect(watch.receive(.tick, at: ChildWatchTests.at(second + 4)) == [])
    }
  }

  @Test mutating func start_hasLongerToSaySomething() throws {
    _ = watch.receive(.tick, at: ChildWatchTests.at(0))
    #expect(watch.receive(.tick, at: ChildWatchTests.at(299)) == [])
    var other = watch
    #expect(watch.receive(.tick, at: ChildWatchTests.at(300)).last == .signal(SIGTERM))
    _ = other.receive(try news(#"{"event":"alive","phase":"starting"}"#), at: ChildWatchTests.at(299))
    #expect(other.receive(.tick, at: ChildWatchTests.at(358)) == [])
    #expect(other.receive(.tick, at: ChildWatchTests.at(359)).last == .signal(SIGTERM))
  }

  @Test mutating func stop_endsWhatRunsAndWhatWaits() throws {
    var waiting = watch
    _ = watch.receive(.tick, at: ChildWatchTests.at(0))
    #expect(watch.receive(.stop, at: ChildWatchTests.at(1)) == [.signal(SIGTERM)])
    #expect(watch.receive(.ended(.status(0)), at: ChildWatchTests.at(2)) == [.finished(0)])
    var early = ChildWatch(now: ChildWatchTests.at(0))
    _ = early.receive(.tick, at: ChildWatchTests.at(0))
    _ = early.receive(.stop, at: ChildWatchTests.at(0))
    #expect(
      early.receive(.ended(.signal(SIGTERM)), at: ChildWatchTests.at(0)) == [.finished(0)], "before it could catch it")
    _ = waiting.receive(.tick, at: ChildWatchTests.at(0))
    _ = waiting.receive(.ended(.status(69)), at: ChildWatchTests.at(1))
    #expect(waiting.receive(.stop, at: ChildWatchTests.at(1)) == [.finished(3)], "what failed had losses")
    #expect(waiting.isOver && waiting.hasInterruptions)
  }
}
