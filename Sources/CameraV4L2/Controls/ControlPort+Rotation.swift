import CV4L2
package import Frames

extension ControlPort {
  /// How a player turns the picture so that it stands upright, from the way in which the camera is built in
  /// (V4L2_CID_CAMERA_SENSOR_ROTATION); none where the camera does not say, or says what is no quarter turn.
  ///
  /// - Throws: only where the camera is gone.
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
  /// - Parameter degrees: V4L2_CID_CAMERA_SENSOR_ROTATION: how far counter-clockwise the picture has to be turned. What
  ///   is no quarter turn is none.
  package init(counterclockwiseCorrection degrees: Int64) {
    self = Rotation(rawValue: Int((360 - degrees % 360) % 360)) ?? .none
  }
}
