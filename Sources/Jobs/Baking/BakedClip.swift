package import Frames
import Platform
import Recorder
package import Reporting

/// The outcome of one clip of a list.
package struct BakedClip: Codable, Hashable, Sendable {
  /// The exit status of its process.
  package let status: Int32
  /// Number of frames in the film, and its length in seconds.
  package var frames: Int64?
  package var length: Double?
  /// Number of lost frames.
  package var lost: Int?
  /// Number of frames that the clip's recording had lost before; `nil`: none, or nobody knows.
  package var lostBefore: Int?
  /// There may be more, in parts of the clip's sidecar that cannot be read.
  package var isLostBeforeAtLeast: Bool?
  /// Length of the clip's gaps in all, in frames, if nothing of its sidecar enters the film; `nil`: it has none, or
  /// nobody knows.
  package var missing: Int?
  /// Why there is no film, or what is wrong with it.
  package var error: String?
  /// Number of frames that were baked into a film that was not kept, because its bake stopped or failed.
  package var discarded: Int?
  /// The film that `--keep-partial` has kept although its bake stopped or failed.
  package var partial: Partial?
  /// The colours that it was taken for, and whether they are a guess; `nil` before the first frame, and if an older
  /// version baked it.
  package var colorIn: String?
  package var isColorInGuessed: Bool?
  /// Its warnings.
  package var warnings: [String] = []
  /// Time taken.
  package let seconds: Double
  /// The finished film; `nil` if there is none.
  package var film: FileState?
  /// It was made by an earlier run.
  package var wasThere = false

  private enum CodingKeys: CodingKey {
    case status, frames, length, lost, lostBefore, isLostBeforeAtLeast, missing, error, discarded, partial, colorIn
    case isColorInGuessed, warnings, seconds, film
  }

  package struct Partial: Codable, Hashable, Sendable {
    /// Where it is.
    package let path: String
    /// Frames that the complete film would have, if known.
    package let planned: Int?
    /// As the bake has left it; it may have been recovered since.
    var content: FileBeginning?
  }

  package init(status: Int32, seconds: Double) { (self.status, self.seconds) = (status, seconds) }

  package init(_ error: CamrecError, seconds: Double) {
    self.init(status: ExitStatus(error).rawValue, seconds: seconds)
    self.error = error.description
  }

  /// Takes what a remark of its bake says of the clip.
  ///
  /// - Parameter facts: the remark's.
  package mutating func note(_ facts: [String: String]) {
    if let lost = facts[SessionRemark.lostBefore].flatMap({ Int($0) }) { lostBefore = lost }
    if let frames = facts[SessionRemark.missing].flatMap({ Int($0) }) { missing = frames }
    if facts[SessionRemark.isAtLeast] != nil { isLostBeforeAtLeast = true }
  }

  /// The outcome of a clip whose bake was stopped before its end, which left no film.
  package static func stopped(_ outcome: BakedClip) -> BakedClip {
    var stopped = BakedClip(CamrecError(.interrupted, BakedClip.stopReason), seconds: outcome.seconds)
    stopped.discarded = outcome.discarded
    return stopped
  }

  static let stopReason = "it was stopped before its end"

  package var exit: ExitStatus { ExitStatus(rawValue: status) ?? .defect }
  /// Whether there is a film.
  package var isFilm: Bool { exit == .success || exit == .lost }
  /// Whether its film lacks frames of the clip.
  package var hasLostFrames: Bool { isFilm && (lost ?? 0) > 0 }

  /// For a person: `2/3  baked  b.mov: 132 frames, 5.5 s`.
  package func line(_ number: Int, of count: Int, _ item: ClipList.Item) -> String {
    let counter = String(repeating: " ", count: "\(count)".count - "\(number)".count) + "\(number)/\(count)"
    // What else was lost has a warning: the list's totals count the same.
    let verdict =
      wasThere
      ? "there" : hasLostFrames ? "lost " : isFilm ? "baked" : exit == .interrupted ? "stopped" : "error"
    let name = isFilm ? PathText(item.film).name : item.clip
    // Some reasons begin with the clip's path.
    let isNamed = words.hasPrefix("\(name) ")
    let line = "\(counter)  \(verdict)  \(isNamed ? "" : "\(name): ")\(words)"
    return ([line] + warnings.map { "    Warning: \($0)" }).map(VisibleText.line).joined(separator: "\n")
  }

  private var words: String {
    guard isFilm, let frames, let length else {
      let reason = error ?? "it ended with status \(status)"
      guard let discarded, discarded > 0 else { return reason }
      return "\(reason). \(HumanText.count(discarded, "frame")) \(discarded == 1 ? "was" : "were") discarded"
    }
    var losses = hasLostFrames ? ", \(HumanText.count(lost ?? 0, "frame")) lost" : ""
    if let lostBefore {
      let least = isLostBeforeAtLeast == true ? "at least " : ""
      losses += ", \(least)\(HumanText.count(lostBefore, "frame")) lost before the bake"
    } else if isLostBeforeAtLeast == true {
      losses += ", frames may have been lost before the bake"
    }
    if let missing { losses += ", \(HumanText.count(missing, "frame")) missing from the clip" }
    let guess = isColorInGuessed == true ? colorIn.map { ", taken for \($0) (a guess)" } : nil
    return "\(HumanText.count(frames, "frame")), \(HumanText.fixed(length, 1)) s\(losses)\(guess ?? "")"
      + (error.map { "; \($0)" } ?? "")
  }
}
