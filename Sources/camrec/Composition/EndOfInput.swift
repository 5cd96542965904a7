import Foundation
import Frames

/// Whether whoever started this process is still there: it holds the other end of the standard input, and the kernel
/// lets go of that however it ends.
enum EndOfInput {
  /// Calls `body` when the standard input ends, on a thread of its own. What comes before is left aside.
  static func watch(_ body: @escaping @Sendable () -> Void) {
    _ = WorkThread(name: "camrec-input") {
      while let some = try? FileHandle.standardInput.read(upToCount: 4096), !some.isEmpty {}
      body()
    }
  }
}
