import CALSA
package import Frames
import Glibc

/// The one place where return codes of the ALSA library are checked.
///
///     try ALSACall.check(snd_pcm_start(pcm), "snd_pcm_start")
enum ALSACall {
  /// - Returns: `code` if it is not a failure (for many functions it is a count).
  @discardableResult @inline(__always)
  static func check<Code: FixedWidthInteger & SignedInteger>(
    _ code: Code, _ function: StaticString
  ) throws(ALSACallError) -> Code {
    if code < 0 { throw ALSACallError(function: function, number: Int32(truncatingIfNeeded: -code)) }
    return code
  }

  /// For functions that say "nothing now" with EAGAIN, or that a signal may interrupt: returns 0 then.
  @inline(__always)
  static func count<Code: FixedWidthInteger & SignedInteger>(
    _ code: Code, _ function: StaticString
  ) throws(ALSACallError) -> Code {
    code == -Code(EAGAIN) || code == -Code(EINTR) ? 0 : try check(code, function)
  }

  /// For enumerations and optional features: false if there are no more entries, or the feature is missing.
  static func offers(_ code: Int32) -> Bool { code >= 0 }
}

/// A failed call of the ALSA library, with its error number.
package struct ALSACallError: Error {
  /// The C function's name.
  package let function: StaticString
  /// The error number: `ENODEV`.
  package let number: Int32

  package init(function: StaticString, number: Int32) {
    self.function = function
    self.number = number
  }

  /// `snd_pcm_open: No such device`.
  package var cause: String { "\(function): \(String(cString: snd_strerror(-number)))" }

  /// There is no such device, or no sound system.
  package var isAbsence: Bool {
    switch number {
    case ENOENT, ENODEV, ENXIO, ENOTTY, ECONNREFUSED: true
    default: false
    }
  }

  /// Audio was lost because it was not read in time (EPIPE), or the machine slept (ESTRPIPE). The stream can continue.
  package var isOverrun: Bool { number == EPIPE || number == ESTRPIPE }

  /// The message for people, with what to do.
  ///
  /// - Parameters:
  ///   - isOpen: whether the microphone was open when this happened.
  package func explained(microphone: String, isOpen: Bool) -> CamrecError {
    CamrecError(.device, about: .microphone, sentence(microphone, isOpen), cause: cause, reason: reason(isOpen))
  }

  private func reason(_ isOpen: Bool) -> RefusalReason? {
    switch number {
    case _ where isAbsence: isOpen ? .unplugged : .noDevice
    case EBUSY, EAGAIN: .inUse
    default: nil
    }
  }

  private func sentence(_ microphone: String, _ isOpen: Bool) -> Sentence {
    switch number {
    case _ where isAbsence && isOpen:
      return "microphone \(microphone) was unplugged"
    case _ where isAbsence:
      return "there is no microphone \(microphone); `camrec devices` lists the microphones, "
        + "and \(setting: .microphone) none records without audio"
    case EBUSY, EAGAIN:
      return "microphone \(microphone) is in use by another program; close that one or choose another "
        + "\(setting: .microphone)"
    case EACCES, EPERM:
      return "no permission for microphone \(microphone); add yourself to the group `audio` "
        + "(sudo usermod -aG audio $USER) and log in again"
    default:
      return "microphone \(microphone) failed at \(function); choose another \(setting: .microphone)"
    }
  }
}
