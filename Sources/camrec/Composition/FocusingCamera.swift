import Cameras
import Foundation
import Frames
import Recorder

/// A camera whose focus is looked for: it streams meanwhile, since most focus by what they see only then.
struct FocusingCamera {
  private let controls: any CameraControls
  private let source: FilmSource?

  private static let frames = 4
  /// Seconds between two looks where no pictures are taken.
  private static let pause = 0.05

  /// What is found stays. A camera that somebody else streams from streams already.
  ///
  /// - Parameter warn: is given sentences for people.
  init(_ options: CameraOptions, warn: (String) -> Void) throws(CamrecError) {
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
      warn("no pictures are taken while it focuses: \(error.message)")
    }
    source = opened
  }

  private static func open(_ options: CameraOptions) throws(CamrecError) -> FilmSource {
    try FilmSource.open(options, microphone: .none, colorIn: nil, hasLUT: false, frames: frames)
  }

  /// Looks for the focus, and holds what was found.
  ///
  /// - Throws: code `device` where there is no autofocus, or it has found nothing.
  func find(at point: PicturePoint?) throws(CamrecError) -> RecorderState.Focus {
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
      if case .ended = try camera.next() { throw CamrecError(.device, "\(camera.name) ended while it was focusing") }
    }
    if let failure = focus.failure { throw CamrecError(.device, failure) }
    return focus.status
  }
}
