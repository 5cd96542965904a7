import Foundation
package import Frames

/// Writes a new file as a whole, or replaces one that may be replaced.
package enum NewFile {
  /// A link stays a link; the file that it points to is replaced and keeps its permissions. A failure leaves no half of
  /// a file, and the old one stays; after a power cut, the old one or the new one is there. A recording is never
  /// replaced.
  ///
  /// - Throws: code `output`, with the remedy.
  package static func write(_ bytes: [UInt8], to path: String, overwrite: Bool) throws(CamrecError) {
    try file(path, overwrite: overwrite).replace(with: bytes)
  }

  /// The same for a file that is written piece by piece.
  ///
  /// - Throws: code `output`, with the remedy.
  package static func file(_ path: String, overwrite: Bool) throws(CamrecError) -> AtomicFile {
    guard !path.isEmpty else { throw CamrecError(.output, "the output has no name; give it one") }
    let real = PathText(path).resolved
    let existing = try? FileManager.default.attributesOfItem(atPath: real)
    if let existing {
      guard existing[.type] as? FileAttributeType != .typeSymbolicLink else {
        throw CamrecError(.output, "'\(path)' is a link to nothing; choose another name or delete the link")
      }
      guard existing[.type] as? FileAttributeType == .typeRegular else {
        throw CamrecError(.output, "'\(path)' is a folder or a device, not a file; choose another name")
      }
      guard overwrite else {
        throw CamrecError(
          .output, about: .overwrite,
          "'\(path)' exists already; choose another name or allow replacing it with \(setting: .overwrite)",
          reason: .exists)
      }
    }
    if let kind = RecordingKind(path: real) { throw kind.refusal(of: path) }
    let mode = (existing?[.posixPermissions] as? NSNumber)?.uint32Value ?? 0o666 & ~mask
    // A power cut may cost a new file, but not one that was there.
    return AtomicFile(path: real, mode: mode, isSynchronized: existing != nil)
  }

  /// The umask of this process, from proc(5), because umask(2) can read it only by changing it.
  private static var mask: UInt32 {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("Umask:") }
    return line.flatMap { UInt32($0.dropFirst(6).filter(\.isNumber), radix: 8) } ?? 0o022
  }
}
