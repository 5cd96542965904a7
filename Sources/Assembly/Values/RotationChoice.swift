package import Frames

/// The value of `--rotation`.
package enum RotationChoice: Hashable, Sendable {
  /// As the camera is mounted (its sensor's rotation control), or as the clip says.
  case auto
  case fixed(Rotation)

  package static let completions = ["auto"] + Rotation.allCases.map { String($0.rawValue) }

  package init(parsing text: String) throws(CamrecError) {
    if text.lowercased() == "auto" {
      self = .auto
      return
    }
    guard let rotation = Int(text).flatMap(Rotation.init(rawValue:)) else {
      throw CamrecError(.usage, "a rotation is auto, or 0, 90, 180 or 270 degrees clockwise")
    }
    self = .fixed(rotation)
  }

  /// `nil`: the source's own.
  package var rotation: Rotation? {
    if case .fixed(let rotation) = self { rotation } else { nil }
  }
}
