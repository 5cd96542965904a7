import Foundation
import Frames

/// Writes a whole file that does not exist yet, or replaces one that may be replaced.
enum NewFile {
  /// A link stays a link, and what it means is replaced, keeping its permissions. On failure nothing half is left, and
  /// what was there stays. A recording is never replaced.
  ///
  /// - Throws: code `output`, with the remedy.
  static func write(_ bytes: [UInt8], to path: String, overwrite: Bool) throws(CamrecError) {
    guard !path.isEmpty else { throw CamrecError(.output, "the output's name is empty; give the file a name") }
    let real = PathText(path).resolved
    let existing = try? FileManager.default.attributesOfItem(atPath: real)
    if let existing {
      guard existing[.type] as? FileAttributeType == .typeRegular else {
        throw CamrecError(.output, "'\(path)' is a directory or a device, and no file; choose another name")
      }
      guard overwrite else {
        throw CamrecError(
          .output, "'\(path)' exists already; choose another name or allow replacing it with --overwrite")
      }
    }
    if let kind = RecordingKind(path: real) { throw kind.refusal(of: path) }
    let mode = (existing?[.posixPermissions] as? NSNumber)?.uint32Value ?? 0o666 & ~mask
    try AtomicFile(path: real, mode: mode).replace(with: bytes)
  }

  /// The umask of this process (proc(5)); asking for it otherwise would change it.
  private static var mask: UInt32 {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("Umask:") }
    return line.flatMap { UInt32($0.dropFirst(6).filter(\.isNumber), radix: 8) } ?? 0o022
  }
}
