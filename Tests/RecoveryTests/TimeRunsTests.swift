import Recovery
import Testing

struct TimeRunsTests {
  @Test func timesComeBackAsTheyWere() {
    let times: [Int64] = [0, 1000, 2000, 3000, 7000, 7001, 9000, 10_000, 11_000]
    var runs = TimeRuns()
    times.forEach { runs.append($0) }
    #expect(runs.peek() == 0)
    var back: [Int64] = []
    while let time = runs.next() { back.append(time) }
    #expect(back == times && runs.peek() == nil)
    var one = TimeRuns()
    one.append(5)
    #expect(one.next() == 5 && one.next() == nil)
  }
}
