import Dispatch
import Frames
import Platform
import Testing

struct MonotonicTimeTests {
  @Test func now_isWhatTheKernelsMonotonicClockSays() {
    let before = Int64(DispatchTime.now().uptimeNanoseconds)
    let now = MonotonicTime.now()
    let after = Int64(DispatchTime.now().uptimeNanoseconds)
    #expect((before...after).contains(now.nanoseconds))
  }
}
