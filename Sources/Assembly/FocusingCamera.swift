import Cameras
import Foundation
package import Frames
import Recorder
package import RecorderAPI
import Reporting

/// Focuses a camera. It streams meanwhile, because most cameras focus by the image only then.
package struct FocusingCamera {
  private let controls: any CameraControls
  private let source: FilmSource?

  private static let frames = 4
  /// Seconds between two checks while the camera delivers no frames to camrec.
  private static let pause = 0.05

  /// The focus that is found stays set. A camera that another program uses is streaming already.
  ///
  /// - Parameter warn: called with sentences for people.
  package init(_ options: SourceSettings, warn: (String) -> Void) throws(CamrecError) {
    if case .simulated? = options.camera {
      let source = try FocusingCamera.open(options)
      guard let controls = source.camera.controls else {
        throw CamrecError(.usage, "the simulated camera has no controls with these options")
      }
      (self.source, self.controls) = (source, controls)
      return
    }
    controls = try CameraAddress.openControls(options.camera, keeping: .forGood)
    var opened: FilmSource?
    do throws(CamrecError) {
      opened = try FocusingCamera.open(options)
    } catch {
      guard error.code == .device else { throw error }
      warn("camrec takes no frames while the camera focuses: \(error.message)")
    }
    source = opened
  }

  private static func open(_ options: SourceSettings) throws(CamrecError) -> FilmSource {
    try FilmSource.open(options, microphone: .none, colorIn: nil, hasLUT: false, frames: frames)
  }

  /// Searches for the focus, and holds the result.
  ///
  /// - Throws: code `device` if there is no autofocus, or if it finds nothing.
  package func find(at point: PicturePoint?) throws(CamrecError) -> RecorderState.Focus {
    let focus = FocusService(controls, warn: { HumanText.warning($0) })
    defer { focus.close() }
    try source?.camera.start()
    defer { source?.camera.stop() }
    try focus.begin(at: point.map { ($0.x, $0.y) })
    while focus.status.phase == .searching {
      guard let camera = source?.camera else {
        Thread.sleep(forTimeInterval: FocusingCamera.pause)
        continue
      }
      if case .ended = try camera.next() { throw CamrecError(.device, "\(camera.name) ended while focusing") }
    }
    if let failure = focus.failure { throw CamrecError(.device, failure) }
    return focus.status
  }
}
