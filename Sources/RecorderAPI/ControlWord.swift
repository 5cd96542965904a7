/// The commands of a recorder, by their names in the protocol (`"do"`) and in `camrec ctl`.
public enum ControlWord: String, Hashable, Sendable, CaseIterable {
  case state, watch
  case start, stop, quit
  case mode, angle, iso, ev, metering, spot, lock, unlock
  case whiteBalance = "white-balance"
  case set, focus
  case rate, format, camera
  case switchSource = "switch"
  case forget, keep, marker

  /// A member of a command.
  public struct Member: Hashable, Sendable {
    public let name: String
    public let isNeeded: Bool
    /// Also accepts an array of two numbers.
    public let isPoint: Bool

    init(_ name: String, isNeeded: Bool = true, isPoint: Bool = false) {
      self.name = name
      self.isNeeded = isNeeded
      self.isPoint = isPoint
    }

    static let value = Member("value")
  }

  /// In the order of the words on a command line.
  public var members: [Member] {
    switch self {
    case .state, .start, .stop, .quit, .lock, .unlock, .forget, .keep: []
    case .watch, .marker: [Member("value", isNeeded: false)]
    case .mode, .angle, .iso, .ev, .metering, .whiteBalance, .rate, .format, .camera: [.value]
    case .spot: [Member("value", isPoint: true)]
    case .focus: [Member("value", isNeeded: false, isPoint: true)]
    case .set: [Member("name"), Member("value", isPoint: true)]
    case .switchSource: ["camera", "fps", "size", "pixelFormat"].map { Member($0, isNeeded: false) }
    }
  }

  /// Members that only programs use: they are no words of a command line, and no message suggests them.
  public var furtherMembers: [Member] {
    switch self {
    case .watch: [Member("changes", isNeeded: false)]
    case .start: [Member("at", isNeeded: false)]
    default: []
    }
  }

  /// An example, for messages and help.
  public var example: String {
    switch self {
    case .state, .watch, .start, .stop, .quit, .lock, .unlock, .forget, .keep: rawValue
    case .mode: "mode shutter-priority"
    case .angle: "angle 172.8"
    case .iso: "iso 800"
    case .ev: "ev +1/3"
    case .metering: "metering centre"
    case .spot: "spot 0.5,0.25"
    case .whiteBalance: "white-balance daylight"
    case .set: "set torch on"
    case .focus: "focus 0.5,0.25"
    case .rate: "rate 24000/1001"
    case .format: "format nv12"
    case .camera: "camera /dev/video2"
    case .switchSource: "switch --fps 25"
    case .marker: "marker \"take 2\""
    }
  }
}
