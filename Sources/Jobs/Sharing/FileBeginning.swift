import Digest
import Platform

/// Tells a file again behind whose content something was appended, as `camrec recover` does: its size before, and a
/// hash of the last bytes up to there.
struct FileBeginning: Hashable, Codable, Sendable {
  private let bytes: Int64
  private let digest: String

  private static let hashed: Int64 = 1 << 16
  /// A recovery changes the header.
  private static let header: Int64 = 1 << 12

  /// Of all that the file has now; `nil` if it cannot be read or has nothing behind its header.
  init?(_ path: String) {
    guard let file = try? InputFile(path: path), let digest = FileBeginning.digest(file, to: file.size) else {
      return nil
    }
    (bytes, self.digest) = (file.size, digest)
  }

  func isKept(in path: String) -> Bool {
    guard let file = try? InputFile(path: path), file.size >= bytes else { return false }
    return FileBeginning.digest(file, to: bytes) == digest
  }

  private static func digest(_ file: borrowing InputFile, to end: Int64) -> String? {
    let start = max(header, end - hashed)
    guard start < end, let bytes = try? file.bytes(at: UInt64(start), count: Int(end - start)) else { return nil }
    return SHA256.hash(bytes)
  }
}
