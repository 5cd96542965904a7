package import Foundation
package import Frames
package import Movies
import Platform
import RecorderAPI
import Synchronization

/// Completes a film's settings when its first frame has arrived: with the date and the timecode of that frame.
///
/// Thread: any. Film and sidecar get the same.
package final class FirstFrameSettings: Sendable {
  package struct Dated: Sendable {
    package let settings: MovieSettings
    /// To the millisecond, as in the sidecar.
    package let date: Date
    package var firstFrame = MonotonicTime(nanoseconds: 0)

    /// The date of a later frame, by its seconds behind the first.
    package func date(after seconds: Double) -> Date { DateText.rounded(date.addingTimeInterval(seconds)) }
  }

  private let settings: MovieSettings
  private let choice: TimecodeChoice?
  private let label: FilmLabel?
  private let isClip: Bool
  private let hasOwnClock: Bool
  private let clipBegin: (@Sendable () -> MonotonicTime)?
  private let dated = Mutex<Dated?>(nil)
  private let number = Atomic<Int64>(0)

  /// - Parameters:
  ///   - choice: the timecode that was asked for; `nil`: `now`, or the clip's own.
  ///   - label: takes precedence over `choice`.
  ///   - isClip: the source is a clip, whose date and timecode are in `settings`.
  ///   - hasOwnClock: the source is pulled: its times say nothing about the wall clock.
  ///   - clipBegin: when the clip's first frame was due, which has the timecode in `settings`; `nil` if the film begins
  ///     with it.
  package init(
    _ settings: MovieSettings, timecode choice: TimecodeChoice?, label: FilmLabel?, isClip: Bool, hasOwnClock: Bool,
    clipBegin: (@Sendable () -> MonotonicTime)? = nil
  ) {
    self.settings = settings
    self.choice = choice
    self.label = label
    self.isClip = isClip
    self.hasOwnClock = hasOwnClock
    self.clipBegin = clipBegin
  }

  /// - Throws: code `usage` for a timecode that does not exist.
  package func at(_ firstFrame: MonotonicTime) throws(CamrecError) -> Dated {
    try dated.withLock { (known) throws(CamrecError) in
      if let known { return known }
      let made = try make(firstFrame)
      known = made
      return made
    }
  }

  private func make(_ firstFrame: MonotonicTime) throws(CamrecError) -> Dated {
    let date = DateText.rounded(
      hasOwnClock ? Date() : Date(timeIntervalSinceNow: Double(firstFrame - MonotonicTime.now()) * 1e-9))
    var settings = settings
    if !isClip || choice == .now {
      settings.creationTime = isClip ? settings.creationTime : Int64(date.timeIntervalSince1970)
      settings.timecode = try (choice ?? .now).timecode(rate: settings.frameRate, date: date)
    }
    if choice == nil, let clipBegin {
      // The clip may run before its film begins: with a pre-roll, or to take over from another camera.
      let frames = Double(firstFrame - clipBegin()) * 1e-9 * settings.frameRate.framesPerSecond
      settings.timecode = settings.timecode?.advanced(
        by: Int(saturating: max(0, frames).rounded()), at: settings.frameRate)
    }
    if let label { settings.timecode = try label.timecode(of: firstFrame, at: settings.frameRate) }
    return Dated(settings: settings, date: date, firstFrame: firstFrame)
  }

  /// The number that the first frame was baked with, which its grain depends on.
  package var bakedFrame: Int64 { number.load(ordering: .acquiring) }

  package func begins(withFrame number: Int64) { self.number.store(number, ordering: .releasing) }

  /// The wall clock's seconds since midnight at an instant of the camera's clock. Exact from now on, until the clock is
  /// set.
  package func timeOfDay(at time: MonotonicTime, isUTC: Bool) -> Double {
    let date: Date
    if hasOwnClock {
      guard let dated = dated.withLock({ $0 }) else { return 0 }
      date = dated.date.addingTimeInterval(Double(time - dated.firstFrame) * 1e-9)
    } else {
      date = Date(timeIntervalSinceNow: Double(time - MonotonicTime.now()) * 1e-9)
    }
    return date.timeOfDay(isUTC: isUTC)
  }
}
