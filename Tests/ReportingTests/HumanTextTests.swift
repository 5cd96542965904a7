import Frames
import Recorder
import Reporting
import Testing

/// Figures and short sentences for people.
struct HumanTextTests {
  @Test func lengthsOfFilm() {
    let clocks: [(Double, String)] = [
      (0, "0:00:00"), (83.9, "0:01:23"), (3600, "1:00:00"), (360_061, "100:01:01"), (.nan, "0:00:00"),
    ]
    for (seconds, text) in clocks { #expect(HumanText.clock(seconds) == text) }
  }

  @Test func estimatesAreAsExactAsTheyNeedToBe() {
    let spans: [(Double, String)] = [
      (0, "0 s"), (-5, "0 s"), (119.9, "119 s"), (120, "2 min"), (5400, "90 min"), (7199, "119 min"), (7200, "2 h"),
      (9000, "2:30 h"), (9060, "2:31 h"), (36_300, "10 h"), (172_799, "47 h"), (172_800, "2 days"),
      (1e15, "11574074 days"), (.infinity, "11574074 days"),
    ]
    for (seconds, text) in spans { #expect(HumanText.span(seconds) == text, "\(seconds)") }
  }

  @Test func sizesAreDecimal() {
    let sizes: [(Int64, String)] = [
      (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (12_345_678, "12.3 MB"), (123_456_789, "123 MB"),
      (4_000_000_000, "4.0 GB"), (.max, "9223372 TB"),
    ]
    for (bytes, text) in sizes { #expect(HumanText.bytes(bytes) == text) }
  }

  @Test func numbersHaveNoNeedlessSignOrDigits() {
    #expect(HumanText.fixed(-0.04, 1) == "0.0" && HumanText.fixed(-0.06, 1) == "-0.1")
    #expect(HumanText.fixed(1.25, 3) == "1.250" && HumanText.fixed(-3, 0) == "-3")
    #expect(HumanText.number(10) == "10" && HumanText.number(0.5) == "0.5" && HumanText.number(1 / 3.0) == "0.333333")
  }

  @Test func oneIsSingular() {
    #expect(HumanText.count(0, "frame") == "0 frames" && HumanText.count(1, "frame") == "1 frame")
    #expect(HumanText.count(Int64(2), "clip") == "2 clips")
    #expect(HumanText.lostAudio(0) == nil && HumanText.lostAudio(-3) == nil)
    #expect(HumanText.lostAudio(1) == "1 sample of audio lost")
    #expect(HumanText.lostAudio(Int64(960)) == "960 samples of audio lost")
  }

  private func losses(_ frames: [LossReason: Int64], cutOff: Int64 = 0) -> String {
    HumanText.losses(cutOff: cutOff) { (reason: LossReason) -> Int64 in frames[reason] ?? 0 }
  }

  @Test func everyLossHasItsReason() {
    #expect(losses([:]) == "lost 0")
    #expect(losses([.deviceGap: 3, .deviceError: 2]) == "lost 5: 3 never came from the camera, 2 arrived damaged")
    #expect(losses([:], cutOff: 4) == "lost 4: 4 when the film was cut off or damaged")
    for reason in LossReason.allCases {
      #expect(losses([reason: 1]) == "lost 1: 1 \(HumanText.words(reason))")
    }
    #expect(Set(LossReason.allCases.map(HumanText.words)).count == LossReason.allCases.count)
  }

  @Test func aLedgerWithoutFrames() {
    #expect(HumanText.ledger(FrameLedger.Counts()) == "expected 0, captured 0, written 0, lost 0")
  }

  @Test func aClipsAudioIsNotNamedTwice() {
    #expect(HumanText.microphone("audio of take.mp4") == "take.mp4" && HumanText.microphone("USB Audio") == "USB Audio")
  }

  @Test func aPreRollThatMayNotFitSaysSo() {
    let fits = PreRollDescription(seconds: 10, bytes: 61_000_000, secondsAtMost: 12)
    #expect(
      HumanText.preRoll(fits) == "pre-roll: the last 10 s or slightly more are kept, in at most 61.0 MB of memory")
    let short = PreRollDescription(seconds: 10, bytes: 61_000_000, secondsAtMost: 7.3)
    #expect(
      HumanText.preRoll(short)
        == HumanText.preRoll(fits) + "; frames that are hard to encode may leave only about 7.3 s")
  }
}
