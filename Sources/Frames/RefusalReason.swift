/// Why something was refused or has failed, by names that stay the same, for programs. Most failures have a code and a
/// sentence only.
///
/// `Documentation/Reasons.md` lists them.
public enum RefusalReason: String, Hashable, Sendable, CaseIterable, Codable {
  // MARK: Of requests

  /// The deadline has passed before the request was begun, or there is no place for it: nothing has changed.
  case busy
  /// The deadline has passed, and the recorder is still at it: what was asked for may still happen.
  case deadline

  // MARK: Of the recorder's phase

  /// A film is being recorded already, or waits for its time.
  case recording
  /// No film is being recorded.
  case notRecording
  /// The recording is about to end, or has just ended.
  case stopping
  /// The recorder waits for its camera, and continues by itself when that is back.
  case awaitingCamera
  /// The recorder has ended.
  case ended
  /// No film has been recorded yet.
  case noFilm
  /// No camera is open.
  case noCamera
  /// The newest frame is old, and can be had as such: the camera sends no more.
  case stale
  /// A subscriber was let go: it has not used what it was sent.
  case notUsed

  // MARK: Of settings

  /// The camera sets its own exposure.
  case exposureByCamera
  /// The recorder sets the exposure itself.
  case exposureByRecorder
  /// The exposure mode does not allow it.
  case exposureMode
  /// The recorder does not hold the focus.
  case focusNotHeld
  /// The recorder keeps no settings for its next start.
  case settingsNotKept

  // MARK: Of cameras, microphones and files

  /// The device does not offer it.
  case notOffered
  /// There is no such device.
  case noDevice
  /// Another program uses the device or the file.
  case inUse
  /// The device was unplugged.
  case unplugged
  /// A file of that name exists.
  case exists
  /// The disk or the quota has no room.
  case noRoom
}
