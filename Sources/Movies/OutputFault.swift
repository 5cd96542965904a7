public import Frames

/// Why a film's file takes nothing more, and what that leaves of the film.
public struct OutputFault: Hashable, Sendable {
  public enum Reason: Hashable, Sendable {
    case full, quota
    /// The system lets no file become larger.
    case fileSize
    /// What the disk had taken may be lost.
    case unconfirmed
    /// A write was refused for another reason.
    case refused
  }

  /// What becomes of the film.
  public enum Rest: Hashable, Sendable {
    /// It plays, and `camrec recover` or a rig makes an ordinary film of it.
    case fragments
    /// It plays, and needs nothing done.
    case film
    /// Nothing of it plays, so it is not kept.
    case nothing
    /// It is not kept, because only a complete one would be.
    case unfinished
  }

  public var reason: Reason
  public var rest: Rest
  /// The film, as it is called now.
  public var path: String
  /// What the film contains.
  public var frames: Int64
  public var bytes: Int64
  /// What the system said.
  public var cause: String
  /// A recording's; a bake cannot be divided into segments.
  public var isLive: Bool
  /// As `MovieSettings.isOfRig`.
  public var isOfRig: Bool

  public init(
    _ reason: Reason, _ rest: Rest, path: String, frames: Int64, bytes: Int64, cause: String, isLive: Bool = true,
    isOfRig: Bool = false
  ) {
    self.reason = reason
    self.rest = rest
    self.path = path
    self.frames = frames
    self.bytes = bytes
    self.cause = cause
    self.isLive = isLive
    self.isOfRig = isOfRig
  }

  /// Why a frame was lost, and what to do about it.
  public var words: (cause: String, remedy: Sentence) {
    switch reason {
    case .full: ("the disk is full", "make room")
    case .quota: ("the disk quota is used up", "make room")
    case .fileSize:
      (
        "the file has reached the system's limit for file sizes",
        isLive ? "divide the recording with \(setting: .segment)" : "raise the file size limit"
      )
    case .unconfirmed: ("the disk does not confirm what was written", "check the disk")
    case .refused: ("the film cannot be written any longer", "check the disk")
    }
  }

  private var what: String {
    let path = PartialFilmName.shown(path)
    return switch reason {
    case .full: "the disk of '\(path)' is full"
    case .quota: "the disk quota for '\(path)' is used up"
    case .fileSize: "'\(path)' has reached the system's limit for file sizes"
    case .unconfirmed: "the disk of '\(path)' does not confirm what was written"
    case .refused: "cannot continue writing '\(path)'"
    }
  }

  /// The system's limit was reached, which says it all.
  private var isLimit: Bool { [.full, .quota, .fileSize].contains(reason) }

  /// Why the film ended early, for its sidecar. Without its losses, which the account has, and without a remedy: the
  /// sentence stays when that is done.
  public var ending: String { isLimit ? what : "\(what) (\(cause))" }

  /// Code `output`: what is wrong, how many frames that has cost, what plays, and what to do.
  ///
  /// - Parameter lost: frames that are missing from the film; 0 if unknown.
  public func error(lost: Int = 0) -> CamrecError {
    let losses = lost > 0 ? ": \(lost) frame\(lost == 1 ? " was" : "s were") lost" : ""
    // A command to copy comes last, without a cause behind it.
    let isCommand = rest == .fragments && isLimit
    return CamrecError(
      .output, about: reason == .fileSize && isLive ? .segment : nil, "\(what)\(losses). \(sentence: outcome)",
      cause: isCommand ? nil : cause, reason: [.full, .quota].contains(reason) ? .noRoom : nil)
  }

  /// Recovering makes the film a little larger.
  private var preparation: Sentence { reason == .fileSize ? "raise the file size limit" : words.remedy }

  private var outcome: Sentence {
    let size = "\(frames) frame\(frames == 1 ? "" : "s") (\(ByteCount(bytes)))"
    return switch rest {
    case .nothing: "No part of the film plays, so it is not kept; \(sentence: words.remedy)"
    case .unfinished: "The unfinished film was not kept; \(sentence: words.remedy)"
    case .film: "The film plays, with \(size); \(sentence: words.remedy)"
    case .fragments where isOfRig:
      // At once if the disk lets it; the sentence stays when that is done.
      "The film plays, with \(size), and the rig recovers it as soon as it can; \(sentence: preparation)"
    case .fragments:
      "The film plays, with \(size); \(sentence: OutputFault.recovery(behind: preparation, of: path))"
    }
  }

  /// How a film in fragments becomes an ordinary one.
  ///
  /// - Parameter preparation: what comes first.
  public static func recovery(behind preparation: Sentence, of path: String) -> Sentence {
    "\(sentence: preparation), then run camrec recover \(ShellWord.of(PartialFilmName.shown(path)))"
  }
}
