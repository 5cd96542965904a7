/// An event for a controller.
public enum ExposureEvent: Hashable, Sendable {
  /// A start, or a change of mode, lock, bias, rate, angle, limits, delay or source, with the device's present setting
  /// if it is known.
  case configure(ExposureConfiguration, current: ExposureSetting?)
  /// A frame was read.
  case frame(ExposureMeasurement)
  /// The device answered the last decision with another setting, which it read back.
  case applied(ExposureSetting)
}

/// A frame's information about the light.
public struct ExposureMeasurement: Hashable, Sendable {
  /// The camera's own count, rising; skipped numbers were lost.
  public var frame: Int
  /// The newest frame that the camera has captured when this one is read: new settings show that much later. Equals
  /// `frame` if frames do not wait to be read.
  public var newest: Int
  public var reading: MeterReading
  /// The frame's real setting if the camera reports it; otherwise the controller uses its own record.
  public var shown: ExposureSetting?

  public init(frame: Int, newest: Int? = nil, reading: MeterReading, shown: ExposureSetting? = nil) {
    self.frame = frame
    self.newest = max(frame, newest ?? frame)
    self.reading = reading
    self.shown = shown
  }
}
