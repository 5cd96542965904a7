import Frames
import Recorder
import Testing

/// Losses are said at once, with what helps, and then not too often; each of them is said.
@Suite struct LossAlarmTests {
  private static func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1e9)) }

  private static func sentences(_ alarm: inout LossAlarm, at seconds: Double, isEnd: Bool = false) -> [String] {
    alarm.warnings(at: at(seconds), isEnd: isEnd).map(\.message)
  }

  @Test func first_isSaidAtOnce_withItsReasonAndRemedy() {
    for reason in LossReason.allCases {
      var alarm = LossAlarm()
      alarm.record(SessionLoss(reason, count: 1, frames: 48...48))
      var warnings = alarm.warnings(at: LossAlarmTests.at(0))
      #expect(warnings.isEmpty == (reason == .disk), "a disk that is full now may be called slow only a second later")
      warnings += alarm.warnings(at: LossAlarmTests.at(1))
      #expect(warnings.count == 1 && warnings[0].isWarning && !warnings[0].isRepeat)
      #expect(warnings[0].message.hasPrefix("a frame was lost (frame 48): ") && warnings[0].message.contains("; "))
      #expect(
        warnings[0].facts == ["reason": reason.rawValue, "count": "1", "frame": "48", "last-frame": "48"])
    }
    var alarm = LossAlarm(hasFasterPreset: true)
    alarm.record(SessionLoss(.overload, count: 3))
    alarm.record(SessionLoss(.disk, count: 2, frames: 5...6))
    alarm.record(SessionLoss(.deviceGap, count: 0))
    #expect(
      LossAlarmTests.sentences(&alarm, at: 0, isEnd: true) == [
        "3 frames were lost: the bake or the encoder is too slow; try a smaller --size, a lower --fps, or a faster "
          + "--preset; 'camrec bench' measures what this machine can do",
        "2 frames were lost (from frame 5 on): the disk is too slow; record to a faster disk, or with a lower bitrate",
      ], "each reason by itself")
  }

  /// They have no place in a film.
  @Test func ofAPreRoll_itIsSaidOfWhat() {
    var alarm = LossAlarm(seconds: 30, isPreRoll: true)
    alarm.record(SessionLoss(.overload, count: 3))
    #expect(
      LossAlarmTests.sentences(&alarm, at: 0) == [
        "3 frames of the pre-roll were lost: the bake or the encoder is too slow; try a smaller --size or a lower "
          + "--fps; 'camrec bench' measures what this machine can do"
      ])
    alarm.record(SessionLoss(.overload, count: 1))
    #expect(LossAlarmTests.sentences(&alarm, at: 29).isEmpty, "it was said just now")
    #expect(
      LossAlarmTests.sentences(&alarm, at: 31) == [
        "1 more frame of the pre-roll was lost in 31 s, 4 in all: the bake or the encoder is too slow"
      ])
  }

  @Test func ofAPreRollsAudio_itIsSaidOfWhat() {
    var alarm = LossAlarm(seconds: 30, isPreRoll: true)
    alarm.record(lostSamples: 0, from: nil)
    #expect(LossAlarmTests.sentences(&alarm, at: 0).isEmpty)
    alarm.record(lostSamples: 9600, from: nil)
    let first = alarm.warnings(at: LossAlarmTests.at(1))
    #expect(
      first.map(\.message) == [
        "0.2 s of the pre-roll's audio was lost: the microphone did not deliver; silence stands for it; try another USB"
          + " port or cable, or give this machine less to do"
      ])
    #expect(first.first?.facts == ["reason": "sound", "count": "9600"] && first.first?.namesFilm == true)
    alarm.record(lostSamples: 4800, from: nil)
    #expect(
      LossAlarmTests.sentences(&alarm, at: 31) == [
        "0.1 s more of the pre-roll's audio was lost, 0.3 s in all: the microphone did not deliver; silence stands for "
          + "it"
      ])
  }

  @Test func atTheFastestPreset_noFasterOneIsAdvised() {
    var alarm = LossAlarm(hasFasterPreset: false)
    alarm.record(SessionLoss(.overload, count: 3))
    #expect(
      LossAlarmTests.sentences(&alarm, at: 0) == [
        "3 frames were lost: the bake or the encoder is too slow; try a smaller --size or a lower --fps; "
          + "'camrec bench' measures what this machine can do"
      ])
  }

  /// A film's last frames are lost in the file, those behind them by number.
  @Test func aPlaceIsNamed_onlyWhereItIsThatOfAll() {
    var alarm = LossAlarm(seconds: 30)
    alarm.record(SessionLoss(.disk, count: 2, frames: 128...129))
    alarm.record(SessionLoss(.disk, count: 6))
    #expect(alarm.warnings(at: LossAlarmTests.at(0)).isEmpty)
    let warnings = alarm.warnings(at: LossAlarmTests.at(1))
    #expect(warnings.count == 1 && warnings[0].message.hasPrefix("8 frames were lost: the disk is too slow; "))
    #expect(warnings[0].facts == ["reason": "disk", "count": "8"])
    alarm.record(SessionLoss(.disk, count: 2, frames: 140...141))
    #expect(LossAlarmTests.sentences(&alarm, at: 29).isEmpty)
    let more = LossAlarmTests.sentences(&alarm, at: 31)
    #expect(more == ["2 more frames were lost in 30 s (from frame 140 on), 10 in all: the disk is too slow"])
  }

  /// Which of a segment's last frames the disk has not kept is not known, but the segment is.
  @Test func aLossWithoutAPlace_hasItsSegment_whereThatOfAllIsKnown() {
    func film(_ losses: [SessionLoss]) -> SessionRemark? {
      var alarm = LossAlarm(seconds: 30, isDivided: true)
      losses.forEach { alarm.record($0) }
      return alarm.warnings(at: LossAlarmTests.at(0), isEnd: true) { extent in
        // The second file begins with frame 72.
        guard case .frames(let places?) = extent, places.lowerBound >= 72 else { return nil }
        return LossPlace(film: "seg/g-2.mov", firstFrame: 72)
      }.first
    }
    let behind = SessionLoss(.disk, count: 3, frames: 98...100)
    let known = film([behind, SessionLoss(.disk, count: 6, inFileOf: 72)])
    #expect(known?.facts == ["reason": "disk", "count": "9", "film": "seg/g-2.mov"])
    #expect(known?.message.hasPrefix("9 frames were lost: ") == true)
    #expect(film([behind, SessionLoss(.disk, count: 6)])?.facts["film"] == nil)
    #expect(film([behind, SessionLoss(.disk, count: 6, inFileOf: 0)])?.facts["film"] == nil)
  }

  @Test func aPlaceInADividedRecording_isThatInItsSegment_whereThatIsKnown() {
    var alarm = LossAlarm(seconds: 30, isDivided: true)
    func tell(_ seconds: Double) -> SessionRemark? {
      alarm.warnings(at: LossAlarmTests.at(seconds), isEnd: true) { extent in
        // The second file begins with frame 72.
        guard case .frames(let places?) = extent, places.lowerBound >= 72 || places.upperBound < 72 else { return nil }
        return LossPlace(film: places.lowerBound >= 72 ? "seg/g-2.mov" : "seg/g-1.mov", firstFrame: 72)
      }.first
    }
    alarm.record(SessionLoss(.overload, count: 3, frames: 98...100))
    let known = tell(0)
    #expect(known?.message.hasPrefix("3 frames were lost (from frame 26 of g-2.mov on): ") == true)
    #expect(known?.facts["film"] == "seg/g-2.mov" && known?.facts["frame"] == "26")
    #expect(known?.facts["last-frame"] == "28" && known?.namesFilm == true)
    alarm.record(SessionLoss(.overload, count: 2, frames: 70...74))
    let unknown = tell(31)
    let sentence = "2 more frames were lost in 31 s (from frame 70 of these segments on), 5 in all: "
    #expect(unknown?.message.hasPrefix(sentence) == true)
    #expect(unknown?.facts["film"] == nil && unknown?.facts["frame"] == "70" && unknown?.namesFilm == true)
  }

  /// Nobody looks for a cable.
  @Test func damageInAClip_isTheClips() {
    var alarm = LossAlarm(isClip: true)
    alarm.record(SessionLoss(.deviceError, count: 1, frames: 8...8))
    #expect(
      LossAlarmTests.sentences(&alarm, at: 0)
        == ["a frame was lost (frame 8): the clip has damaged frames; copy it again from its source"])
  }

  @Test func more_areSummedUp() {
    var alarm = LossAlarm(seconds: 30)
    alarm.record(SessionLoss(.overload, count: 1))
    #expect(LossAlarmTests.sentences(&alarm, at: 0).count == 1)
    for second in 1..<30 {
      alarm.record(SessionLoss(.overload, count: 2))
      #expect(LossAlarmTests.sentences(&alarm, at: Double(second)) == [])
    }
    alarm.record(SessionLoss(.overload, count: 2))
    #expect(
      LossAlarmTests.sentences(&alarm, at: 30)
        == ["60 more frames were lost in 30 s, 61 in all: the bake or the encoder is too slow"])
    alarm.record(SessionLoss(.overload, count: .max))
    #expect(LossAlarmTests.sentences(&alarm, at: 31) == [])
    alarm.record(SessionLoss(.overload, count: .max))
    #expect(LossAlarmTests.sentences(&alarm, at: 60)[0].contains("\(Int64.max) in all"))
  }

  /// Nothing has to follow for the rest to be said.
  @Test func whatWasLostWithinTheInterval_isSaidAtItsEnd() {
    var alarm = LossAlarm(seconds: 30)
    alarm.record(SessionLoss(.deviceGap, count: 3, frames: 25...27))
    #expect(LossAlarmTests.sentences(&alarm, at: 1).count == 1)
    alarm.record(SessionLoss(.deviceGap, count: 1, frames: 75...75))
    alarm.record(SessionLoss(.deviceGap, count: 30, frames: 125...154))
    for second in 5..<31 { #expect(LossAlarmTests.sentences(&alarm, at: Double(second)) == []) }
    let warnings = alarm.warnings(at: LossAlarmTests.at(31))
    #expect(
      warnings.map(\.message)
        == ["31 more frames were lost (from frame 75 on), 34 in all: the camera did not deliver"])
    #expect(warnings[0].isRepeat && warnings[0].facts["count"] == "31")
    #expect(warnings[0].facts["frame"] == "75" && warnings[0].facts["last-frame"] == "154")
    for second in 32..<200 { #expect(LossAlarmTests.sentences(&alarm, at: Double(second)) == []) }
  }

  @Test func theEndOfTheFilm_waitsForNoInterval() {
    var alarm = LossAlarm(seconds: 30)
    alarm.record(SessionLoss(.disk, count: 1))
    _ = alarm.warnings(at: LossAlarmTests.at(0), isEnd: true)
    alarm.record(SessionLoss(.disk, count: 1, frames: 9...9))
    #expect(
      LossAlarmTests.sentences(&alarm, at: 0.5, isEnd: true)
        == ["1 more frame was lost (frame 9), 2 in all: the disk is too slow"])
    #expect(LossAlarmTests.sentences(&alarm, at: 1, isEnd: true) == [])
  }

  /// A slow encoder may finish a film of 5 s in another 20.
  @Test func theTimeAtTheEnd_isThatOfTheLosses_andNotOfFinishing() {
    var alarm = LossAlarm(seconds: 30)
    alarm.record(SessionLoss(.overload, count: 3, frames: 10...12, latest: LossAlarmTests.at(0.9)))
    #expect(LossAlarmTests.sentences(&alarm, at: 1).count == 1)
    alarm.record(SessionLoss(.overload, count: 80, frames: 22...101, latest: LossAlarmTests.at(4)))
    #expect(LossAlarmTests.sentences(&alarm, at: 4.5) == [])
    alarm.record(SessionLoss(.overload, count: 5, frames: 102...106, latest: LossAlarmTests.at(4.9)))
    let told = LossAlarmTests.sentences(&alarm, at: 23, isEnd: true)
    #expect(told.count == 1)
    #expect(told.first?.hasPrefix("85 more frames were lost in 3.9 s (from frame 22 on), 88 in all: ") == true)
  }

  /// 58 frames in 1.05 s are not half as many.
  @Test(arguments: [(2.0, "1.0"), (2.05, "1.1"), (4.13, "3.2"), (10.9, "9.9"), (10.95, "10"), (11.5, "11")])
  func theTimeAtTheEnd_hasADecimalPlaceBelowTenSeconds(_ latest: Double, _ time: String) {
    var alarm = LossAlarm(seconds: 30)
    alarm.record(SessionLoss(.overload, count: 3))
    #expect(LossAlarmTests.sentences(&alarm, at: 1).count == 1)
    alarm.record(SessionLoss(.overload, count: 58, latest: LossAlarmTests.at(latest)))
    let told = LossAlarmTests.sentences(&alarm, at: 23, isEnd: true)
    #expect(told.count == 1 && told[0].hasPrefix("58 more frames were lost in \(time) s, 61 in all: "), "\(told)")
  }

  /// The interval, and the time until the recorder looks again.
  @Test(arguments: [(30.0, "30 s"), (30.55, "30 s"), (30.9, "31 s")])
  func theRecordersDelayIsNoSecond(_ seconds: Double, _ time: String) {
    var alarm = LossAlarm(seconds: 30)
    alarm.record(SessionLoss(.overload, count: 1))
    #expect(LossAlarmTests.sentences(&alarm, at: 0).count == 1)
    alarm.record(SessionLoss(.overload, count: 60))
    let told = LossAlarmTests.sentences(&alarm, at: seconds)
    #expect(told.count == 1 && told[0].hasPrefix("60 more frames were lost in \(time), 61 in all: "), "\(told)")
  }

  /// A gap is seen when it is over. Behind another loss, it may begin before the warning of that.
  @Test func aGap_isNotSaidOfTheTimeSinceTheLastWarning() {
    var alarm = LossAlarm(seconds: 30)
    alarm.record(SessionLoss(.deviceGap, count: 1, frames: 119...119, latest: LossAlarmTests.at(5)))
    #expect(LossAlarmTests.sentences(&alarm, at: 5.4).count == 1)
    alarm.record(SessionLoss(.deviceGap, count: 81, frames: 121...201, latest: LossAlarmTests.at(8.4)))
    let told = LossAlarmTests.sentences(&alarm, at: 8.5, isEnd: true)
    #expect(told.count == 1)
    #expect(told.first?.hasPrefix("81 more frames were lost (from frame 121 on), 82 in all: ") == true, "\(told)")
  }

  /// Where the camera stood still, more of it is seen later than the warning, and was lost before it.
  @Test func lostSound_isNotSaidOfTheTimeSinceTheLastWarning() {
    var alarm = LossAlarm(seconds: 30)
    alarm.record(lostSamples: 25_755, from: 188_459)
    #expect(LossAlarmTests.sentences(&alarm, at: 6.37).count == 1)
    alarm.record(lostSamples: 70_443, from: 214_214)
    let told = LossAlarmTests.sentences(&alarm, at: 8.09, isEnd: true)
    #expect(told.count == 1)
    #expect(told.first?.hasPrefix("1.5 s more of audio was lost (from 4.463 s on), 2.0 s in all: ") == true, "\(told)")
  }

  /// A disk that fills up is slow before it refuses anything.
  @Test func whatADiskCost_shortlyBeforeItRefuses_isTheRefusals() {
    var alarm = LossAlarm(seconds: 30)
    alarm.record(SessionLoss(.disk, count: 2, frames: 5...6))
    #expect(LossAlarmTests.sentences(&alarm, at: 0) == [])
    alarm.record(SessionLoss(.disk, count: 4, frames: 7...10))
    alarm.record(OutputRefusal(cause: "the disk is full", remedy: "make room"), at: LossAlarmTests.at(0.5))
    alarm.record(SessionLoss(.disk, count: 1, frames: 11...11))
    #expect(
      LossAlarmTests.sentences(&alarm, at: 0.5)
        == ["7 frames were lost (from frame 5 on): the disk is full; make room"])
    #expect(LossAlarmTests.sentences(&alarm, at: 40, isEnd: true) == [])
    alarm = LossAlarm(seconds: 30)
    alarm.record(SessionLoss(.disk, count: 2, frames: 5...6))
    _ = alarm.warnings(at: LossAlarmTests.at(0))
    #expect(
      LossAlarmTests.sentences(&alarm, at: 1)[0].contains("2 frames were lost (from frame 5 on): the disk is too slow"))
    alarm.record(OutputRefusal(cause: "the disk is full", remedy: "make room"), at: LossAlarmTests.at(2))
    alarm.record(SessionLoss(.disk, count: 1, frames: 50...50))
    #expect(LossAlarmTests.sentences(&alarm, at: 2) == ["a frame was lost (frame 50): the disk is full; make room"])
  }

  @Test func lostSound_isSaidAsLostFramesAre() {
    var alarm = LossAlarm(seconds: 30, sampleRate: 48_000)
    alarm.record(lostSamples: 9600, from: 144_000)
    let warnings = alarm.warnings(at: LossAlarmTests.at(3))
    #expect(
      warnings.map(\.message) == [
        "0.2 s of audio was lost (from 3.000 s on): the microphone did not deliver; silence stands for it; try another "
          + "USB port or cable, or give this machine less to do"
      ])
    #expect(warnings[0].facts == ["reason": "sound", "count": "9600", "sample": "144000"])
    alarm.record(lostSamples: 480, from: 288_000)
    #expect(LossAlarmTests.sentences(&alarm, at: 32) == [])
    #expect(
      LossAlarmTests.sentences(&alarm, at: 33)
        == ["0.010 s more of audio was lost (from 6.000 s on), 0.2 s in all: the microphone did not deliver; silence "
          + "stands for it"])
  }

  /// What the film has of that silence is less, or nothing.
  @Test func lostSound_isNotSilence_whereTheDiskIsFull() {
    var alarm = LossAlarm(seconds: 30, sampleRate: 48_000)
    alarm.record(lostSamples: 59_936, from: 68_064)
    alarm.record(OutputRefusal(cause: "the disk is full", remedy: "make room"), at: LossAlarmTests.at(3))
    alarm.record(refusedSamples: 480, from: 128_000)
    #expect(
      LossAlarmTests.sentences(&alarm, at: 3, isEnd: true) == [
        "1.2 s of audio was lost (from 1.418 s on): the microphone did not deliver; try another USB port or cable, or "
          + "give this machine less to do",
        "0.010 s of audio was lost (from 2.667 s on): the disk is full; make room",
      ])
  }

  /// The segment that it was lost in may be finished long since.
  @Test func lostSoundInADividedRecording_namesItsSegment() {
    var alarm = LossAlarm(seconds: 30, isDivided: true)
    alarm.record(lostSamples: 9600, from: 144_000)
    #expect(LossAlarmTests.sentences(&alarm, at: 3) == [], "the writer may not have come as far yet")
    let warnings = alarm.warnings(at: LossAlarmTests.at(3.5)) {
      $0 == .samples(144_000...153_599)
        ? LossPlace(film: "seg/g-0002.mov", firstFrame: 48, firstSample: 96_000) : nil
    }
    let sentence = "0.2 s of audio was lost (from 1.000 s of g-0002.mov on): "
    #expect(warnings.count == 1 && warnings.allSatisfy { $0.message.hasPrefix(sentence) }, "\(warnings)")
    let facts = ["reason": "sound", "count": "9600", "sample": "48000", "film": "seg/g-0002.mov"]
    #expect(warnings.first?.facts == facts && warnings.first?.namesFilm == true)
  }

  @Test func lostSoundOfAClip_isNotTheMicrophones() {
    var alarm = LossAlarm(sampleRate: 48_000, isClip: true)
    alarm.record(lostSamples: 1680, from: 96_000)
    #expect(
      LossAlarmTests.sentences(&alarm, at: 1)
        == ["0.035 s of audio was lost (from 2.000 s on): the clip's audio is damaged or has a gap; silence stands for "
          + "it; copy it again from its source"])
  }

  /// As `camrec info` gives it. Audio of 1.97 s loses nothing from 2.0 s on.
  @Test(arguments: [
    (44_100, 86_016, 1024, "0.023 s of audio was lost (from 1.950 s on): "),
    (48_000, 81_583, 960, "0.020 s of audio was lost (from 1.700 s on): "),
    (48_000, 119_023, 100_338, "2.1 s of audio was lost (from 2.480 s on): "),
    (48_000, 188_142, 16, "0.001 s of audio was lost (from 3.920 s on): "),
  ])
  func aPlaceIsRoundedToMilliseconds(_ sampleRate: Int, _ sample: Int64, _ count: Int64, _ begin: String) {
    var alarm = LossAlarm(sampleRate: sampleRate, isClip: true)
    alarm.record(lostSamples: count, from: sample)
    let told = LossAlarmTests.sentences(&alarm, at: 1)
    #expect(told.count == 1 && told[0].hasPrefix(begin), "\(told)")
  }
}
