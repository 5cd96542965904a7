import Foundation
import Frames
import Jobs
import Reporting
import TestKit
import Testing

/// What became of the clips of a list: for people, for programs, and for the next run.
struct BakedClipTests {
  private let item = ClipList.Item(clip: "/clips/b.mp4", film: "/graded/b.mov")

  private func film(lost: Int = 0, warnings: [String] = []) -> BakedClip {
    var clip = BakedClip(status: lost > 0 ? 3 : 0, seconds: 1)
    (clip.frames, clip.length, clip.lost, clip.warnings) = (Int64(132 - lost), 5.5, lost, warnings)
    return clip
  }

  @Test func aLineSaysWhatBecameOfAClip() {
    var there = film()
    there.wasThere = true
    let failed = BakedClip(CamrecError(.input, "it is a text"), seconds: 0)
    #expect(film().line(2, of: 3, item) == "2/3  baked  b.mov: 132 frames, 5.5 s")
    #expect(there.line(2, of: 12, item) == " 2/12  there  b.mov: 132 frames, 5.5 s")
    #expect(film(lost: 2).line(1, of: 3, item) == "1/3  lost   b.mov: 130 frames, 5.5 s, 2 frames lost")
    #expect(failed.line(3, of: 3, item) == "3/3  error  /clips/b.mp4: it is a text")
    let unreadable = BakedClip(CamrecError(.input, "/clips/b.mp4 is not a readable clip"), seconds: 0)
    #expect(unreadable.line(3, of: 3, item) == "3/3  error  /clips/b.mp4 is not a readable clip")
    #expect(
      BakedClip(status: 130, seconds: 0).line(3, of: 3, item)
        == "3/3  stopped  /clips/b.mp4: it ended with status 130")
    #expect(film(warnings: ["it is odd\u{1B}"]).line(1, of: 1, item).hasSuffix("5.5 s\n    Warning: it is odd\\x1b"))
  }

  /// A clip that does not say its colours; what the user or the clip says needs no word.
  @Test func aGuessIsSaid() throws {
    func outcome(guessed: Bool) -> BakedClip {
      let child = ChildBake { _ in }
      let ledger = #"{"expected":1,"lost":{"deviceGap":0,"deviceError":0,"overload":0,"disk":0,"defect":0}}"#
      child.hear(#"{"event":"started","colorIn":"rec601","isColorInGuessed":\#(guessed),"output":"b.mov"}"#)
      child.hear(#"{"event":"stopped","status":0,"frames":1,"seconds":1,"ledger":\#(ledger)}"#)
      return child.outcome(status: 0, ending: "it ended", seconds: 1)
    }
    let guess = outcome(guessed: true)
    #expect(guess.line(1, of: 1, item) == "1/1  baked  b.mov: 1 frame, 1.0 s, taken for rec601 (a guess)")
    #expect(outcome(guessed: false).line(1, of: 1, item) == "1/1  baked  b.mov: 1 frame, 1.0 s")
    let kept = try JSONDecoder().decode(BakedClip.self, from: JSONEncoder().encode(guess))
    #expect(kept == guess && kept.isColorInGuessed == true && kept.warnings.isEmpty)
    let data = try JSONEncoder().encode(ClipEvent(kept, item, number: 1, of: 1))
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(object["colorIn"] as? String == "rec601" && object["isColorInGuessed"] as? Bool == true)
  }

  /// Beside what the bake itself loses.
  @Test func whatTheRecordingHadLostIsSaid() throws {
    let child = ChildBake { _ in }
    let ledger = #"{"expected":2,"lost":{"deviceGap":0,"deviceError":1,"overload":0,"disk":0,"defect":0}}"#
    child.hear(#"{"event":"note","message":"it had lost some","facts":{"lost-before":"3","expected":"70"}}"#)
    child.hear(#"{"event":"stopped","status":3,"frames":1,"seconds":1,"ledger":\#(ledger)}"#)
    let outcome = child.outcome(status: 3, ending: "it ended", seconds: 1)
    #expect(
      outcome.line(1, of: 1, item) == "1/1  lost   b.mov: 1 frame, 1.0 s, 1 frame lost, 3 frames lost before the bake")
    let kept = try JSONDecoder().decode(BakedClip.self, from: JSONEncoder().encode(outcome))
    #expect(kept == outcome && kept.lostBefore == 3)
    let data = try JSONEncoder().encode(ClipEvent(kept, item, number: 1, of: 1))
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(object["lost"] as? Int == 1 && object["lostBefore"] as? Int == 3)
    #expect(object["missing"] == nil)
  }

  /// Without a sidecar, only its times tell.
  @Test func whatTheClipLacksIsSaid() throws {
    let child = ChildBake { _ in }
    child.hear(#"{"event":"note","message":"the clip has a gap","facts":{"missing":"3"}}"#)
    child.hear(#"{"event":"stopped","status":0,"frames":6,"seconds":0.375}"#)
    let outcome = child.outcome(status: 0, ending: "it ended", seconds: 1)
    #expect(outcome.line(1, of: 1, item) == "1/1  baked  b.mov: 6 frames, 0.4 s, 3 frames missing from the clip")
    let kept = try JSONDecoder().decode(BakedClip.self, from: JSONEncoder().encode(outcome))
    let data = try JSONEncoder().encode(ClipEvent(kept, item, number: 1, of: 1))
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(object["missing"] as? Int == 3 && object["lostBefore"] == nil)
  }

  @Test func aStopSaysWhatItDiscarded() throws {
    var outcome = BakedClip(status: 130, seconds: 4)
    (outcome.discarded, outcome.warnings) = (561, ["its film was not kept"])
    let stopped = BakedClip.stopped(outcome)
    #expect(
      stopped.line(1, of: 3, item)
        == "1/3  stopped  /clips/b.mp4: it was stopped before its end. 561 frames were discarded")
    let data = try JSONEncoder().encode(ClipEvent(stopped, item, number: 1, of: 3))
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(object["status"] as? Int == 130 && object["discarded"] as? Int == 561)
  }

  @Test func statusesAreThoseOfCamrec() {
    #expect(film().isFilm && film(lost: 1).isFilm && film(lost: 1).hasLostFrames && !film().hasLostFrames)
    #expect(BakedClip(CamrecError(.output, "full"), seconds: 0).exit == .output)
    #expect(BakedClip(status: 99, seconds: 0).exit == .defect, "a status that nobody knows")
  }

  @Test func anAccountCountsEveryClipOnce() throws {
    var there = film(lost: 1)
    there.wasThere = true
    let outcomes = [
      film(warnings: ["odd"]), film(), there, BakedClip(status: 65, seconds: 0), BakedClip(status: 130, seconds: 0),
    ]
    let account = BakeListAccount(outcomes, of: 8, status: .interrupted)
    #expect(account.baked + account.wereThere + account.failed + account.interrupted + account.notBegun == 8)
    #expect(
      account.line
        == "8 clips: 2 baked, 1 was there already, 1 with lost frames, 1 with warnings, 1 failed, 1 was stopped, "
        + "3 were not begun")
    let data = try JSONEncoder().encode(account)
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(
      Set(object.keys) == [
        "event", "status", "clips", "baked", "wereThere", "warned", "withLosses", "failed", "partial", "interrupted",
        "notBegun",
      ])
    #expect(object["event"] as? String == "stopped" && object["status"] as? Int == 130)
    #expect(BakeListAccount([], of: 0, status: .success).line == "0 clips: none baked")
  }

  @Test func anEventHasWhatIsKnown() throws {
    let event = ClipEvent(film(lost: 2), item, number: 1, of: 3), data = try JSONEncoder().encode(event)
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(object["clip"] as? String == item.clip && object["output"] as? String == item.film)
    #expect(object["frames"] as? Int == 130 && object["lost"] as? Int == 2 && object["seconds"] as? Double == 5.5)
    #expect(object["status"] as? Int == 3 && object["error"] == nil && object["wasThere"] as? Bool == false)
  }

  @Test func anOutcomeIsKeptForItsInputs() throws {
    let folder = try TemporaryFolder(), results = try ResultFolder<BakedClip>(folder.path("results"))
    var clip = film(lost: 2, warnings: ["odd"])
    clip.wasThere = true
    try results.write(clip, "b.mov-1", of: "these")
    clip.wasThere = false
    #expect(results.outcome("b.mov-1", of: "these") == clip, "that it was there is not kept")
    #expect(results.outcome("b.mov-1", of: "others") == nil && results.outcome("b.mov-2", of: "these") == nil)
    #expect(results.names == ["b.mov-1"] && results.outcomes(beginning: "b.mov-") == [clip])
    try Data("{".utf8).write(to: URL(fileURLWithPath: folder.path("results/b.mov-1.result.json")))
    #expect(results.outcome("b.mov-1", of: "these") == nil, "what is damaged is baked again")
    results.remove("b.mov-1")
    #expect(results.names == [])
    results.leave(isNamed: true, isComplete: true)
    #expect(try folder.names == ["results"])
    results.leave(isNamed: false, isComplete: true)
    #expect(try folder.names == [])
  }
}
