public import Frames

/// A key or button of an input device and its action: `KEY_RECORD@/dev/input/event3`, `start:BTN_0@…`, `stop:28@…`.
public struct ButtonChoice: Hashable, Sendable, CustomStringConvertible {
  public enum Action: String, Hashable, Sendable, CaseIterable {
    case toggle, start, stop
  }

  public var action: Action
  /// As in `linux/input-event-codes.h`.
  public var code: UInt16
  public var device: String
  /// As the user wrote it.
  public let description: String

  /// - Throws: code `usage`.
  public init(parsing text: String) throws(CamrecError) {
    description = text
    guard let at = text.firstIndex(of: "@"), text.index(after: at) < text.endIndex else {
      throw CamrecError(
        .usage,
        "'\(text)' is not a button; write a key and its device, as in KEY_RECORD@/dev/input/by-id/usb-…-event-kbd")
    }
    device = String(text[text.index(after: at)...])
    guard device.hasPrefix("/") else {
      throw CamrecError(.usage, "a button's device must be an absolute path, as in /dev/input/event3, not '\(device)'")
    }
    let words = text[..<at].split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    if words.count == 2 {
      guard let action = Action(rawValue: words[0]) else {
        throw CamrecError(.usage, "a button's action is toggle, start or stop, not '\(words[0])'")
      }
      self.action = action
    } else {
      action = .toggle
    }
    let name = words.last ?? ""
    guard words.count <= 2, let code = ButtonChoice.code(name) else {
      throw CamrecError(
        .usage, "camrec knows no key named '\(name)'; give its number instead (1 to 767), which 'evtest' shows")
    }
    self.code = code
  }

  private static func code(_ name: String) -> UInt16? {
    if let number = UInt16(name) { return (1...767).contains(number) ? number : nil }
    return names[name.uppercased()]
  }

  /// From `linux/input-event-codes.h`: the usual keys of remotes, pedals, GPIO buttons and keyboards.
  private static let names: [String: UInt16] = {
    var names: [String: UInt16] = [
      "KEY_ESC": 1, "KEY_BACKSPACE": 14, "KEY_TAB": 15, "KEY_ENTER": 28, "KEY_R": 19, "KEY_SPACE": 57, "KEY_F11": 87,
      "KEY_F12": 88, "KEY_KPENTER": 96, "KEY_HOME": 102, "KEY_UP": 103, "KEY_PAGEUP": 104, "KEY_LEFT": 105,
      "KEY_RIGHT": 106, "KEY_END": 107, "KEY_DOWN": 108, "KEY_PAGEDOWN": 109, "KEY_MUTE": 113, "KEY_VOLUMEDOWN": 114,
      "KEY_VOLUMEUP": 115, "KEY_POWER": 116, "KEY_PAUSE": 119, "KEY_STOP": 128, "KEY_MENU": 139, "KEY_PROG1": 148,
      "KEY_PROG2": 149, "KEY_NEXTSONG": 163, "KEY_PLAYPAUSE": 164, "KEY_PREVIOUSSONG": 165, "KEY_STOPCD": 166,
      "KEY_RECORD": 167, "KEY_PROG3": 202, "KEY_PROG4": 203, "KEY_PLAY": 207, "KEY_CAMERA": 212, "KEY_OK": 352,
      "KEY_RED": 398, "KEY_GREEN": 399, "KEY_YELLOW": 400, "KEY_BLUE": 401, "KEY_CAMERA_FOCUS": 528,
      "BTN_LEFT": 272, "BTN_RIGHT": 273, "BTN_MIDDLE": 274, "BTN_TRIGGER": 288, "BTN_SOUTH": 304, "BTN_EAST": 305,
      "BTN_NORTH": 307, "BTN_WEST": 308, "BTN_START": 315, "BTN_SELECT": 314,
    ]
    for number in 0...9 { names["BTN_\(number)"] = UInt16(256 + number) }
    for number in 1...10 { names["KEY_F\(number)"] = UInt16(58 + number) }
    for number in 13...24 { names["KEY_F\(number)"] = UInt16(183 + number - 13) }
    return names
  }()
}
