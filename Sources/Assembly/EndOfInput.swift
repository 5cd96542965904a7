import Foundation
import Frames
import Platform

/// Notices the end of the program that started this process: it holds the other end of standard input, which the kernel
/// closes however that program ends.
package enum EndOfInput {
  /// Calls `body` on a thread of its own when standard input ends. Ignores what it reads until then.
  package static func watch(_ body: @escaping @Sendable () -> Void) {
    _ = WorkThread(name: "camrec-input") {
      while let some = try? FileHandle.standardInput.read(upToCount: 4096), !some.isEmpty {}
      body()
    }
  }
}
