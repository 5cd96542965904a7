import Foundation
import Logging
import Synchronization
import Telemetry
import Testing

/// Keeps what it is given.
final class KeptLog: LogSink {
  private let kept = Mutex<[LogEntry]>([])

  var entries: [LogEntry] { kept.withLock { $0 } }

  func write(_ entry: LogEntry) { kept.withLock { $0.append(entry) } }
}

@Suite struct LogTests {
  private let time = Date(timeIntervalSince1970: 1_763_751_901.125)

  @Test func text_isOneLine_withQuotedFields() {
    let entry = LogEntry(
      time: time, level: .warning, message: "the camera\ndelivers \u{1B}[2Jnothing",
      fields: ["film": "/a take \"1\".mov", "camera": "front", "empty": "", "back": "a\\b", "frame": "48"])
    #expect(
      LogStyle.text.line(entry)
        == #"2025-11-21T19:05:01.125Z warning: the camera\ndelivers \x1b[2Jnothing back="a\\b" camera=front empty="" "#
        + #"film="/a take \"1\".mov" frame=48"# + "\n")
  }

  @Test func json_isOneObject() throws {
    let entry = LogEntry(time: time, level: .error, message: "two\n\"lines\"", fields: ["camera": "ü"])
    let line = LogStyle.json.line(entry)
    #expect(line.hasSuffix("}\n") && line.count(where: \.isNewline) == 1)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(object["level"] as? String == "error" && object["message"] as? String == "two\n\"lines\"")
    #expect(object["time"] as? String == "2025-11-21T19:05:01.125Z")
    #expect(object["fields"] as? [String: String] == ["camera": "ü"])
  }

  @Test(arguments: zip(Logger.Level.allCases, [7, 7, 6, 5, 4, 3, 2]))
  func priority_isSyslogs(_ level: Logger.Level, _ number: Int) {
    #expect(LogStyle.prefixed(LogEntry(level: level, message: "m", fields: ["k": "v"])) == "<\(number)>m k=v\n")
  }

  @Test func journalEntry_isFieldsOfText_andBinaryWhereItHasLines() {
    let entry = LogEntry(
      level: .notice, message: "one\ntwo", fields: ["exit-status": "0", "lost-deviceGap": "2", "ä": "x=y"])
    var wanted = Array("MESSAGE\n".utf8) + [7, 0, 0, 0, 0, 0, 0, 0] + Array("one\ntwo\n".utf8)
    wanted += Array("PRIORITY=5\nSYSLOG_IDENTIFIER=camrec\nCAMREC_EXIT_STATUS=0\n".utf8)
    wanted += Array("CAMREC_LOST_DEVICEGAP=2\nCAMREC___=x=y\n".utf8)
    #expect(JournalEntry.datagram(entry) == wanted)
  }

  @Test func journalsFieldNames_areShortEnough() {
    let entry = LogEntry(level: .info, message: "m", fields: [String(repeating: "n", count: 200): "v"])
    let text = String(decoding: JournalEntry.datagram(entry), as: UTF8.self)
    #expect(text.hasSuffix("\nCAMREC_" + String(repeating: "N", count: 57) + "=v\n"))
  }

  @Test func whatTheJournalDoesNotTake_isNotLost() {
    let kept = KeptLog()
    let log = JournalLog(fallback: kept) { !String(decoding: $0, as: UTF8.self).contains("large") }
    log.write(LogEntry(level: .info, message: "small"))
    log.write(LogEntry(level: .info, message: "large"))
    #expect(kept.entries.map(\.message) == ["large"])
  }

  @Test func logger_hasItsFields_andItsLevel() {
    struct Failure: Error, CustomStringConvertible { let description = "broken" }
    let kept = KeptLog()
    var log = RecorderLogHandler.logger(to: kept, level: .notice, fields: ["camera": "front"])
    let other = log
    log[metadataKey: "film"] = "take.mov"
    log.info("too little")
    log.warning("lost 2 frames", metadata: ["reason": "deviceGap", "film": "other.mov"])
    other.error("it failed", error: Failure())
    #expect(kept.entries.map(\.level) == [.warning, .error])
    #expect(kept.entries[0].message == "lost 2 frames")
    #expect(kept.entries[0].fields == ["camera": "front", "film": "other.mov", "reason": "deviceGap"])
    #expect(kept.entries[1].fields == ["camera": "front", "error": "broken"])
  }
}
