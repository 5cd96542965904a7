import Foundation
import Frames
import Movies

/// A file that only grows, through a buffer and a thread of its own: whoever appends never waits for the disk.
/// Thread: one at a time.
struct SidecarStream: ~Copyable {
  private let writer: DiskWriter
  private let name: SidecarName
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
      // It may be one of a film that has just been renamed, and is still being written: it lives on without a name, and
      // its recorder makes a copy of it.
      unsafe _ = unlink(path)
      descriptor = unsafe open(path, flags | O_EXCL, SystemFile.mode)
    }
    guard descriptor >= 0 else {
      throw CamrecError(.output, "'\(path)' cannot be created", cause: SystemError.words(for: errno))
    }
    // Nobody waits for a sidecar, so that nothing of it is ever late.
    let name = SidecarName(SystemFile(descriptor: descriptor, path: OutputPath.resolved(path)), path: path)
    self.name = name
    writer = DiskWriter(
      name.port, capacity: SidecarStream.capacity, allowance: .infinity, isConfirmed: { _ in }, look: { name.look() })
  }

  /// The film has another name: this file is to have it, too. The disk's thread does it.
  borrowing func follow(from old: String, to new: String) { name.follow(from: old, to: new) }

  /// The same, done when it returns. Waits for the disk.
  ///
  /// - Parameter room: as `FilePort.copy`.
  /// - Throws: the file has no name any more, and could not be copied to `new`.
  borrowing func settle(at new: String, room: () -> Int64?) throws(FileFailure) { try name.settle(at: new, room: room) }

  var path: String { name.path }
  var descriptorPath: String? { name.port.descriptorPath }

  /// Takes the file away, if its name is its own.
  borrowing func remove() { name.remove() }

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
