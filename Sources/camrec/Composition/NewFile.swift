import Foundation
import Frames

/// Writes a whole file that does not exist yet, or replaces one that may be replaced.
enum NewFile {
  /// - Throws: code `output`, with the remedy.
  static func write(_ bytes: [UInt8], to path: String, overwrite: Bool) throws(CamrecError) {
    do {
      try Data(bytes).write(to: URL(fileURLWithPath: path), options: overwrite ? .atomic : .withoutOverwriting)
    } catch CocoaError.fileWriteFileExists {
      throw CamrecError(
        .output, "'\(path)' exists already; choose another name or allow replacing it with --overwrite")
    } catch {
      throw CamrecError(.output, "'\(path)' cannot be written", cause: error.localizedDescription)
    }
  }
}
