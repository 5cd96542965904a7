package import Frames
package import Recorder
package import RecorderAPI

/// Reports a recording's progress to people or to a program.
package protocol Reporter: SessionObserver {
  /// Everything is set up. Called once, before the session runs.
  func prepared(_ description: RecordingDescription)
  /// Gives the absolute paths of the control socket and of the monitor socket, or `nil` while there is none. Called
  /// once at most, before anything else.
  func isReached(at socket: @escaping () -> String?, monitor: @escaping () -> String?)
  /// The recorder stands by: it records nothing until it is told to start.
  func standsBy()
  /// Standby keeps this pre-roll for the next film.
  func keeps(_ preRoll: PreRollDescription)
  /// There will be no recording.
  func refused(_ error: CamrecError)
  /// The recording has ended; `status` is what camrec would exit with if this were the only film.
  func stopped(_ summary: SessionSummary, status: ExitStatus)
}

extension Reporter {
  /// For reporters that say nothing about it.
  package func isReached(at socket: @escaping () -> String?, monitor: @escaping () -> String?) {}
  package func standsBy() {}
  package func keeps(_ preRoll: PreRollDescription) {}
}
