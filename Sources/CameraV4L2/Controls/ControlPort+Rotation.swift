import CV4L2
package import Frames

extension ControlPort {
  /// How far a player must turn the frames to show them upright, from the camera's mounting
  /// (V4L2_CID_CAMERA_SENSOR_ROTATION); none if the camera does not report it, or reports no multiple of a quarter
  /// turn.
  ///
  /// - Throws: only if the camera is gone.
  package func rotation() throws(V4L2CallError) -> Rotation {
    do throws(V4L2CallError) {
      guard let control = try facts(of: UInt32(V4L2_CID_CAMERA_SENSOR_ROTATION)) else { return .none }
      return Rotation(counterclockwiseCorrection: try value(of: control))
    } catch {
      if error.isGone { throw error }
      return .none
    }
  }
}

extension Rotation {
  /// - Parameter degrees: V4L2_CID_CAMERA_SENSOR_ROTATION: how far counter-clockwise the frames must be turned.
  ///   Anything but a multiple of a quarter turn counts as none.
  package init(counterclockwiseCorrection degrees: Int64) {
    self = Rotation(rawValue: Int((360 - degrees % 360) % 360)) ?? .none
  }
}
