import Testing
import Viewfinder

@Suite struct LatencyLogTests {
  @Test func percentiles_areValuesThatOccurred() throws {
    var log = LatencyLog()
    #expect(log.text(seconds: 1) == nil && log.percentile(50) == nil)
    for millisecond in (1...100).reversed() { log.add(Int64(millisecond) * 1_000_000) }
    #expect(log.percentile(50) == 50 && log.percentile(95) == 95 && log.percentile(99) == 99)
    #expect(log.text(seconds: 4.16) == "tap to shown: p50 50.0 ms, p95 95.0 ms, p99 99.0 ms; 100 pictures in 4.2 s")
    var one = LatencyLog()
    one.add(2_500_000)
    #expect(one.percentile(99) == 2.5 && one.percentile(1) == 2.5)
  }
}
