import CFFmpeg
import Glibc

/// What a function of FFmpeg's libraries answered when it failed.
struct LibavError: Error {
  /// The C function's name.
  let function: StaticString
  /// The negative code that it returned.
  let code: Int32

  /// The system's error number where that is what failed (`ENOSPC`, `EACCES`, …), else `nil`.
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

/// The one place where a return code of FFmpeg's libraries is judged.
///
///     try LibavCall.check(avcodec_open2(context, codec, nil), "avcodec_open2")
enum LibavCall {
  /// - Returns: `code` where it is no failure (many functions count with it).
  @discardableResult
  static func check(_ code: Int32, _ function: StaticString) throws(LibavError) -> Int32 {
    if code < 0 { throw LibavError(function: function, code: code) }
    return code
  }

  /// For functions that say "no output yet" or "that was the last" by an error code.
  static func outcome(_ code: Int32, _ function: StaticString) throws(LibavError) -> LibavOutcome {
    if code == CFFmpeg_errorAgain { return .again }
    if code == CFFmpeg_errorEnd { return .end }
    try check(code, function)
    return .done
  }

  /// For functions that return a new object, and nothing when memory is short.
  static func unwrap<Object>(
    _ object: UnsafeMutablePointer<Object>?, _ function: StaticString
  ) throws(LibavError) -> UnsafeMutablePointer<Object> {
    guard let object else { throw LibavError(function: function, code: CFFmpeg_error(ENOMEM)) }
    return object
  }
}

/// What a function that hands out results one by one said.
enum LibavOutcome {
  /// A result was handed out, or what was given was taken.
  case done
  /// More input is needed first, or output has to be taken first.
  case again
  /// There is nothing more.
  case end
}
