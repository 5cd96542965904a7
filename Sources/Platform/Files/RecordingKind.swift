public import Frames

/// The kind of a recording's file or sidecar, recognised by its first bytes. No report, plot, page or other small file
/// may replace one.
public enum RecordingKind: Hashable, Sendable {
  /// A QuickTime or MPEG-4 file, recognised by its first box (ISO/IEC 14496-12, 4.2).
  case quickTime
  /// Recognised by the first element of an EBML file (RFC 8794, 11.2.1).
  case matroska
  /// A hash recording, recognised by the first line of libavformat's framemd5 and similar formats.
  case hashes
  /// A film's sidecar, recognised by the first member of its first line.
  case sidecar

  /// The number of bytes at a file's start that tell its kind.
  public static let headBytes = 24

  private static let boxes: Set<String> = [
    "ftyp", "moov", "mdat", "wide", "free", "skip", "moof", "pnot", "styp",
  ]
  private static let ebml: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]
  /// The first line of `hashes`.
  public static let hashesHeading = "#format: frame checksums"
  /// The beginning of every `sidecar`, whatever its version.
  public static let sidecarHeading = "{\"camrec-sidecar\":"

  /// - Parameter head: the file's first bytes: `headBytes` or more, or all that it has.
  /// - Returns: `nil` if it is not a recording.
  public init?(_ head: [UInt8]) {
    if head.starts(with: RecordingKind.ebml) {
      self = .matroska
    } else if head.starts(with: RecordingKind.hashesHeading.utf8) {
      self = .hashes
    } else if head.starts(with: RecordingKind.sidecarHeading.utf8) {
      self = .sidecar
    } else if head.count >= 8, RecordingKind.boxes.contains(String(decoding: head[4..<8], as: UTF8.self)) {
      self = .quickTime
    } else {
      return nil
    }
  }

  /// - Returns: `nil` if it is not a recording, or cannot be read.
  public init?(path: String) {
    guard let file = try? InputFile(path: path),
      let head = try? file.bytes(at: 0, count: RecordingKind.headBytes)
    else { return nil }
    self.init(head)
  }

  /// The error that refuses to replace such a file.
  public func refusal(of path: String) -> CamrecError {
    let name =
      switch self {
      case .quickTime, .matroska: "a film"
      case .hashes: "a hash recording"
      case .sidecar: "a film's sidecar"
      }
    return CamrecError(.output, "'\(path)' is \(name), and is not overwritten; choose another name")
  }
}
