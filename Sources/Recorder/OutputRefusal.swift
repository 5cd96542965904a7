package import Frames
import Movies

/// Why an output takes nothing more, in a sentence about what was lost by that.
package struct OutputRefusal: Hashable, Sendable {
  package var cause: String
  /// `nil` where the cause says it.
  package var remedy: Sentence?
  /// Frames that the disk had cost before.
  var lostBefore = 0

  /// Nanoseconds. A disk that fills up is slow before it refuses: losses within this time before the refusal count as
  /// caused by it.
  package static let reach: Int64 = 1_000_000_000

  package init(cause: String, remedy: Sentence?) {
    self.cause = cause
    self.remedy = remedy
  }

  /// - Parameter fault: as far as the sink knows it.
  init(_ error: CamrecError, _ fault: OutputFault?, lostBefore: Int) {
    cause = fault?.words.cause ?? error.message
    remedy = fault?.words.remedy
    self.lostBefore = lostBefore
  }
}
