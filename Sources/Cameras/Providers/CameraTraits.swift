/// What holds for every camera of a kind.
package struct CameraTraits: Hashable, Sendable {
  package enum Delivery: Hashable, Sendable {
    /// Frames at a rate, which can be recorded.
    case frames
    /// Stills, and perhaps a live view without a rate.
    case stills
  }

  package var delivery: Delivery
  /// A device, which one recorder at a time can use.
  package var isHardware: Bool
  /// A camera may be away, and come back in another place.
  package var mayBeAway: Bool
  /// Brings its own audio, where a device is recorded with the machine's microphone.
  package var hasOwnSound: Bool
  /// Size, rate and pixel format cannot be chosen.
  package var hasOwnMode: Bool
  package var hasControls: Bool
  /// What is set at one opening holds at others; false if each opening makes a new camera.
  package var keepsControls: Bool

  package init(
    delivery: Delivery = .frames, isHardware: Bool = false, mayBeAway: Bool = false, hasOwnSound: Bool = false,
    hasOwnMode: Bool = false, hasControls: Bool = false, keepsControls: Bool = true
  ) {
    self.delivery = delivery
    self.isHardware = isHardware
    self.mayBeAway = mayBeAway
    self.hasOwnSound = hasOwnSound
    self.hasOwnMode = hasOwnMode
    self.hasControls = hasControls
    self.keepsControls = keepsControls
  }
}
