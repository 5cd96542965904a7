public import Frames
import Glibc

/// A call that the system refused.
public struct SystemCallError: Error, Sendable {
  /// The call's name: `open`.
  public let call: StaticString
  /// As `errno`.
  public let number: Int32

  public init(_ call: StaticString, _ number: Int32) {
    self.call = call
    self.number = number
  }

  /// The system's own text, for the `cause` of a `CamrecError`.
  public var words: String { SystemError.words(for: number) }

  /// This user may not do that.
  public var isForbidden: Bool { number == EACCES || number == EPERM }
}

/// The one place that reads `errno` after a call about files and folders. Any thread.
public enum SystemCall {
  /// Makes a call, and repeats it if a signal interrupts it.
  ///
  /// - Parameter call: returns −1 on failure.
  @discardableResult
  public static func perform<Result: SignedInteger>(
    _ name: StaticString, _ call: () -> Result
  ) throws(SystemCallError) -> Result {
    while true {
      let result = call()
      if result != -1 { return result }
      let number = errno
      if number != EINTR { throw SystemCallError(name, number) }
    }
  }

  /// The same, for a failure that reaches people.
  ///
  /// - Parameters:
  ///   - code, message: those of the error; its cause is the system's own text.
  @discardableResult
  public static func perform<Result: SignedInteger>(
    _ name: StaticString, or code: CamrecError.Code, _ message: @autoclosure () -> String, _ call: () -> Result
  ) throws(CamrecError) -> Result {
    do throws(SystemCallError) {
      return try perform(name, call)
    } catch {
      throw CamrecError(code, message(), cause: error.words)
    }
  }

  /// Removes a file's name; the file goes with its last one.
  package static func unlink(_ path: String) throws(SystemCallError) { try perform("unlink") { Glibc.unlink(path) } }

  /// The same, for a failure that reaches people.
  package static func unlink(
    _ path: String, or code: CamrecError.Code, _ message: @autoclosure () -> String
  ) throws(CamrecError) {
    do throws(SystemCallError) { try unlink(path) } catch { throw CamrecError(code, message(), cause: error.words) }
  }
}
