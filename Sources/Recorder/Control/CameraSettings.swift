import Cameras
import Foundation
import Frames

/// Settings made on a camera while the recorder ran; applied again to the camera of every film.
struct CameraSettings: Hashable, Sendable {
  private struct Entry: Hashable, Sendable {
    var identity: String
    var change: ControlChange
  }

  private var entries: [Entry] = []

  /// Controls that the exposure service sets itself.
  static let ofExposure: Set<CameraControl> = [
    .exposureTime, .exposureMode, .gain, .iso, .autoGain, .autoISO, .dynamicFrameRate,
  ]
  /// Settings that also apply to another camera: the light of the scene is the same, the lens is not.
  private static let ofScene: Set<CameraControl> = [.whiteBalance, .autoWhiteBalance]

  mutating func keep(_ changes: [ControlChange], of identity: String) {
    for change in changes where change.control != .focusTrigger {
      let isOfScene = CameraSettings.ofScene.contains(change.control)
      entries.removeAll { $0.change.control == change.control && (isOfScene || $0.identity == identity) }
      // Automatic white balance overrides the number.
      if change == ControlChange(.autoWhiteBalance, .flag(true)) {
        entries.removeAll { $0.change.control == .whiteBalance }
      }
      entries.append(Entry(identity: identity, change: change))
    }
  }

  /// Applies this camera's settings again.
  ///
  /// - Returns: sentences about what the camera did not accept.
  func apply(to controls: any CameraControls) -> [String] {
    let offered = Set(((try? controls.offers()) ?? []).map(\.control))
    return entries.compactMap { entry in
      let control = entry.change.control
      guard entry.identity == controls.identity || CameraSettings.ofScene.contains(control), offered.contains(control)
      else { return nil }
      do throws(CamrecError) {
        try controls.set(control, to: entry.change.value)
        return nil
      } catch {
        return "cannot set \(control.rawValue) again: \(error.message)"
      }
    }
  }

  /// Kelvin, or `auto`; `nil` if the camera does not tell.
  static func whiteBalance(_ controls: any CameraControls) -> String? {
    if case .flag(true)? = try? controls.value(of: .autoWhiteBalance) { return "auto" }
    guard case .number(let kelvin)? = try? controls.value(of: .whiteBalance) else { return nil }
    return String(format: "%.0f", kelvin)
  }
}
