public import Frames

/// What a recorder is to do, with everything that was changed while it ran.
public struct RecorderSettings: Hashable, Sendable {
  /// A control of a camera, and the value that somebody gave it, in his words.
  public struct Control: Hashable, Sendable, Codable {
    /// The camera's identity, as `CameraControls` has it.
    public var camera: String
    public var name: String
    public var value: String

    public init(camera: String, name: String, value: String) {
      self.camera = camera
      self.name = name
      self.value = value
    }
  }

  /// `nil` where the camera is left alone.
  public var exposure: ExposureOptions?
  /// What differs from the source that it was started with.
  public var source: SourceChange
  /// In the order in which they were set; the last one counts.
  public var controls: [Control]

  public init(exposure: ExposureOptions?, source: SourceChange = SourceChange(), controls: [Control] = []) {
    self.exposure = exposure
    self.source = source
    self.controls = controls
  }

  static func keep(_ control: Control, in controls: inout [Control]) {
    controls.removeAll { $0.camera == control.camera && $0.name == control.name }
    controls.append(control)
  }
}

/// Keeps what was changed for the recorder's next start.
///
/// Thread: any; calls do not overlap.
public protocol RecorderMemory: AnyObject, Sendable {
  /// - Parameter settings: all of them; `nil`: nothing is to be kept.
  /// - Throws: code `output` where it cannot be written.
  func keep(_ settings: RecorderSettings?) throws(CamrecError)
}
