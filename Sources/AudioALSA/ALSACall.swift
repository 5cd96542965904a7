import CALSA
package import Frames
import Glibc

/// The one place where a return code of the ALSA library is judged.
///
///     try ALSACall.check(snd_pcm_start(pcm), "snd_pcm_start")
enum ALSACall {
  /// - Returns: `code` where it is no failure (many functions count with it).
  @discardableResult @inline(__always)
  static func check<Code: FixedWidthInteger & SignedInteger>(
    _ code: Code, _ function: StaticString
  ) throws(ALSACallError) -> Code {
    if code < 0 { throw ALSACallError(function: function, number: Int32(truncatingIfNeeded: -code)) }
    return code
  }

  /// For functions that say "nothing now" by EAGAIN, or that a signal interrupted: 0 then.
  @inline(__always)
  static func count<Code: FixedWidthInteger & SignedInteger>(
    _ code: Code, _ function: StaticString
  ) throws(ALSACallError) -> Code {
    code == -Code(EAGAIN) || code == -Code(EINTR) ? 0 : try check(code, function)
  }

  /// For enumerations and optional features: false where there is no more, or not this one.
  static func offers(_ code: Int32) -> Bool { code >= 0 }
}

/// What a function of the ALSA library answered when it failed.
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

  /// No such device, or no sound system behind it.
  package var isAbsence: Bool {
    switch number {
    case ENOENT, ENODEV, ENXIO, ENOTTY, ECONNREFUSED: true
    default: false
    }
  }

  /// Audio was lost because nobody read it in time (EPIPE), or the machine slept (ESTRPIPE). The stream can go on.
  package var isOverrun: Bool { number == EPIPE || number == ESTRPIPE }

  /// The sentence for a person, with what to do.
  ///
  /// - Parameters:
  ///   - isOpen: the microphone was there when this happened.
  package func explained(microphone: String, isOpen: Bool) -> CamrecError {
    CamrecError(.device, sentence(microphone, isOpen), cause: cause)
  }

  private func sentence(_ microphone: String, _ isOpen: Bool) -> String {
    switch number {
    case _ where isAbsence && isOpen:
      return "microphone \(microphone) was unplugged"
    case _ where isAbsence:
      return "there is no microphone \(microphone); `camrec devices` lists those that there are, "
        + "--microphone none records silent film"
    case EBUSY, EAGAIN:
      return "microphone \(microphone) is in use by another program; close that one or choose another --microphone"
    case EACCES, EPERM:
      return "no permission for microphone \(microphone); add yourself to the group `audio` "
        + "(sudo usermod -aG audio $USER) and log in again"
    default:
      return "microphone \(microphone) failed at \(function); choose another --microphone"
    }
  }
}
