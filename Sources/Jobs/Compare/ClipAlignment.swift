import Cameras
import Color
import Frames

/// How the frames of two clips are matched.
package enum ClipAlignment: String, CaseIterable, Sendable {
  /// By `number` if both clips have one at the beginning, else by `content`.
  case auto
  /// By the number that the simulated camera writes into its frames.
  case number
  /// By content; where nothing moves, by timecode if both clips have one at the same rate, else by time.
  case content
  case timecode
  /// By time, from each clip's beginning.
  case time
  /// By position.
  case frame

  /// The number of frames searched for a number: one damaged frame does not decide.
  private static let searched = 12

  /// The alignment that `auto` stands for with two clips.
  ///
  /// - Throws: as `ClipPictures.next`.
  static func choice(_ paths: (String, String)) throws(CamrecError) -> ClipAlignment {
    if try hasNumbers(paths.0), try hasNumbers(paths.1) { return .number }
    return .content
  }

  /// Whether a frame at the clip's beginning has a number.
  ///
  /// - Throws: as `ClipPictures.next`.
  static func hasNumbers(_ path: String) throws(CamrecError) -> Bool {
    let clip = try ClipPictures(path: path)
    for _ in 0..<searched {
      guard let next = try clip.next() else { return false }
      if SimulatedMark(of: next.picture, luma: next.picture.packedLuma()) != nil { return true }
    }
    return false
  }
}
