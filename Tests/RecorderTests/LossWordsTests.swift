import Frames
import Recorder
import Testing

/// What is said of lost frames: for people, and in goldens, which never change.
@Suite struct LossWordsTests {
  @Test(arguments: [
    (LossReason.deviceGap, "never came from the camera", "not in the clip", "never came"),
    (.deviceError, "arrived damaged", "damaged in the clip", "damaged"),
    (
      .overload, "lost to overload (bake or encoder too slow)", "lost to overload (bake or encoder too slow)",
      "overload"
    ),
    (.disk, "lost to the disk", "lost to the disk", "disk"),
    (
      .defect, "lost to a defect in camrec or a library", "lost to a defect in camrec or a library", "defect"
    ),
  ])
  func whatHappenedToThem(reason: LossReason, fate: String, fateInClip: String, short: String) {
    #expect(reason.words.fate() == fate)
    #expect(reason.words.fate(isClip: true) == fateInClip)
    #expect(reason.words.short == short)
  }

  @Test(arguments: [
    (LossReason.deviceGap, "never came from the camera"), (.deviceError, "arrived damaged"),
    (.overload, "by overload (bake or encoder too slow)"), (.disk, "by the disk"),
    (.defect, "by a defect of camrec or of a library below it"),
  ])
  func goldensKeepTheirs(reason: LossReason, golden: String) { #expect(reason.words.golden == golden) }

  @Test func causesAndRemedies() {
    let damaged = LossReason.deviceError.words, slow = LossReason.overload.words
    #expect(damaged.cause() == "the camera delivered damaged frames")
    #expect(damaged.cause(isClip: true) == "the clip has damaged frames")
    #expect(damaged.remedy(hasFasterPreset: true).withOptions == "try another USB port or cable")
    #expect(damaged.remedy(isClip: true, hasFasterPreset: true).withOptions == "copy it again from its source")
    let bench = "'camrec bench' measures what this machine can do"
    #expect(slow.remedy(hasFasterPreset: false).withOptions == "try a smaller --size or a lower --fps; \(bench)")
    #expect(
      slow.remedy(hasFasterPreset: true).withOptions
        == "try a smaller --size, a lower --fps, or a faster --preset; \(bench)")
    let bake = "bake the clip with 'camrec bake', which loses no frame"
    #expect(slow.remedy(isClip: true, hasFasterPreset: false).withOptions == bake, "a clip has its own size and rate")
    #expect(slow.remedy(isClip: true, hasFasterPreset: true).withOptions == "try a faster --preset, or \(bake)")
    #expect(slow.remedy(hasFasterPreset: true).settings == [.size, .fps, .preset], "no option is part of its text")
    #expect(slow.remedy(hasFasterPreset: false).plain == "try a smaller 'size' or a lower 'fps'; \(bench)")
  }
}
