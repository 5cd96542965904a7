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
  package init(
    _ options: SourceSettings, among providers: CameraProviders = .standard, warn: (String) -> Void
  ) throws(CamrecError) {
    let address = try providers.chosen(options.camera), provider = try providers.provider(of: address)
    var options = options
    options.camera = address
    guard provider.traits.keepsControls else {
      let source = try FocusingCamera.open(options, providers)
      guard let controls = source.camera.controls else { throw provider.lacksControls }
      (self.source, self.controls) = (source, controls)
      return
    }
    controls = try provider.openControls(address, keeping: .forGood)
    var opened: FilmSource?
    do throws(CamrecError) {
      opened = try FocusingCamera.open(options, providers)
    } catch {
      guard error.code == .device else { throw error }
      warn("camrec takes no frames while the camera focuses: \(error.message)")
    }
    source = opened
  }

  private static func open(
    _ options: SourceSettings, _ providers: CameraProviders
  ) throws(CamrecError) -> FilmSource {
    try FilmSource.open(options, among: providers, microphone: .none, colorIn: nil, hasLUT: false, frames: frames)
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
