import Foundation

/// The system's own text for its error numbers, for the `cause` of a `CamrecError`. Any thread.
public enum SystemError {
  /// `No space left on device` for `ENOSPC`.
  public static func words(for number: Int32) -> String {
    // Newer C libraries declare that the pointer may be null.
    let text: UnsafeMutablePointer<CChar>? = unsafe strerror(number)
    return unsafe text.map { unsafe String(cString: $0) } ?? "error \(number)"
  }
}
