/// What a running recorder may be asked to do. Keys, `camrec ctl` and whatever speaks its protocol say these.
public enum RecorderCommand: Hashable, Sendable {
  /// Only tells how it goes.
  case state
  /// Begins a film.
  case start
  /// Ends the film and stands by, or ends altogether where it was not told to stand by.
  case stop
  /// Ends the film, and the recorder.
  case quit
  case exposure(ExposureChange)
  /// A control of the camera, as `camrec controls set` says it: `white-balance`, `daylight`.
  case control(name: String, value: String)
  /// Looks for the focus and holds it; at a point of the picture from 0,0 (top left) to 1,1 where one is given.
  case focus(x: Double?, y: Double?)
  /// Gives the focus back to the camera.
  case releaseFocus
  case source(SourceChange)
  /// What was changed holds until the recorder ends, and is not kept for its next start.
  case forget
  /// The film that is recorded, or was recorded last, is never to be deleted for its age or for room.
  case keep
  /// The place of the film that is recorded now has a name; `nil` gives it one with a number.
  case marker(String?)
}
