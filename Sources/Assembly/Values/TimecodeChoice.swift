import Cameras
package import Foundation
package import Frames
package import Movies

/// The first frame's timecode, as `--timecode` gives it.
package enum TimecodeChoice: Hashable, Sendable {
  /// The local time of day at the first frame.
  case now
  /// A timecode, to be read at the recording's frame rate.
  case label(String)

  package init(parsing text: String) { self = text == "now" ? .now : .label(text) }

  /// Checks that it exists at one common rate at least.
  ///
  /// - Throws: code `usage`.
  package func check() throws(CamrecError) {
    var refusal: CamrecError?
    for text in ["1000", "60000/1001", "30000/1001"] {
      do throws(CamrecError) {
        _ = try timecode(rate: try FrameRate(argument: text), date: Date())
        return
      } catch { refusal = error }
    }
    if let refusal { throw refusal }
  }

  /// The timecode of a first frame that is taken at `date`.
  ///
  /// - Throws: code `usage` for a timecode that does not exist at `rate`.
  package func timecode(rate: FrameRate, date: Date) throws(CamrecError) -> Timecode {
    switch self {
    case .label(let text):
      return try Timecode(parsing: text, rate: rate)
    case .now:
      return Timecode(timeOfDay: date.timeOfDay(), rate: rate)
    }
  }
}
