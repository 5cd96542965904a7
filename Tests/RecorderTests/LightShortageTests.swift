import Cameras
import Exposure
import Frames
import Recorder
import Testing

struct LightShortageTests {
  /// Noise may have made all of the darkness.
  @Test(arguments: [
    (0, "may be too dark"), (0.04, "may be too dark"), (0.5, "is at least 0.5 EV too dark"),
  ] as [(Double, String)])
  func whatNoFrameShows_isNotSaidAsCertain(shown: Double, words: String) throws {
    var shortage = LightShortage(rate: try FrameRate(argument: "1"), name: "the camera", hasGain: true)
    let decision = ExposureDecision(
      setting: ExposureSetting(exposureTime: 0.02, gain: 0), isChange: false, frame: 0, state: .limited,
      deviation: .zero, missing: Stops(1), shownMissing: Stops(shown), isMissingLowerBound: true)
    let sentence = shortage.sentence(decision)
    #expect(
      sentence?.plain == "the picture \(words) at the highest gain of the camera; add light, or open the aperture")
  }

  /// A smaller shutter angle does not shorten a time that is the shortest already.
  @Test(arguments: [
    (false, "at the lowest gain of the camera; use a filter, a smaller aperture, or a smaller --shutter-angle"),
    (
      true,
      "at the shortest exposure time and the lowest gain of the camera; use a filter or a smaller aperture"
    ),
  ])
  func theRemedyForBrightness_isOneOfTheMode(isTimeFree: Bool, words: String) throws {
    var shortage = LightShortage(rate: try FrameRate(argument: "1"), name: "the camera", hasGain: true)
    let decision = ExposureDecision(
      setting: ExposureSetting(exposureTime: 0.02, gain: 0), isChange: false, frame: 0, state: .limited,
      deviation: .zero, missing: Stops(-1), shownMissing: Stops(-1), isMissingLowerBound: false)
    let sentence = shortage.sentence(decision, isTimeFree: isTimeFree)
    #expect(sentence?.withOptions == "the picture is 1.0 EV too bright \(words)")
  }

  /// What cannot be set is at no end of a range.
  @Test(arguments: [
    (1.0, true, "dark at the longest exposure time of the camera; add light, or open the aperture"),
    (-1, true, "bright at the shortest exposure time of the camera; use a filter or a smaller aperture"),
    (1, false, "dark at the fixed gain of the camera; add light, or open the aperture"),
    (
      -1, false,
      "bright at the fixed gain of the camera; use a filter, a smaller aperture, or a smaller --shutter-angle"
    ),
  ] as [(Double, Bool, String)])
  func aGainThatCannotBeSet_isNotCalledItsHighestOrLowest(missing: Double, isTimeFree: Bool, words: String) throws {
    var shortage = LightShortage(rate: try FrameRate(argument: "1"), name: "the camera", hasGain: false)
    let decision = ExposureDecision(
      setting: ExposureSetting(exposureTime: 0.02, gain: 0), isChange: false, frame: 0, state: .limited,
      deviation: .zero, missing: Stops(missing), shownMissing: Stops(missing), isMissingLowerBound: false)
    let sentence = shortage.sentence(decision, isTimeFree: isTimeFree)
    #expect(sentence?.withOptions == "the picture is 1.0 EV too \(words)")
  }
}
