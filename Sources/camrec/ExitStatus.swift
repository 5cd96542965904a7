import Frames
import Recorder

/// How camrec ends. The numbers are part of the contract; from 64 on they follow BSD's `sysexits.h`.
enum ExitStatus: Int32, CaseIterable, Sendable {
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

  init(_ error: CamrecError) {
    switch error.code {
    case .usage: self = .usage
    case .input: self = .input
    case .device: self = .device
    case .output: self = .output
    case .interrupted: self = .interrupted
    case .defect: self = .defect
    }
  }

  /// A failure decides; without one, what was lost.
  ///
  /// - Parameter isCutOff: the source ended before the end that it promises.
  init(_ summary: SessionSummary, isCutOff: Bool) {
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

  /// Of several that were come to the one that matters most; success where there are none.
  static func gravest(of found: some Sequence<ExitStatus>) -> ExitStatus {
    let order: [ExitStatus] = [.interrupted, .defect, .output, .device, .usage, .input, .unfit, .odd, .lost]
    let found = Set(found)
    return order.first(where: found.contains) ?? .success
  }

  /// What it means, for help and the manual.
  var meaning: String {
    switch self {
    case .success: "nothing was lost"
    case .lost:
      "frames or sound were lost, a clip was cut off, or a film was deleted meanwhile and copied; the ledger or a"
        + " warning says why"
    case .odd: "camrec lut check found something odd, camrec exposure replay another decision, camrec recover --check an unfinished film, camrec verify something that some programs show otherwise, or camrec doctor a reason for care"
    case .unfit: "camrec doctor or camrec rig check found what a recording would fail by, camrec verify what a film does not play by, or camrec golden a case that differs from its golden or has none"
    case .usage: "bad arguments"
    case .input: "a LUT, clip, trace, sidecar, suite, golden or film cannot be read, or nothing of it recovered; or a clip of a suite is another"
    case .device: "a camera, microphone, GPU or running recorder is missing, busy, refused or failed"
    case .defect: "a defect of camrec or of a library below it"
    case .output:
      "the output cannot be created or written, is in use, was deleted meanwhile and is lost, or its disk gets full"
    case .interrupted: "a second interrupt gave up waiting, or the first one ended metering, bracketing or calibrating"
    }
  }
}
