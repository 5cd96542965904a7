import Frames
import RecorderAPI

extension ControlWord {
  /// What the command does, for help: with an example before it, a line of 79 columns.
  var summary: Sentence {
    switch self {
    case .state: "show the recorder's state"
    case .watch: "show the state as it changes, until Ctrl-C"
    case .start: "begin a film"
    case .stop: "end the film (without standby, the recorder as well)"
    case .quit: "end the film and the recorder"
    case .mode: "set the exposure mode (as \(setting: .exposure))"
    case .angle: "set the shutter angle (as \(setting: .shutterAngle))"
    case .iso: "set the ISO in mode manual (as \(setting: .iso))"
    case .ev: "expose brighter, or darker below 0 (as \(setting: .ev))"
    case .metering: "set the metering mode (as \(setting: .metering))"
    case .spot: "meter this point of the frame"
    case .lock: "lock exposure time and gain (only in mode auto)"
    case .unlock: "let them follow the light again (only in mode auto)"
    case .whiteBalance: "set the white balance: a preset, or kelvin (5600)"
    case .set: "set a control: the torch, or any other, by its name"
    case .focus: "focus on a point and hold; 'focus release' lets go"
    case .rate: "change the frame rate (as \(setting: .fps))"
    case .format: "change the pixel format (as \(setting: .pixelFormat))"
    case .camera: "change the camera (as \(setting: .camera))"
    case .switchSource: "change camera, rate, size and format at once"
    case .keep: "protect the film from deletion (as 'camrec keep')"
    case .marker: "mark this place; without a text it gets a number"
    case .forget: "delete the settings saved for the next start"
    }
  }
}
