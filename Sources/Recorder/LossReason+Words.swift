public import Frames

extension LossReason {
  /// What became of frames that were lost so, for people: `3 arrived damaged`.
  public var words: String {
    switch self {
    case .deviceGap: "never came from the camera"
    case .deviceError: "arrived damaged"
    case .overload: "by overload (bake or encoder too slow)"
    case .disk: "by the disk"
    case .defect: "by a defect of camrec or of a library below it"
    }
  }

  /// Why frames are lost so.
  ///
  /// - Parameter isClip: they come from a clip, and not from a camera.
  func cause(isClip: Bool = false) -> String {
    switch self {
    case .deviceError where isClip: "the clip has damaged frames"
    case .deviceGap: "the camera did not deliver"
    case .deviceError: "the camera delivered damaged pictures"
    case .overload: "bake or encoder are too slow"
    case .disk: "the disk is too slow"
    case .defect: "camrec, or a library below it, failed"
    }
  }

  /// What may help. The parameter is that of `cause`.
  func remedy(isClip: Bool = false) -> String {
    switch self {
    case .deviceError where isClip: "copy it again from its source, or check it: camrec verify FILE"
    case .deviceGap: "try another USB port or cable, or a smaller --size, --fps or --pixel-format"
    case .deviceError: "try another USB port or cable"
    case .overload:
      "try a smaller --size, a lower --fps, or a faster --preset or --codec; 'camrec bench' measures what this machine"
        + " can do"
    case .disk: "record to a faster disk, or with a lower bitrate"
    case .defect: "please report it, with what camrec said before"
    }
  }
}
