import Foundation
import Frames
import Recorder
import RecorderAPI
import Recovery
import Reporting
import Retention
import Terminal
import TestKit
import Testing
import Verification

/// Results and progress, for people and for programs.
struct ReportTests {
  private func object(_ value: some Encodable) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: try JSONEncoder().encode(value)) as? [String: Any])
  }

  private func check(_ film: [UInt8]) -> FilmCheck {
    let facts = StreamFacts(identifier: 1, codec: "hevc", width: 64, height: 48, samples: 12)
    return FilmCheck(size: UInt64(film.count), streams: .success([facts])) { (offset: UInt64, count: Int) -> [UInt8] in
      Array(film[Int(offset)..<min(film.count, Int(offset) + count)])
    }
  }

  @Test func aVerificationSaysTheWorstFirst() throws {
    var film = HandMade.film()
    film["moov/trak/mdia/minf/stbl/stsd/hvc1"]?.type = "hev1"
    let good = VerificationReport(check(HandMade.film().content), path: "a\u{1B}.mov")
    #expect(good.verdict == "ok" && good.worst == nil && good.text == "a·.mov: no problems")
    let both = VerificationReport(check(film.content + [1, 2, 3]), path: "a.mov")
    #expect(both.verdict == "error" && both.findings.map(\.severity) == [.error, .note])
    let lines = both.text.split(separator: "\n")
    #expect(lines.first == "a.mov: 1 error, 1 note")
    #expect(lines.last == "note     the file at \(film.content.count): its last 3 bytes are not atoms")
    #expect(Set(try object(both).keys) == ["format", "version", "path", "verdict", "findings", "facts"])
  }

  @Test func aRecoveryThatFailedHasNoFigures() throws {
    let failed = try object(RecoveryReport(CamrecError(.input, "it is a text"), path: "a.mov"))
    #expect(Set(failed.keys) == ["format", "version", "path", "verdict", "sentence"])
    #expect(failed["verdict"] as? String == "failed" && failed["sentence"] as? String == "it is a text")
    let nothing = try object(RecoveryReport(nothingIn: "films", "there is nothing to recover"))
    #expect(nothing["verdict"] as? String == "nothing" && nothing["path"] as? String == "films")
  }

  @Test func progressIsKnownOnceSomethingIsDone() {
    let start = MonotonicTime(nanoseconds: 5_000_000_000), later = start.advanced(by: 1_000_000_000)
    var pace = WorkPace(total: 100, at: start)
    let first = WorkReading(pace, realTime: 25, at: start)
    #expect(first.percent == 0 && first.perSecond == nil && first.speed == nil && first.secondsLeft == nil)
    pace.reach(25, at: later)
    let reading = WorkReading(pace, realTime: 25, at: later)
    #expect(reading.percent == 25 && reading.perSecond == 25 && reading.speed == 1 && reading.secondsLeft == 3)
    pace.reach(100, at: later.advanced(by: 3_000_000_000))
    let end = WorkReading(pace, realTime: nil, at: later.advanced(by: 3_000_000_000))
    #expect(end.isFinishing && end.percent == 100 && end.secondsLeft == nil && end.speed == nil)
    let unknown = WorkReading(WorkPace(total: nil, at: start), realTime: 25, at: later)
    #expect(unknown.percent == nil && !unknown.isFinishing)
  }

  @Test func aBitrateIsThatSinceTheLastReading() {
    var meter = BitrateMeter()
    let first = meter.megabitsPerSecond(bytes: 1_000_000, seconds: 2)
    let second = meter.megabitsPerSecond(bytes: 1_500_000, seconds: 2.5)
    let third = meter.megabitsPerSecond(bytes: 1_500_000, seconds: 2.5)
    #expect(abs(first - 4) < 1e-9 && abs(second - 8) < 1e-9 && third == 0, "there is no film since the second")
  }

  @Test func textsAreCentredOnTheirColumns() {
    var row = TextRow()
    #expect(row.hasRoom(for: "x", at: 0) && row.text == "")
    row.put("abc", at: 5)
    row.put("12", at: 1)
    #expect(row.text == "12  abc")
    #expect(row.hasRoom(for: "x", at: 8) && !row.hasRoom(for: "x", at: 7), "a blank stays between")
  }

  @Test func whyAFilmIsDeletedIsAFact() {
    let now = Moment(boot: "one", uptime: 1000, time: 0, isSynchronized: false)
    let film = CataloguedFilm(
      film: "a.mov", recorder: "front", inode: nil, bytes: 12_000_000, head: "", finished: now)
    for reason in DeletionReason.allCases {
      let remark = SpaceSentences.deleted(film, reason, RetentionLimits(age: 86_400, count: 3, bytes: 5, freeBytes: 5))
      #expect(remark.facts == ["deleted": "a.mov", "reason": reason.rawValue, "bytes": "12000000"])
      #expect(remark.message.hasPrefix("'a.mov' (12.0 MB) was deleted: ") && !remark.isWarning)
    }
    let room = SpaceSentences.deleted(film, .room, RetentionLimits())
    #expect(room.message == "'a.mov' (12.0 MB) was deleted: the recording needs the room")
    let count = SpaceSentences.deleted(film, .count, RetentionLimits(count: 3))
    #expect(count.message == "'a.mov' (12.0 MB) was deleted: --keep-count 3 was exceeded")
    #expect(count.sentence.plain == "'a.mov' (12.0 MB) was deleted: 'keep-count' 3 was exceeded")
  }

  /// It is said by a start that is refused next, too.
  @Test func aFaultOfTheCatalogue_speaksOfNoRecording() {
    let plan = RetentionService.Plan(limits: RetentionLimits(), recorder: "front")
    let fault = CamrecError(.output, "the catalogue cannot be written", cause: "No space left on device")
    let remark = RetentionSentences.remark(.trouble(fault), plan)
    let words =
      "the catalogue cannot be written (No space left on device); as long as that is so, films may be missing from the"
      + " catalogue, and old ones may stay"
    #expect(remark.message == words && remark.isWarning, "\(remark)")
  }

  /// In the scope of the folder, the number is a sum.
  @Test func aLimitBelowWhatStays_saysWhoseFilmsThatIs() {
    func message(_ scope: RetentionScope) -> String {
      let plan = RetentionService.Plan(limits: RetentionLimits(bytes: 5_000_000, scope: scope), recorder: "front")
      return RetentionSentences.remark(
        .unmeetable(.size(staying: 6_000_000), RetentionNotice.Waiting(recorder: "front")), plan
      ).message
    }
    #expect(
      message(.recorder).hasPrefix(
        "--keep-size 5.0 MB is less than the newest film has (6.0 MB), which is never deleted; "))
    #expect(
      message(.folder).hasPrefix(
        "--keep-size 5.0 MB is less than the newest films of all recorders there have together (6.0 MB), which are "))
  }

  @Test(arguments: [1, 2])
  func filmsThatWaitForTheirHook_areKeptUntilItSucceedsOrCamrecGivesUp(_ films: Int) {
    let waiting = RetentionNotice.Waiting(
      recorder: "front", films: films, bytes: 3_000_000, error: "ended with status 1", failed: 1)
    let plan = RetentionService.Plan(limits: RetentionLimits(), recorder: "front", hasHook: true)
    let hold =
      films == 1
      ? "it is not deleted until the hook succeeds or camrec gives up, and does"
      : "they are not deleted until it succeeds or camrec gives up, and do"
    let message = RetentionSentences.remark(.waiting(waiting), plan).message
    #expect(message.hasSuffix("; \(hold) not count towards --keep-count and --keep-size"), "\(message)")
  }

  @Test func aRemedyOfAFullDisk_isNamedOnlyWhereItIsEnough() {
    func remedy(
      _ rotates: Bool, _ reclaimable: Int64, kept: (count: Int, bytes: Int64) = (count: 0, bytes: 0)
    ) -> String {
      SpaceSentences.remedy(rotates: rotates, lack: 100, reclaimable: reclaimable, kept: kept).withOptions
    }
    #expect(remedy(false, 0) == "free some room", "no film may be deleted")
    #expect(remedy(false, 99) == "free some room")
    #expect(remedy(false, 100) == "free some room, or let --on-full rotate delete the oldest films")
    let cannot = "camrec cannot free enough by deleting old films; free some room"
    #expect(remedy(true, 0) == cannot)
    #expect(remedy(true, 40, kept: (count: 1, bytes: 59)) == cannot, "they do not make up for it")
    #expect(
      remedy(true, 40, kept: (count: 1, bytes: 60))
        == cannot + ", or release films: 1 film has a keep mark ('camrec keep --undo FILE' removes it)")
    #expect(remedy(true, 100, kept: (count: 2, bytes: 60)) == cannot, "the marks are not what is in the way")
  }

  @Test func aRemoteHearsNoOptions() {
    let remedy = SpaceSentences.remedy(rotates: false, lack: 1, reclaimable: 1, kept: (count: 0, bytes: 0))
    let refusal = SpaceSentences.refusal("a.mov", free: 1_000_000, needed: 2_000_000, remedy: remedy)
    let start = "there is too little room for 'a.mov': 1.0 MB are free, and a film needs 2.0 MB to start; free some "
    let end = "rotate delete the oldest films"
    #expect(refusal.message == start + "room, or let --on-full \(end)")
    #expect(refusal.reason == .noRoom)
    #expect(RecorderError(refusal).message == start + "room, or let 'on-full' \(end)")
  }

  @Test func theStateOfARecorderOnOneLine_andOnSeveral() {
    var state = RecorderState(phase: .standby)
    #expect(RecorderDescription.line(of: state) == "standby  0:00:00  0 frames  0 lost")
    var first = state
    first.ledger.written = 1
    #expect(RecorderDescription.line(of: first) == "standby  0:00:00  1 frame  0 lost")
    #expect(RecorderDescription.lines(of: state) == ["standing by"])
    state.phase = .recording
    (state.film, state.films, state.seconds, state.bytes) = ("a.mov", 1, 83, 12_345_678)
    (state.ledger.expected, state.ledger.captured, state.ledger.written) = (10, 9, 9)
    state.ledger.lost = [LossReason.deviceGap.rawValue: 1]
    #expect(RecorderDescription.line(of: state) == "recording  0:01:23  9 frames  1 lost")
    #expect(
      RecorderDescription.lines(of: state) == [
        "recording a.mov: 0:01:23, 12.3 MB",
        "  expected 10, captured 9, written 9, lost 1: 1 never came from the camera",
      ])
    state.failure = "the disk is full"
    #expect(RecorderDescription.lines(of: state).last == "  the last film ended early: the disk is full")
    // Two things, each of which is said once.
    (state.startFailure, state.cameraFailure) = ("the camera is unplugged", "the camera is unplugged")
    #expect(
      RecorderDescription.lines(of: state).suffix(2) == [
        "  the last film ended early: the disk is full", "  no film was made: the camera is unplugged",
      ])
    #expect(!RecorderDescription.lines(of: state).contains { $0.contains("no camera is open") })
    state.phase = .standby
    (state.failure, state.startFailure) = (nil, nil)
    #expect(RecorderDescription.lines(of: state).last == "  no camera is open: the camera is unplugged")
    state.phase = .waiting
    (state.failure, state.startFailure, state.cameraFailure) = (nil, nil, "the camera is unplugged")
    #expect(RecorderDescription.lines(of: state).first == "waiting for the camera; the last film is a.mov")
    #expect(RecorderDescription.lines(of: state).last == "  waits for its camera: the camera is unplugged")
    (state.cameraFailure, state.continuationFailure) = (nil, "the disk is full")
    // Perhaps another camera was chosen, and the one that was lost is still away.
    let why = "the recording cannot continue: the disk is full"
    #expect(RecorderDescription.line(of: state) == "waiting  0:01:23  9 frames  1 lost  \(why)")
    #expect(RecorderDescription.lines(of: state).first == "waiting until it can record again; the last film is a.mov")
    #expect(RecorderDescription.lines(of: state).last == "  " + why)
  }
}
