/// What a file is that holds a recording or belongs to one, by how it begins. No report, plot, page or other small file
/// replaces one.
public enum RecordingKind: Hashable, Sendable {
  /// QuickTime's and MPEG-4's files, by their first box (ISO/IEC 14496-12, 4.2).
  case quickTime
  /// By the first element of an EBML file (RFC 8794, 11.2.1).
  case matroska
  /// Hashes of frames, by the first line of libavformat's framemd5 and its like.
  case hashes
  /// What is known of a film's frames, by the first member of its first line.
  case sidecar

  /// Bytes of a file's beginning that tell its kind.
  public static let headBytes = 24

  private static let boxes: Set<String> = [
    "ftyp", "moov", "mdat", "wide", "free", "skip", "moof", "pnot", "styp",
  ]
  private static let ebml: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]
  /// The first line of `hashes`.
  public static let hashesHeading = "#format: frame checksums"
  /// How every `sidecar` begins, whatever its version.
  public static let sidecarHeading = "{\"camrec-sidecar\":"

  /// - Parameter head: how the file begins, `headBytes` or more where it has as many.
  /// - Returns: `nil` for what is no recording.
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

  /// - Returns: `nil` for what is no recording, or cannot be read.
  public init?(path: String) {
    guard let file = try? InputFile(path: path),
      let head = try? file.bytes(at: 0, count: RecordingKind.headBytes)
    else { return nil }
    self.init(head)
  }

  /// Why such a file is not replaced by something else.
  public func refusal(of path: String) -> CamrecError {
    let name =
      switch self {
      case .quickTime, .matroska: "a film"
      case .hashes: "a hash recording"
      case .sidecar: "a film's sidecar"
      }
    return CamrecError(.output, "'\(path)' is \(name), and stays one; choose another name")
  }
}
