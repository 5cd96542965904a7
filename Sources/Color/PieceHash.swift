import Foundation
import Frames
import Synchronization

/// Hashes the pieces of a file, those of a long one on a thread of its own: that takes as long as parsing them.
///
/// Thread: one at a time.
final class PieceHash: Sendable {
  private struct Piece: Sendable {
    let bytes: [UInt8]
    let range: Range<Int>
  }

  private let hash: Running
  private let pieces: BoundedQueue<Piece>
  private let thread: WorkThread?

  /// - Parameter size: of the whole file, bytes.
  init(size: Int) {
    let hash = Running()
    let pieces = BoundedQueue<Piece>(capacity: 4)
    self.hash = hash
    self.pieces = pieces
    guard size > CubeReader.pieceSize else {
      thread = nil
      return
    }
    thread = WorkThread(name: "camrec-hash") {
      while let piece = pieces.pop() { hash.update(piece.bytes, piece.range) }
    }
  }

  /// Where a file is refused before its end.
  deinit { pieces.close() }

  func update(_ bytes: [UInt8], _ range: Range<Int>) {
    if thread == nil { return hash.update(bytes, range) }
    // The queue is open until `finish`.
    _ = pieces.push(Piece(bytes: bytes, range: range))
  }

  /// The digest in lower-case hexadecimal.
  func finish() -> String {
    pieces.close()
    thread?.join()
    return hash.finish()
  }

  private final class Running: Sendable {
    private let hash = Mutex(SHA256())

    func update(_ bytes: [UInt8], _ range: Range<Int>) {
      hash.withLock { $0.update(bytes.span.extracting(range)) }
    }

    func finish() -> String { hash.withLock { $0.finish() } }
  }
}
