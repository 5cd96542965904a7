public import Frames

/// The commands of a running recorder. They come from keys, `camrec ctl` and other programs that speak its protocol.
public enum RecorderCommand: Hashable, Sendable {
  /// Only returns the state.
  case state
  /// Begins a film.
  case start
  /// Begins a film with the first frame captured at this time or later; returns when the film is ready for it.
  case startAt(MonotonicTime)
  /// Ends the film and stands by, or ends the recorder if it runs without standby.
  case stop
  /// Ends the film, and the recorder.
  case quit
  case exposure(ExposureChange)
  /// Sets a control of the camera, as `camrec controls set` does: `white-balance`, `daylight`.
  case control(name: String, value: String)
  /// Focuses and holds the focus, at a point of the frame from 0,0 (top left) to 1,1 if one is given.
  case focus(x: Double?, y: Double?)
  /// Gives the focus back to the camera.
  case releaseFocus
  case source(SourceChange)
  /// Changes apply until the recorder ends, but are not kept for its next start.
  case forget
  /// The film being recorded, or recorded last, is never deleted for its age or to make room.
  case keep
  /// Sets a marker at the present place of the film; `nil` names it by its number.
  case marker(String?)
}
