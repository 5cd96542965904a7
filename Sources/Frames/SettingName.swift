/// The names of settings that sentences speak of, as rig files and programs know them.
///
/// On the command line each is an option: two hyphens and the name.
public enum SettingName: String, Hashable, Sendable, CaseIterable, Codable {
  case bakeOn = "bake-on"
  case bitrate
  case buttonGrab = "button-grab"
  case camera
  case codec
  case colorIn = "color-in"
  case colorOut = "color-out"
  case control
  case duration
  case encoder
  case exposure
  case exposureTrace = "exposure-trace"
  case fillGaps = "fill-gaps"
  case fps
  case frames
  case hook
  case lockExposureWhileRecording = "lock-exposure-while-recording"
  case lut
  case microphone
  case nearest
  case onOverload = "on-overload"
  case output
  case overwrite
  case pixelFormat = "pixel-format"
  case preset
  case profile
  case quality
  case segment
  case settings
  case shutterAngle = "shutter-angle"
  case size

  /// As it is written on the command line: `--pixel-format`. The one place that knows how options look.
  public var option: String { "--\(rawValue)" }
}
