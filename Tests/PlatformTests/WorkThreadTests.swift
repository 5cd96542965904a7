import Foundation
import Frames
import Platform
import Synchronization
import Testing

struct WorkThreadTests {
  @Test func hasItsNameForTheKernel() {
    let seen = Mutex("")
    let thread = WorkThread(name: "camrec-test") {
      // By a system call of this very thread.
      let file = open("/proc/thread-self/comm", O_RDONLY)
      defer { close(file) }
      var bytes = [UInt8](repeating: 0, count: 32)
      let count = read(file, &bytes, bytes.count)
      seen.withLock { $0 = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) }
    }
    thread.join()
    #expect(seen.withLock { $0 } == "camrec-test\n")
  }
}
