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
    /// It plays, and `camrec recover` makes an ordinary film of it.
    case fragments
    /// It plays, and nothing is to be done for it.
    case film
    /// It has no index and is not kept.
    case nothing
  }

  public var reason: Reason
  public var rest: Rest
  /// The film, as it is called now.
  public var path: String
  /// What is in the film.
  public var frames: Int64
  public var bytes: Int64
  /// What the system said.
  public var cause: String

  public init(
    _ reason: Reason, _ rest: Rest, path: String, frames: Int64, bytes: Int64, cause: String
  ) {
    self.reason = reason
    self.rest = rest
    self.path = path
    self.frames = frames
    self.bytes = bytes
    self.cause = cause
  }

  /// Why a frame was lost, and what to do about it.
  public var words: (cause: String, remedy: String) {
    switch reason {
    case .full: ("the disk is full", "make room")
    case .quota: ("the disk quota is used up", "make room")
    case .fileSize: ("the file is as large as the system lets it become", "divide the recording with --segment")
    case .unconfirmed: ("the disk does not confirm what it was given", "check the disk")
    case .refused: ("the film's file cannot be written any further", "check the disk")
    }
  }

  /// Code `output`: what is wrong, how many frames that has cost, what plays, and what to do.
  ///
  /// - Parameter lost: frames that were to be in the film; 0 where it is not known.
  public func error(lost: Int = 0) -> CamrecError {
    let path = PartialFilmName.shown(path)
    let what =
      switch reason {
      case .full: "the disk of '\(path)' is full"
      case .quota: "the disk quota for '\(path)' is used up"
      case .fileSize: "'\(path)' is as large as the system lets a file become"
      case .unconfirmed: "the disk of '\(path)' does not confirm what it was given"
      case .refused: "'\(path)' cannot be written any further"
      }
    let losses = lost > 0 ? ": \(lost) frame\(lost == 1 ? " was" : "s were") lost" : ""
    // A command to be copied stands at the end; that a disk is full says all.
    let isCommand = rest == .fragments && [.full, .quota, .fileSize].contains(reason)
    return CamrecError(.output, "\(what)\(losses). \(outcome)", cause: isCommand ? nil : cause)
  }

  /// Recovering makes the film a little larger.
  private var preparation: String { reason == .fileSize ? "let files become larger" : words.remedy }

  private var outcome: String {
    let size = "\(frames) frame\(frames == 1 ? "" : "s") (\(ByteCount(bytes)))"
    return switch rest {
    case .nothing: "Nothing of the film plays, and it is not kept; \(words.remedy)"
    case .film: "The recording plays, with \(size); \(words.remedy)"
    case .fragments: "The recording plays, with \(size); \(preparation), then: camrec recover \(ShellWord.of(path))"
    }
  }
}
