import Foundation
import Frames
import Movies

/// A file that only grows, through a buffer and a thread of its own: whoever appends never waits for the disk.
/// Thread: one at a time.
struct SidecarStream: ~Copyable {
  private let writer: DiskWriter
  private var position: Int64 = 0

  /// Bytes that may wait: at 60 fps those of a quarter of an hour.
  private static let capacity = 1 << 22

  /// Creates `path`. A sidecar that lies there belonged to a film of the same name, which is gone or being replaced: it
  /// is replaced as well. Any other file of that name stays.
  ///
  /// - Throws: code `output`.
  init(path: String) throws(CamrecError) {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC
    var descriptor = unsafe open(path, flags | O_EXCL, SystemFile.mode)
    if descriptor < 0, errno == EEXIST {
      guard SidecarFile.isSidecar(path) else {
        throw CamrecError(.output, "'\(path)' exists and is no sidecar; move it away")
      }
      descriptor = unsafe open(path, flags | O_TRUNC, SystemFile.mode)
    }
    guard descriptor >= 0 else {
      throw CamrecError(.output, "'\(path)' cannot be created", cause: SystemError.words(for: errno))
    }
    // Nobody waits for a sidecar, so that nothing of it is ever late.
    writer = DiskWriter(
      SystemFile(descriptor: descriptor, path: path), capacity: SidecarStream.capacity, allowance: .infinity,
      isConfirmed: { _ in })
  }

  /// Appends all of `bytes`, to be synchronised as soon as the disk takes them. Allocates nothing.
  ///
  /// - Returns: false where there is no room for them, or nothing is taken any more (`failure`).
  mutating func append(_ bytes: borrowing [UInt8]) -> Bool {
    // Unsafe for elements with padding, of which a byte has none.
    guard unsafe writer.offer(bytes.span.bytes, at: position) else { return false }
    position += Int64(bytes.count)
    return true
  }

  /// Waits until all that was appended is on the medium, or the disk has refused it.
  borrowing func synchronize() { try? writer.synchronize() }

  /// The system's error number.
  var failure: Int32? { writer.failure?.number }

  /// Whether nothing is in the file.
  var isEmpty: Bool { writer.length == 0 }
}
