public import Frames

extension LossReason {
  /// What happened to frames lost for this reason, for people: `3 arrived damaged`.
  public var words: String {
    switch self {
    case .deviceGap: "never came from the camera"
    case .deviceError: "arrived damaged"
    case .overload: "lost to overload (bake or encoder too slow)"
    case .disk: "lost to the disk"
    case .defect: "lost to a defect in camrec or a library"
    }
  }

  /// Why frames are lost for this reason.
  ///
  /// - Parameter isClip: the frames come from a clip, not from a camera.
  func cause(isClip: Bool = false) -> String {
    switch self {
    case .deviceError where isClip: "the clip has damaged frames"
    case .deviceGap: "the camera did not deliver"
    case .deviceError: "the camera delivered damaged frames"
    case .overload: "the bake or the encoder is too slow"
    case .disk: "the disk is too slow"
    case .defect: "camrec or a library failed"
    }
  }

  /// What may help.
  ///
  /// - Parameters:
  ///   - isClip: as for `cause`.
  ///   - hasFasterPreset: the encoder has a faster preset than the film's.
  func remedy(isClip: Bool = false, hasFasterPreset: Bool) -> String {
    switch self {
    case .deviceError where isClip: "copy it again from its source"
    case .deviceGap: "try another USB port or cable, or a smaller --size, --fps or --pixel-format"
    case .deviceError: "try another USB port or cable"
    case .overload:
      "try a smaller --size\(hasFasterPreset ? ", a lower --fps, or a faster --preset" : " or a lower --fps"); "
        + "'camrec bench' measures what this machine can do"
    case .disk: "record to a faster disk, or with a lower bitrate"
    case .defect: "please report it, with camrec's earlier messages"
    }
  }
}
