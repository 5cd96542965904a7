import CFFmpeg
import Foundation
import Frames
import MovieBoxes
package import Movies

extension MovieSettings {
  /// The path that messages name.
  var shownPath: String { PartialFilmName.shown(path) }

  /// Whether a film that a failure ends is kept as far as it plays.
  var keepsPart: Bool { isLive || staysPlayable }

  /// A .mov in fragments while it is written; any other file is written as it stays.
  var isFragmented: Bool { container == .mov && (keepsPart || chapters > 0) }

  /// Seconds of a fragment or cluster, at most. A power cut costs no more; what can be baked again has no such limit.
  package var longestFragment: Double {
    isLive || container == .mkv ? LossBudget(lossLimit).fragment : LossBudget.longestFragment
  }

  /// The timecode that a track can hold; a `tmcd` track counts at most 255 frames a second.
  var storedTimecode: Timecode? { frameRate.timecodeBase > 255 ? nil : timecode }

  /// Ticks that an indexed .mov may last: libavformat holds a timecode track's one sample in 31 bits, and ends the
  /// process beyond.
  var longestIndexed: Int64 {
    container == .mov && storedTimecode != nil ? Int64(Int32.max) : .max
  }

  /// `longestIndexed` for people.
  var hoursIndexed: String { String(format: "%.1f h", Double(longestIndexed) * timeBase.doubleValue / 3600) }

  /// Warnings about settings that the file cannot store.
  var unstoredWarnings: [String] {
    var warnings: [String] = []
    if timecode != nil, storedTimecode == nil {
      warnings.append(
        "at \(frameRate) fps '\(shownPath)' has no timecode: a timecode track counts at most 255 frames a second")
    }
    if container == .mkv, rotation != .none, CFFmpeg_matroskaRotates() == 0 {
      warnings.append("'\(shownPath)' does not store its rotation: this FFmpeg can write it only to .mov")
    }
    if let warning = warning(ofChapters: chapters) { warnings.append(warning) }
    return warnings
  }

  /// What is said of so many chapters if the file has no room for all of them.
  func warning(ofChapters count: Int) -> String? {
    guard container == .mov, count > MovieChapter.most else { return nil }
    return "'\(shownPath)' keeps the first \(MovieChapter.most) of \(count) chapters: a .mov has no room for more"
  }

  /// - Throws: code `usage`: the time base does not fit into a file's 32-bit fields.
  func checkTimes() throws(CamrecError) {
    let limit = Int64(Int32.max)
    let rate = frameRate.rational
    guard timeBase.numerator > 0,
      max(timeBase.numerator, timeBase.denominator, rate.numerator, rate.denominator) <= limit
    else {
      throw CamrecError(
        .usage,
        "a frame rate of \(frameRate) with times in \(timeBase) s is too fine for a file; "
          + "the limit is 1/\(limit) s")
    }
  }
}
