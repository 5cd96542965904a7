package import Frames

/// How a recorder ended, for whoever decides whether to start it again. Its exit status does not say: that is of the
/// first film that was not a success.
package struct RecorderEnd: Hashable, Sendable {
  /// That of the film with which the recorder ended. If it ended without one, `lost` if a film before had lost anything
  /// or had failed, else `success`.
  package let status: ExitStatus
  /// Somebody asked for the end: with a command, a key or a signal, or by ending the standard input.
  package let isAsked: Bool

  /// - Parameters:
  ///   - films: the exit status of all films.
  ///   - last: that of the film that was begun last, and when it was finished; `nil` if none was begun.
  ///   - asked: when somebody first asked for the end; `nil` if nobody has.
  ///   - lacksCopy: a film was deleted, and there is no copy of it.
  package init(
    films: ExitStatus, last: (status: ExitStatus, time: MonotonicTime)?, asked: MonotonicTime?, lacksCopy: Bool = false
  ) {
    isAsked = asked != nil
    let isByFilm = last.map { last in asked.map { last.time >= $0 } ?? true } ?? false
    let status = if isByFilm, let last { last.status } else { films == .success ? .success : ExitStatus.lost }
    self.status = lacksCopy ? .worst(of: [status, .output]) : status
  }
}
