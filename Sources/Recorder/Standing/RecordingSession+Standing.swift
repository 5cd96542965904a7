import Foundation
public import Frames
import Movies
public import RecorderAPI

extension RecordingSession {
  /// The camera runs, but there is no film yet. Any thread.
  public var isStanding: Bool { standing.isStanding }

  /// The pre-roll that a film would have if it began now; `nil` if none is kept.
  public var preRoll: PreRollStatus? { isStanding ? parts.standing?.roll.status : nil }

  /// Begins the film of a session in standby, including the time before this call. Returns when the film's file exists;
  /// the film begins with the next frame or sound that is written. Any thread, once.
  ///
  /// - Returns: the film's path.
  /// - Throws: the errors of opening films; the session then stays in standby.
  @discardableResult public func beginFilm() throws(CamrecError) -> String {
    guard let plan = parts.standing, isStanding else { throw CamrecError(.defect, "the film has begun already") }
    standing.ask(from: state.lastSeconds - plan.seconds.doubleValue)
    do throws(CamrecError) {
      let film = try plan.prepare()
      standing.arm(film)
      return film.path
    } catch {
      standing.withdraw()
      throw error
    }
  }

  /// Where the film begins in the recording.
  var start: FilmStart {
    standing.start ?? FilmStart(time: clock.reading?.origin ?? MonotonicTime(nanoseconds: 0))
  }

  /// When the film's first frame was captured; `nil` before that, or if unknown. Any thread.
  var startDate: Date? {
    // In standby that would be the date of the pre-roll's first frame, for good.
    guard clock.reading != nil, !isStanding else { return nil }
    return parts.date?(start.time, 0)
  }

  /// Length of the film so far, in seconds: up to the end of the last captured frame.
  var filmSeconds: Double { filmSeconds(at: state.lastEnd) }

  /// The time in the film of a place in the recording, both in seconds.
  func filmSeconds(at seconds: Double) -> Double {
    max(0, seconds - Double(standing.start?.ticks ?? 0) * timeBase.doubleValue)
  }
}
