import Foundation
import Frames
import Movies
import Platform

/// A file that only grows, through a buffer and a thread of its own, so that appending never waits for the disk.
/// Thread: one at a time.
struct SidecarStream: ~Copyable {
  private let writer: DiskWriter
  private let name: SidecarName
  private let port: SidecarPort
  private var position: Int64 = 0

  /// Bytes that may wait: a quarter of an hour's at 60 fps.
  private static let capacity = 1 << 22

  /// - Parameters:
  ///   - path: where the disk's thread creates the file.
  ///   - isHeldBack: creates nothing before `release`.
  init(path: String, isHeldBack: Bool) {
    let port = SidecarPort(path: path)
    let name = SidecarName(port, path: path)
    (self.name, self.port) = (name, port)
    // Nobody waits for a sidecar, so it is never late.
    writer = DiskWriter(
      name.port, capacity: SidecarStream.capacity, allowance: .infinity, patience: PatientWorker.patience,
      isHeldBack: isHeldBack, isConfirmed: { _ in }, look: { name.look() })
  }

  /// Lets the file be created and written.
  borrowing func release() { writer.release() }

  /// Whether the disk has not answered for seconds.
  var isStalled: Bool { writer.isStalled }
  var stallWatch: @Sendable () -> Bool { writer.stallWatch }

  /// Has this file follow the film to its new name. The disk's thread does that.
  borrowing func follow(from old: String, to new: String) {
    guard port.moves(to: new) else { return name.follow(from: old, to: new) }
    name.renamed(to: new)
  }

  /// The same, but done when this returns.
  ///
  /// - Parameter room: as `FilePort.copy`.
  /// - Throws: if the file has no name any more and could not be copied to `new`; `ETIMEDOUT` if the disk does not
  ///   answer.
  borrowing func settle(at new: String, room: @escaping @Sendable () -> Int64?) throws(FileFailure) {
    let name = name
    let outcome = PatientWorker(name: "camrec-settle").run(about: new) { () -> Result<Void, FileFailure> in
      do throws(FileFailure) { return .success(try name.settle(at: new, room: room)) } catch { return .failure(error) }
    }
    guard let outcome else { throw FileFailure("rename", ETIMEDOUT) }
    try outcome.get()
  }

  var path: String { name.path }
  var place: FilePlace { name.place }
  var descriptorPath: String? { name.port.descriptorPath }

  /// Looks at the name: whether it is no longer the file's.
  var isElsewhere: Bool {
    name.look()
    return if case .renamed = name.place { true } else { name.place == .unlinked }
  }

  /// Appends all of `bytes`, to be synchronised as soon as the disk takes them. Allocates nothing.
  ///
  /// - Returns: false if there is no room for them, or if the file takes nothing more (`failure`).
  mutating func append(_ bytes: borrowing [UInt8]) -> Bool {
    // Unsafe for elements with padding; a byte has none.
    guard unsafe writer.offer(bytes.span.bytes, at: position) else { return false }
    position += Int64(bytes.count)
    return true
  }

  /// Waits until all that was appended is on the medium, or the disk has refused it, or does not answer.
  borrowing func synchronize() { try? writer.synchronize() }

  /// Why the file takes nothing more.
  var failure: FileFailure? { writer.failure }
}
