package import Frames

extension LossReason {
  /// What camrec says of frames lost for this reason. Sentences for people, and goldens, take their words here.
  package var words: LossWords {
    switch self {
    case .deviceGap:
      LossWords(
        fate: "never came from the camera", fateInClip: "not in the clip", short: "never came",
        golden: "never came from the camera", cause: "the camera did not deliver",
        remedy: "try another USB port or cable, or a smaller \(setting: .size), \(setting: .fps) or "
          + "\(setting: .pixelFormat)")
    case .deviceError:
      LossWords(
        fate: "arrived damaged", fateInClip: "damaged in the clip", short: "damaged", golden: "arrived damaged",
        cause: "the camera delivered damaged frames", causeInClip: "the clip has damaged frames",
        remedy: "try another USB port or cable", remedyInClip: "copy it again from its source")
    case .overload:
      LossWords(
        fate: "lost to overload (bake or encoder too slow)", short: "overload",
        golden: "by overload (bake or encoder too slow)", cause: "the bake or the encoder is too slow",
        remedy: "try a smaller \(setting: .size) or a lower \(setting: .fps); "
          + "'camrec bench' measures what this machine can do",
        remedyInClip: "bake the clip with 'camrec bake', which loses no frame",
        remedyByPreset: "try a smaller \(setting: .size), a lower \(setting: .fps), or a faster \(setting: .preset); "
          + "'camrec bench' measures what this machine can do",
        remedyInClipByPreset: "try a faster \(setting: .preset), or bake the clip with 'camrec bake', which loses no "
          + "frame")
    case .disk:
      LossWords(
        fate: "lost to the disk", short: "disk", golden: "by the disk", cause: "the disk is too slow",
        remedy: "record to a faster disk, or with a lower bitrate")
    case .defect:
      LossWords(
        fate: "lost to a defect in camrec or a library", short: "defect",
        golden: "by a defect of camrec or of a library below it", cause: "camrec or a library failed",
        remedy: "please report it, with camrec's earlier messages")
    }
  }
}

/// The words for one reason of losses.
package struct LossWords: Hashable, Sendable {
  /// Names the row of a plot: `damaged`.
  package let short: String
  /// What happened, in a golden. Part of the goldens: other than what people read, these never change.
  package let golden: String

  private let fate: String
  private let fateInClip: String?
  private let cause: String
  private let causeInClip: String?
  private let remedy: Sentence
  private let remedyInClip: Sentence?
  private let remedyByPreset: Sentence?
  private let remedyInClipByPreset: Sentence?

  fileprivate init(
    fate: String, fateInClip: String? = nil, short: String, golden: String, cause: String, causeInClip: String? = nil,
    remedy: Sentence, remedyInClip: Sentence? = nil, remedyByPreset: Sentence? = nil,
    remedyInClipByPreset: Sentence? = nil
  ) {
    self.fate = fate
    self.fateInClip = fateInClip
    self.short = short
    self.golden = golden
    self.cause = cause
    self.causeInClip = causeInClip
    self.remedy = remedy
    self.remedyInClip = remedyInClip
    self.remedyByPreset = remedyByPreset
    self.remedyInClipByPreset = remedyInClipByPreset
  }

  /// What happened, after a number of frames: `3 arrived damaged`.
  ///
  /// - Parameter isClip: the frames come from a clip, not from a camera.
  package func fate(isClip: Bool = false) -> String { (isClip ? fateInClip : nil) ?? fate }

  /// Why frames are lost.
  ///
  /// - Parameter isClip: as for `fate`.
  package func cause(isClip: Bool = false) -> String { (isClip ? causeInClip : nil) ?? cause }

  /// What may help.
  ///
  /// - Parameters:
  ///   - isClip: as for `fate`.
  ///   - hasFasterPreset: the encoder has a faster preset than the film's.
  package func remedy(isClip: Bool = false, hasFasterPreset: Bool) -> Sentence {
    if isClip, let remedyInClip { return (hasFasterPreset ? remedyInClipByPreset : nil) ?? remedyInClip }
    return (hasFasterPreset ? remedyByPreset : nil) ?? remedy
  }
}
