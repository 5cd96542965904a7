package import Cameras
package import Frames

/// A recorder's name for logs, metrics and its state file, safe in all of them.
package struct RecorderName: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package static let longest = 64

  package init(parsing text: String) throws(CamrecError) {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): true
      default: false
      }
    }
    guard isPlain, (1...RecorderName.longest).contains(text.utf8.count), !text.hasPrefix("."), !text.hasPrefix("-")
    else {
      throw CamrecError(
        .usage,
        "a recorder's name has 1 to \(RecorderName.longest) letters, digits, '_', '-' and '.', and begins with a"
          + " letter, a digit or '_'; not '\(text)'")
    }
    description = text
  }

  /// The name of a recorder without --name: `sim`, `clip`, `video0`.
  package static func standard(_ camera: CameraAddress?, among providers: CameraProviders = .standard) -> String {
    guard let camera else { return "camera" }
    return providers[camera]?.name(of: camera) ?? camera.kind.name
  }
}
