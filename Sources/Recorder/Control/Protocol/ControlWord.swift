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
    let isPoint: Bool

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
    case .set: [Member("name"), .value]
    case .switchSource: ["camera", "fps", "size", "pixelFormat"].map { Member($0, isNeeded: false) }
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

  /// What the command does, for help.
  public var summary: String {
    switch self {
    case .state: "show the recorder's state"
    case .watch: "show the state whenever it changes, until Ctrl-C"
    case .start: "begin a film"
    case .stop: "end the film"
    case .quit: "end the film and the recorder"
    case .mode: "set the exposure mode, as with --exposure"
    case .angle: "set the shutter angle"
    case .iso: "set the ISO speed, in mode manual"
    case .ev: "brighter by this many EV, or darker below 0"
    case .metering: "set the metering, as with --metering"
    case .spot: "meter a point of the frame"
    case .lock: "lock exposure time and gain"
    case .unlock: "let time and gain follow the light again"
    case .whiteBalance: "set a preset, or kelvin"
    case .set: "set any control, as with 'camrec controls set'"
    case .focus: "focus and hold, at a point if given; 'focus release' lets go"
    case .rate: "change the frame rate"
    case .format: "change the pixel format"
    case .camera: "change the camera"
    case .switchSource: "change any of --camera, --fps, --size, --pixel-format at once"
    case .keep: "never delete the current film, or the last one"
    case .marker: "mark this place in the sidecar and the chapters; without a name, by number"
    case .forget: "do not keep changed settings for the next start (--settings)"
    }
  }
}
