import Foundation
import Frames
import Platform
import Recorder
import RecorderAPI
import Reporting
import Testing

/// Events as programs read them: one line each, with the members that `Documentation/Events.md` names.
struct EventTests {
  private func read(_ event: some Encodable) throws -> [String: Any] {
    let line = EventLine.line(event)
    #expect(!line.contains("\n") && line.hasPrefix("{") && line.hasSuffix("}"), "\(line)")
    return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }

  private static let page: String = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return (try? String(contentsOf: root.appending(path: "Documentation/Events.md"), encoding: .utf8)) ?? ""
  }()

  /// Of a film that was baked in part, after a gap.
  private func stopped() -> StoppedEvent {
    var event = StoppedEvent(status: 3, ledger: LedgerRecord(FrameLedger.Counts()))
    (event.between, event.output, event.frames, event.repeated) = (2, "a.mov", 240, 3)
    (event.discarded, event.isPartial, event.total, event.bytes) = (1, true, 480, 1_000_000)
    (event.seconds, event.segments, event.ratePartsPerMillion) = (10, 2, -1.5)
    (event.isVariableRate, event.secondsToFirstFrame) = (true, 0.25)
    event.sound = SoundRecord(
      SoundSummary(frames: 480_000, overruns: 1, lostFrames: 960, refusedFrames: 480, silentFrames: 480, stretch: 1.5))
    event.error = ErrorRecord(CamrecError(.output, "the disk is full", cause: "No space left on device"))
    event.soundError = ErrorRecord(CamrecError(.device, "the microphone is gone"))
    return event
  }

  @Test func everyEventHasItsTime() throws {
    let before = MonotonicTime.now(), event = try read(AliveEvent(phase: .standby)), after = MonotonicTime.now()
    #expect(event["event"] as? String == "alive" && event["phase"] as? String == "standby")
    let time = try #require(event["time"] as? [String: Any])
    let seconds = try #require(time["monotonic"] as? Double)
    let earliest = Double(before.nanoseconds / 1000) / 1e6, latest = Double(after.nanoseconds / 1000 + 1) / 1e6
    #expect((earliest...latest).contains(seconds), "in whole microseconds")
    #expect((time["wall"] as? String)?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
  }

  @Test func theEndOfAFilmHasTheMembersThatArePromised() throws {
    let event = try read(stopped())
    for key in event.keys where key != "event" {
      #expect(Self.page.contains("`\(key)`"), "\(key) is in no list of Documentation/Events.md")
    }
    #expect(event["event"] as? String == "stopped" && event["status"] as? Int == 3)
    #expect(event["between"] as? Int == 2 && event["total"] as? Int == 480 && event["isPartial"] as? Bool == true)
    let ledger = try #require(event["ledger"] as? [String: Any])
    #expect(Set(ledger.keys) == ["expected", "captured", "written", "lost"])
    let reasons = try #require(ledger["lost"] as? [String: Int])
    #expect(Set(reasons.keys) == Set(LossReason.allCases.map(\.rawValue)))
    for key in try #require(event["sound"] as? [String: Any]).keys {
      #expect(Self.page.contains("`\(key)`"), "\(key) of the audio is in no list of Documentation/Events.md")
    }
    let error = try #require(event["error"] as? [String: String])
    #expect(error == ["code": "output", "message": "the disk is full", "cause": "No space left on device"])
    #expect(event["soundError"] as? [String: String] == ["code": "device", "message": "the microphone is gone"])
  }

  @Test func theEndOfARecorderHasTheMembersThatArePromised() throws {
    let event = try read(EndedEvent(RecorderEnd(films: .lost, last: nil, asked: .now())))
    #expect(Set(event.keys) == ["event", "isAsked", "status", "time"])
    #expect(event["event"] as? String == "ended" && event["status"] as? Int == 3 && event["isAsked"] as? Bool == true)
  }

  @Test func membersWithoutAValueAreMissing() throws {
    let event = try read(StoppedEvent(status: 64, ledger: LedgerRecord(FrameLedger.Counts())))
    #expect(Set(event.keys).isDisjoint(with: ["output", "frames", "error", "sound", "segments", "isPartial", "total"]))
    #expect(event["repeated"] as? Int == 0 && event["isVariableRate"] as? Bool == false)
  }

  @Test func remarksAreWarningsOrNotes_withTheirFacts() throws {
    let warning = try read(RemarkEvent(SessionRemark("the disk fills", facts: ["free-bytes": "5"])))
    #expect(warning["event"] as? String == "warning" && warning["message"] as? String == "the disk fills")
    #expect(warning["facts"] as? [String: String] == ["free-bytes": "5"] && warning["severity"] == nil)
    let error = try read(RemarkEvent(SessionRemark("the disk is full", isError: true)))
    #expect(error["event"] as? String == "warning" && error["severity"] as? String == "error")
    let note = try read(RemarkEvent(SessionRemark("the disk is empty", isWarning: false)))
    #expect(note["event"] as? String == "note" && note["facts"] as? [String: String] == [:])
  }

  @Test func namesOfFilesDoNotBreakALine() throws {
    var event = stopped()
    event.output = "a\nb\u{1B}[31m\u{2028}/c.mov"
    let line = EventLine.line(event)
    #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }, "\(line)")
    #expect(try read(event)["output"] as? String == event.output && line.contains("/c.mov"))
  }
}
