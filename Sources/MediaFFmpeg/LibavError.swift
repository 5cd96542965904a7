import CFFmpeg
import Glibc

/// An error that a function of FFmpeg's libraries returned.
struct LibavError: Error {
  /// The C function's name.
  let function: StaticString
  /// The negative code that it returned.
  let code: Int32

  /// The system's error number if the system failed (`ENOSPC`, `EACCES`, …), otherwise `nil`.
  var systemError: Int32? {
    let number = CFFmpeg_errno(code)
    return number == 0 ? nil : number
  }

  /// The library's own words: `avcodec_open2: Invalid argument`.
  var cause: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(AV_ERROR_MAX_STRING_SIZE)) { buffer in
      buffer.initialize(repeating: 0)
      av_strerror(code, buffer.baseAddress, buffer.count)
      return "\(function): \(String(cString: buffer.baseAddress!))"
    }
  }
}

/// The one place that judges the return codes of FFmpeg's libraries.
///
///     try LibavCall.check(avcodec_open2(context, codec, nil), "avcodec_open2")
enum LibavCall {
  /// - Returns: `code` if it is not a failure (many functions return a count).
  @discardableResult
  static func check(_ code: Int32, _ function: StaticString) throws(LibavError) -> Int32 {
    if code < 0 { throw LibavError(function: function, code: code) }
    return code
  }

  /// For functions that report "no output yet" or "that was the last" with an error code.
  static func outcome(_ code: Int32, _ function: StaticString) throws(LibavError) -> LibavOutcome {
    if code == CFFmpeg_errorAgain { return .again }
    if code == CFFmpeg_errorEnd { return .end }
    try check(code, function)
    return .done
  }

  /// For functions that return a new object, or nothing when memory is short.
  static func unwrap<Object>(
    _ object: UnsafeMutablePointer<Object>?, _ function: StaticString
  ) throws(LibavError) -> UnsafeMutablePointer<Object> {
    guard let object else { throw LibavError(function: function, code: CFFmpeg_error(ENOMEM)) }
    return object
  }
}

/// The outcome of a function that delivers results one by one.
enum LibavOutcome {
  /// A result was delivered, or the input was taken.
  case done
  /// More input is needed first, or output has to be taken first.
  case again
  /// There is nothing more.
  case end
}
