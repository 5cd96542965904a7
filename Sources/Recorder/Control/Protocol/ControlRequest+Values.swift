import Cameras
import Frames
import RecorderAPI

extension ControlRequest {
  /// - Returns: `nil` if the request does not have that member.
  func flag(_ name: String) throws(CamrecError) -> Bool? {
    guard let text = members[name] else { return nil }
    guard let flag = Bool(text) else {
      throw CamrecError(.usage, "\"\(name)\" of '\(word.rawValue)' must be true or false, not '\(text)'")
    }
    return flag
  }

  static func marker(_ text: String) throws(CamrecError) -> String {
    let isShown = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    guard (1...200).contains(text.utf8.count), isShown else {
      throw CamrecError(
        .usage, "a marker must be a text of 1 to 200 bytes on one line, as in '\(ControlWord.marker.example)'")
    }
    return text
  }

  /// Checks the form of a setting; whether the value suits the control, only the camera knows.
  static func control(_ name: String, _ value: String) throws(CamrecError) -> RecorderCommand {
    guard !name.isEmpty, !name.contains("="), !value.isEmpty else {
      throw CamrecError(.usage, "'set' takes the name of a control and a value, as in '\(ControlWord.set.example)'")
    }
    _ = try ControlSetting(parsing: "\(name)=\(value)")
    return .control(name: name.lowercased(), value: value)
  }
}
