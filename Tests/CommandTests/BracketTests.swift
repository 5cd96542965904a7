import Foundation
import TestKit
import Testing

/// `camrec bracket` as a photographer and as a program read it.
@Suite struct BracketTests {
  private func run(_ line: String) throws -> CamrecBinary.Outcome {
    try CamrecBinary.find().run(["bracket"] + line.split(separator: " ").map(String.init), timeout: 60)
  }

  @Test func rulersShowTheFramesAndPointToTheCentre() throws {
    let outcome = try run("--shadow 1/4 --highlight 1/1000 --frames 5 --spacing 1")
    #expect(outcome.exitCode == 0 && outcome.standardError == "")
    #expect(
      outcome.standardOutput == """
        highlights 1/1000, shadows 1/4: range 8 EV
        2 sets of 5 frames, 1 EV apart: 10 exposures

        set 1 of 2: centre 1/250
            −2       −1        ▼       +1       +2
             ┃  ╷  ╷  ┃  ╷  ╷  ┃  ╷  ╷  ┃  ╷  ╷  ┃
          1/1000    1/500    1/250    1/125    1/60

        set 2 of 2: centre 1/15
            −2       −1        ▼       +1       +2
             ┃  ╷  ╷  ┃  ╷  ╷  ┃  ╷  ╷  ┃  ╷  ╷  ┃
           1/60     1/30     1/15      1/8      1/4

        """)
  }

  @Test func fiveFramesAndOneEVAreWhatIsMeantWithoutOptions() throws {
    let said = try run("--shadow 1/4 --highlight 1/1000 --frames 5 --spacing 1")
    #expect(try run("--shadow 1/1000 --highlight 1/4").standardOutput == said.standardOutput)
  }

  @Test func oneSetIsOne() throws {
    let outcome = try run("--shadow 1/30 --highlight 1/250")
    #expect(outcome.standardOutput.contains("range 3 EV\n1 set of 5 frames, 1 EV apart: 5 exposures\n"))
    #expect(outcome.standardOutput.contains("set 1 of 1: centre 1/60\n"))
  }

  @Test func aSpacingOfOneAndAHalf_isShownAsPlanned() throws {
    let text = try run("--shadow 1/15 --highlight 1/250 --spacing 1.5").standardOutput
    #expect(text.contains("\n1 set of 5 frames, 1⅔ EV apart: 5 exposures\n") && text.contains("−3⅓"))
  }

  @Test func equalSpeedsNeedNone() throws {
    let outcome = try run("--shadow 1/125 --highlight 1/125 --frames 9 --spacing 2")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.standardOutput
        == "highlights 1/125, shadows 1/125: range 0 EV\nno bracketing required: 1 exposure at 1/125\n")
  }

  @Test func namesThatWouldTouchTakeTurnsOnTwoRows() throws {
    let lines = try run("--shadow 1/2 --highlight 1/8000 --frames 9 --spacing 2").standardOutput.split(separator: "\n")
    #expect(
      Array(lines.suffix(4)) == [
        "    −8    −6    −4    −2     ▼    +2    +4    +6    +8",
        "     ┃╷╷╷╷╷┃╷╷╷╷╷┃╷╷╷╷╷┃╷╷╷╷╷┃╷╷╷╷╷┃╷╷╷╷╷┃╷╷╷╷╷┃╷╷╷╷╷┃",
        "  1/8000       1/500       1/30         1/2         8″",
        "        1/2000       1/125        1/8         2″",
      ])
  }

  @Test func framesBeyondTheTableAreCountedAtItsEnd() throws {
    let lines = try run("--shadow 30s --highlight 1/8000").standardOutput.split(separator: "\n")
    #expect(
      Array(lines.suffix(4)) == [
        "set 5 of 5: centre 30″; 3 frames are alike, because the table ends at 30″",
        "    −2       −1        ▼",
        "     ┃  ╷  ╷  ┃  ╷  ╷  ┃",
        "    8″       15″     30″×3",
      ])
  }

  /// Every way to bracket: the names stand in full and in order, as far as terminals are wide that nobody has widened.
  @Test(arguments: ["3", "5", "7", "9"], ["1", "1.5", "2"])
  func everyRulerFitsInto80Columns(_ frames: String, _ spacing: String) throws {
    for highlight in ["1/8000", "1/30", "8s"] {
      let options = "--shadow 30s --highlight \(highlight) --frames \(frames) --spacing \(spacing)"
      let text = try run(options).standardOutput
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(options)")
      let sets = try report(options)["sets"] as? [[String: Any]] ?? []
      let rulers = text.components(separatedBy: "\n\n").dropFirst()
      #expect(!sets.isEmpty && rulers.count == sets.count)
      for (ruler, set) in zip(rulers, sets) {
        let rows = ruler.split(separator: "\n").dropFirst(3).map { $0.split(separator: " ").map(String.init) }
        let shown = rows.count == 1 ? rows[0] : interleaved(rows[0], rows[1])
        var names: [String] = []
        for name in try speeds(set) where name != names.last { names.append(name) }
        #expect(shown.map { $0.components(separatedBy: "×")[0] } == names, "\(options)")
      }
    }
  }

  @Test func programsReadTheSame() throws {
    let report = try report("--shadow 1/4 --highlight 1/2000 --frames 5 --spacing 1.5")
    #expect(report["format"] as? String == "camrec-bracket" && report["version"] as? Int == 1)
    #expect(report["rangeEV"] as? Double == 9 && report["exposures"] as? Int == 10)
    #expect(report["framesPerSet"] as? Int == 5 && report["spacingEV"] as? Double == 5.0 / 3)
    let shadow = report["shadow"] as? [String: Any] ?? [:]
    #expect(shadow["name"] as? String == "1/4" && shadow["index"] as? Int == 33 && shadow["seconds"] as? Double == 0.25)
    #expect((report["highlight"] as? [String: Any])?["name"] as? String == "1/2000")
    let sets = report["sets"] as? [[String: Any]] ?? []
    #expect(
      try sets.map(speeds) == [
        ["1/2000", "1/640", "1/200", "1/60", "1/20"], ["1/20", "1/6", "1/2", "1.6″", "5″"],
      ])
    #expect(sets.map { ($0["center"] as? [String: Any])?["name"] as? String } == ["1/200", "1/2"])
  }

  @Test func programsReadThatNothingIsToBeBracketed() throws {
    let report = try report("--shadow 0.3s --highlight 0.3\"")
    #expect(report["exposures"] as? Int == 1 && (report["sets"] as? [Any])?.isEmpty == true)
  }

  private func report(_ line: String) throws -> [String: Any] {
    let outcome = try run(line + " --json")
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    return try JSONSerialization.jsonObject(with: Data(outcome.standardOutput.utf8)) as? [String: Any] ?? [:]
  }

  private func speeds(_ set: [String: Any]) throws -> [String] {
    try #require(set["speeds"] as? [[String: Any]]).compactMap { $0["name"] as? String }
  }

  private func interleaved(_ a: [String], _ b: [String]) -> [String] {
    a.indices.flatMap { $0 < b.count ? [a[$0], b[$0]] : [a[$0]] }
  }
}
