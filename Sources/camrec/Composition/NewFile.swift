import Foundation
import Frames

/// Writes a whole file that does not exist yet, or replaces one that may be replaced.
enum NewFile {
  /// A link stays a link, and what it means is replaced, keeping its permissions. On failure nothing half is left.
  ///
  /// - Throws: code `output`, with the remedy.
  static func write(_ bytes: [UInt8], to path: String, overwrite: Bool) throws(CamrecError) {
    guard !path.isEmpty else { throw CamrecError(.output, "the output's name is empty; give the file a name") }
    let url = URL(fileURLWithPath: PathText(path).resolved)
    let existing = try? FileManager.default.attributesOfItem(atPath: url.path)
    if let existing, existing[.type] as? FileAttributeType != .typeRegular {
      throw CamrecError(.output, "'\(path)' is a directory or a device, and no file; choose another name")
    }
    do {
      try Data(bytes).write(to: url, options: overwrite ? .atomic : .withoutOverwriting)
      if let mode = existing?[.posixPermissions] {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
      }
    } catch CocoaError.fileWriteFileExists {
      throw CamrecError(
        .output, "'\(path)' exists already; choose another name or allow replacing it with --overwrite")
    } catch {
      if existing == nil { try? FileManager.default.removeItem(at: url) }
      throw CamrecError(.output, "'\(path)' cannot be written", cause: error.localizedDescription)
    }
  }
}
