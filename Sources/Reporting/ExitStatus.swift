package import Frames
package import Recorder

/// How camrec ends. The numbers are part of the contract; from 64 on they follow BSD's `sysexits.h`.
package enum ExitStatus: Int32, CaseIterable, Sendable {
  case success = 0
  case lost = 3
  case odd = 4
  case unfit = 5
  case usage = 64
  case input = 65
  case device = 69
  case defect = 70
  case output = 74
  case interrupted = 130

  package init(_ error: CamrecError) {
    switch error.code {
    case .usage: self = .usage
    case .input: self = .input
    case .device: self = .device
    case .output: self = .output
    case .overload: self = .lost
    case .interrupted: self = .interrupted
    case .defect: self = .defect
    }
  }

  /// A failure decides the status; without one, losses do.
  ///
  /// - Parameter isCutOff: the source ended before its declared end.
  package init(_ summary: SessionSummary, isCutOff: Bool) {
    if let failure = summary.failure {
      self.init(failure)
    } else if !summary.held.isEmpty {
      self = .output
    } else {
      let lost =
        isCutOff || summary.rescued > 0 || summary.counts.totalLost > 0 || (summary.sound?.lostFrames ?? 0) > 0
        || summary.soundFailure != nil
      self = lost ? .lost : .success
    }
  }

  /// The worst of several statuses; success if there are none.
  package static func worst(of found: some Sequence<ExitStatus>) -> ExitStatus {
    let order: [ExitStatus] = [.interrupted, .defect, .output, .device, .usage, .input, .unfit, .odd, .lost]
    let found = Set(found)
    return order.first(where: found.contains) ?? .success
  }

  /// Takes the status of one more thing into account: the worst of all counts.
  package mutating func add(_ status: ExitStatus) { self = .worst(of: [self, status]) }

  /// Its meaning in one line, for the manual page and the README's table; a test compares them. `ExitStatusParagraphs`
  /// adds details for single commands.
  package var meaning: String {
    switch self {
    case .success: "nothing was lost"
    case .lost: "frames or audio were lost, or a clip was cut off"
    case .odd: "a check has warnings, a recovery finds an unfinished film, or a replay differs"
    case .unfit:
      "a check failed, or clips differ: in the number or order of their frames, or by more than a limit allows"
    case .usage: "bad arguments, or an error in a rig file or a suite"
    case .input: "a file cannot be read, or is not the expected one"
    case .device: "a camera, microphone, GPU or recorder is missing or has failed"
    case .defect: "a defect of camrec or of a library"
    case .output:
      "the output cannot be written; a film is in use, or was deleted during recording and could not be saved"
    case .interrupted: "interrupted: a recording by a second Ctrl-C, a bake or other work by the first"
    }
  }
}
