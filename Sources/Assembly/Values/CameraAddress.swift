package import Frames

/// The camera that `--camera` names.
package enum CameraAddress: Hashable, Sendable {
  /// A V4L2 device by its path.
  case device(String)
  /// The simulated camera, with the options after its colon.
  case simulated(options: String)
  case clip(path: String)

  package init(parsing text: String) throws(CamrecError) {
    switch text {
    case "sim":
      self = .simulated(options: "")
    case _ where text.hasPrefix("sim:"):
      self = .simulated(options: String(text.dropFirst(4)))
    case _ where text.hasPrefix("clip:") && text.count > 5:
      self = .clip(path: String(text.dropFirst(5)))
    case _ where text.hasPrefix("/"):
      self = .device(text)
    default:
      throw CamrecError(.usage, "a camera is /dev/videoN, /dev/v4l/by-id/…, sim, sim:OPTIONS or clip:PATH")
    }
  }
}
