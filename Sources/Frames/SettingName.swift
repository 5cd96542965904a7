/// The names of settings that sentences speak of, as rig files and programs know them.
///
/// On the command line each is an option: two hyphens and the name.
public enum SettingName: String, Hashable, Sendable, CaseIterable, Codable {
  case align
  case bakeOn = "bake-on"
  case baseISO = "base-iso"
  case bitrate
  case buttonGrab = "button-grab"
  case camera
  case codec
  case colorIn = "color-in"
  case colorOut = "color-out"
  case control
  case duration
  case encoder
  case engine
  case ev
  case exposure
  case exposureTrace = "exposure-trace"
  case fillGaps = "fill-gaps"
  case fps
  case frames
  case heatLimit = "heat-limit"
  case hook
  case iso
  case keepAge = "keep-age"
  case keepCount = "keep-count"
  case keepFree = "keep-free"
  case keepPartial = "keep-partial"
  case keepScope = "keep-scope"
  case keepSize = "keep-size"
  case list
  case lockExposureWhileRecording = "lock-exposure-while-recording"
  case lut
  case mains
  case metering
  case metrics
  case microphone
  case monitor
  case monitorGroup = "monitor-group"
  case name
  case nearest
  case onFull = "on-full"
  case onOverload = "on-overload"
  case output
  case overwrite
  case pixelFormat = "pixel-format"
  case preset
  case profile
  case quality
  case results
  case segment
  case settings
  case shard
  case shutterAngle = "shutter-angle"
  case size
  case socket
  case state
  case timecode

  /// As it is written on the command line: `--pixel-format`. The one place that knows how options look.
  public var option: String { "--\(rawValue)" }
}
