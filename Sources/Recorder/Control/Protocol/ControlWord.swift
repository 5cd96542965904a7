/// What can be asked of a recorder, by the word that lines of the protocol (`"do"`) and `camrec ctl` have for it.
public enum ControlWord: String, Hashable, Sendable, CaseIterable {
  case state, watch
  case start, stop, quit
  case mode, angle, iso, ev, metering, spot, lock, unlock
  case whiteBalance = "white-balance"
  case set, focus
  case rate, format, camera
  case switchSource = "switch"
  case forget, keep, marker

  /// What stands beside it.
  public struct Member: Hashable, Sendable {
    public let name: String
    public let isNeeded: Bool
    /// Also an array of two numbers.
    let isPoint: Bool

    init(_ name: String, isNeeded: Bool = true, isPoint: Bool = false) {
      self.name = name
      self.isNeeded = isNeeded
      self.isPoint = isPoint
    }

    static let value = Member("value")
  }

  /// In the order in which words of a command line stand.
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

  /// As a person would write it, for sentences and help.
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

  /// What is done, for help.
  public var summary: String {
    switch self {
    case .state: "how the recorder goes"
    case .watch: "that, whenever it changes, until Ctrl-C"
    case .start: "begin a film"
    case .stop: "end the film"
    case .quit: "end the film and the recorder"
    case .mode: "as --exposure says it"
    case .angle: "the shutter angle"
    case .iso: "the ISO speed of manual"
    case .ev: "how many EV brighter, or below 0 darker"
    case .metering: "as --metering says it"
    case .spot: "meter a point of the picture"
    case .lock: "hold time and gain as they are"
    case .unlock: "let them follow the light again"
    case .whiteBalance: "a preset, or kelvin"
    case .set: "any control, as 'camrec controls set' does"
    case .focus: "focus and hold, at a point or not; 'release' lets go"
    case .rate: "another frame rate"
    case .format: "another pixel format"
    case .camera: "another camera"
    case .switchSource: "another --camera, --fps, --size, --pixel-format"
    case .keep: "never delete the film that is recorded, or was last"
    case .marker: "call this place of the film by a name, or by a number: in its sidecar and its chapters"
    case .forget: "do not keep for the next start what was set (--settings)"
    }
  }
}
