import Cameras
import Frames

extension ControlRequest {
  static func flag(_ text: String) throws(CamrecError) -> Bool {
    guard let flag = Bool(text) else {
      throw CamrecError(.usage, "\"value\" of 'watch' is true or false; this is '\(text)'")
    }
    return flag
  }

  static func marker(_ text: String) throws(CamrecError) -> String {
    let isShown = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    guard (1...200).contains(text.utf8.count), isShown else {
      throw CamrecError(
        .usage, "a marker is a text of 1 to 200 bytes on one line, as in '\(ControlWord.marker.example)'")
    }
    return text
  }

  /// What the value is for which control, the camera knows.
  static func control(_ name: String, _ value: String) throws(CamrecError) -> RecorderCommand {
    guard !name.isEmpty, !name.contains("="), !value.isEmpty else {
      throw CamrecError(.usage, "'set' wants a control's name and its value, as in '\(ControlWord.set.example)'")
    }
    _ = try ControlSetting(parsing: "\(name)=\(value)")
    return .control(name: name.lowercased(), value: value)
  }
}
