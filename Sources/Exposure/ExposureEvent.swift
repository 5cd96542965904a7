/// What happens to a controller.
public enum ExposureEvent: Hashable, Sendable {
  /// A start, or a change of mode, lock, bias, rate, angle, limits, delay or source, with what the device is set to
  /// now, where that is known.
  case configure(ExposureConfiguration, current: ExposureSetting?)
  /// A frame was read.
  case frame(ExposureMeasurement)
  /// The device answered the last decision with another setting, which it read back.
  case applied(ExposureSetting)
}

/// What a frame says about the light.
public struct ExposureMeasurement: Hashable, Sendable {
  /// The camera's own count, rising; what it skips was lost.
  public var frame: Int
  /// The newest frame that the camera has captured when this one is read: a setting shows so much later. The same
  /// where frames do not wait to be read.
  public var newest: Int
  public var reading: MeterReading
  /// What the frame was really taken with, where the camera says so; the controller goes by its own account otherwise.
  public var shown: ExposureSetting?

  public init(frame: Int, newest: Int? = nil, reading: MeterReading, shown: ExposureSetting? = nil) {
    self.frame = frame
    self.newest = max(frame, newest ?? frame)
    self.reading = reading
    self.shown = shown
  }
}
