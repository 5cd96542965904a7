import Foundation
import Frames
import Synchronization
import Testing

struct WorkThreadTests {
  @Test func hasItsNameForTheKernel() {
    let seen = Mutex("")
    let thread = WorkThread(name: "camrec-test") {
      let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
      seen.withLock { $0 = name ?? "" }
    }
    thread.join()
    #expect(seen.withLock { $0 } == "camrec-test\n")
  }
}
