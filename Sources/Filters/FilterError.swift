import CFilters
import Frames

/// An error of FFmpeg's filters.
struct FilterError: Error {
  let code: Int32

  /// - Parameter code: the result of a call; negative if it failed.
  static func check(_ code: Int32) throws(FilterError) { if code < 0 { throw FilterError(code: code) } }

  /// - Parameter purpose: what should be measured.
  func told(_ purpose: String) -> CamrecError {
    let words = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text in
      text.initialize(repeating: 0)
      cfl_describe(code, text.baseAddress, text.count)
      return text.baseAddress.map { String(cString: $0) } ?? ""
    }
    guard Int(code) == CFL_NO_LIBRARY else {
      return CamrecError(.defect, "\(purpose) cannot be measured", cause: words)
    }
    return CamrecError(
      .usage, "\(purpose) is measured by FFmpeg's filters, which are not installed; install ffmpeg", cause: words)
  }
}
