public import Frames

/// The settings of a recorder, including the changes made while it ran.
public struct RecorderSettings: Hashable, Sendable {
  /// A control of a camera, and its value as the user wrote it.
  public struct Control: Hashable, Sendable, Codable {
    /// The camera's identity, from `CameraControls`.
    public var camera: String
    public var name: String
    public var value: String

    public init(camera: String, name: String, value: String) {
      self.camera = camera
      self.name = name
      self.value = value
    }
  }

  /// `nil` leaves the camera's exposure alone.
  public var exposure: ExposureOptions?
  /// Changes against the source that it was started with.
  public var source: SourceChange
  /// In the order in which they were set; the last one counts.
  public var controls: [Control]

  public init(exposure: ExposureOptions?, source: SourceChange = SourceChange(), controls: [Control] = []) {
    self.exposure = exposure
    self.source = source
    self.controls = controls
  }

  // MARK: Changes for the next start

  mutating func keep(_ control: Control) {
    controls.removeAll { $0.camera == control.camera && $0.name == control.name }
    controls.append(control)
  }

  /// - Parameters:
  ///   - before, now: the exposure in force around the change. Once something was forgotten, it is not what is kept.
  mutating func keep(_ change: ExposureChange, before: ExposureOptions?, now: ExposureOptions?) {
    guard exposure != before else { return exposure = now }
    do throws(CamrecError) {
      try exposure?.apply(change)
    } catch {
      // It needs the mode in force, as an ISO speed does.
      if let now { try? exposure?.apply(.mode(now.mode)) }
      try? exposure?.apply(change)
    }
  }

  /// - Parameters:
  ///   - before, now: the source in force around the change. Once something was forgotten, it is not what is kept.
  mutating func keep(_ change: SourceChange, before: SourceChange, now: SourceChange) {
    source = source == before ? now : source.followed(by: change)
  }
}

/// Keeps changed settings for the recorder's next start.
///
/// Thread: any; calls do not overlap.
public protocol RecorderMemory: AnyObject, Sendable {
  /// The exposure of the start, without kept changes.
  var startExposure: ExposureOptions { get }

  /// - Parameter settings: all settings; `nil` keeps nothing.
  /// - Throws: code `output` if they cannot be written.
  func keep(_ settings: RecorderSettings?) throws(CamrecError)
}
