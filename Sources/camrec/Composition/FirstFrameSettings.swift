import Foundation
import Frames
import Movies
import Synchronization

/// What a film is told beside its settings when its first frame is there: the date, and the timecode of that frame.
///
/// Thread: any. Film and sidecar get the same.
final class FirstFrameSettings: Sendable {
  struct Dated: Sendable {
    let settings: MovieSettings
    let date: Date
  }

  private let settings: MovieSettings
  private let choice: TimecodeChoice?
  private let isClip: Bool
  private let hasOwnClock: Bool
  private let dated = Mutex<Dated?>(nil)

  /// - Parameters:
  ///   - choice: the timecode that was asked for; `nil` for now, or for the clip's own.
  ///   - isClip: the clip's date and timecode stand in `settings`.
  ///   - hasOwnClock: the instants of clips and pulled cameras are their own, and no wall clock's.
  init(_ settings: MovieSettings, timecode choice: TimecodeChoice?, isClip: Bool, hasOwnClock: Bool) {
    self.settings = settings
    self.choice = choice
    self.isClip = isClip
    self.hasOwnClock = hasOwnClock
  }

  /// - Throws: code `usage` for a timecode that does not exist.
  func at(_ firstFrame: MonotonicTime) throws(CamrecError) -> Dated {
    if let known = dated.withLock({ $0 }) { return known }
    let date =
      hasOwnClock ? Date() : Date(timeIntervalSinceNow: Double(firstFrame - MonotonicTime.now()) * 1e-9)
    var settings = settings
    if !isClip || choice == .now {
      settings.creationTime = isClip ? settings.creationTime : Int64(date.timeIntervalSince1970)
      settings.timecode = try (choice ?? .now).timecode(rate: settings.frameRate, date: date)
    }
    let known = Dated(settings: settings, date: date)
    dated.withLock { $0 = known }
    return known
  }
}
