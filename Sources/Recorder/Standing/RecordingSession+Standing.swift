public import Frames
public import Movies

extension RecordingSession {
  /// The camera runs, and there is no film yet. Any thread.
  public var isStanding: Bool { standing.isStanding }

  /// What a film that begins now would have of what was before; `nil` where nothing is kept.
  public var preRoll: PreRollStatus? { isStanding ? parts.standing?.roll.status : nil }

  /// Begins the film of a session that stands by, with the pictures of the time before this call. Returns when its file
  /// is there; the film begins with the next frame or sound that is written. Any thread, once.
  ///
  /// - Returns: the film's path.
  /// - Throws: as the opening of films does; the session goes on standing by.
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

  /// Movie time of the last frame that was captured, in seconds of the film.
  var filmSeconds: Double {
    max(0, state.lastSeconds - Double(standing.start?.ticks ?? 0) * timeBase.doubleValue)
  }
}
