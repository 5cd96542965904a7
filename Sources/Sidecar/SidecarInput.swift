import Foundation
import Frames
import Platform

/// A sidecar that is open for reading.
struct SidecarInput: ~Copyable {
  let path: String
  /// Its size in bytes when it was opened.
  var size: Int64 { file.size }
  private let file: InputFile

  /// - Throws: code `input` if it cannot be opened or is not a regular file. Never waits (for a pipe, say).
  init(path: String) throws(CamrecError) {
    do throws(InputFile.Refusal) {
      file = try InputFile(path: path)
    } catch {
      throw SidecarInput.sentence(error, path)
    }
    self.path = path
  }

  private static func sentence(_ refusal: InputFile.Refusal, _ path: String) -> CamrecError {
    switch refusal {
    case .notOpened(ENOENT), .notOpened(ENOTDIR): CamrecError(.input, "'\(path)' does not exist; check the path")
    case .notOpened(EACCES): CamrecError(.input, "this user may not read '\(path)'; check its permissions")
    case .notOpened(let number):
      CamrecError(.input, "cannot open '\(path)'", cause: SystemError.words(for: number))
    case .notLookedAt, .notRegular:
      CamrecError(.input, "'\(path)' is a folder or a device, not a film or a sidecar")
    }
  }

  /// Fills `buffer` from `offset` on as far as one read goes; returns the bytes read, 0 at the end.
  borrowing func read(into buffer: inout [UInt8], at offset: Int) throws(CamrecError) -> Int {
    do throws(InputFile.ReadFailure) {
      return try file.read(into: &buffer, at: offset)
    } catch {
      throw CamrecError(.input, "reading '\(path)' failed", cause: SystemError.words(for: error.number))
    }
  }
}
