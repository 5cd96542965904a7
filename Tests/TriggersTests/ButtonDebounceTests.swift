import Testing
import Triggers

struct ButtonDebounceTests {
  private final class Button {
    private var value = ButtonDebounce(time: 30 * ButtonDebounceTests.millisecond)
    var due: Int64? { value.due }
    func changed(_ new: Int32, at now: Int64) -> Bool { value.changed(new, at: now) }
    func passed(to now: Int64) -> Bool { value.passed(to: now) }
    func reset() { value.reset() }
  }

  private static let millisecond: Int64 = 1_000_000
  private static let begin: Int64 = 1_000_000_000_000

  /// Presses that count, by the millisecond, of changes at milliseconds; looked at every millisecond.
  private func presses(_ changes: [(at: Int64, value: Int32)], until end: Int64 = 1000) -> [Int64] {
    let button = Button()
    var presses: [Int64] = []
    for time in 0...end {
      let now = Self.begin + time * Self.millisecond
      for change in changes where change.at == time {
        if button.changed(change.value, at: now) { presses.append(time) }
      }
      if button.passed(to: now) { presses.append(time) }
    }
    return presses
  }

  @Test func aPress_countsOnce_whenItHasRested() {
    #expect(presses([(100, 1), (400, 0)]) == [130])
    #expect(presses([(100, 1), (400, 0), (500, 1), (800, 0)]) == [130, 530])
  }

  @Test func bounces_areOnePress() {
    let down: [(Int64, Int32)] = [(100, 1), (102, 0), (104, 1), (109, 0), (111, 1)]
    let up: [(Int64, Int32)] = [(400, 0), (403, 1), (405, 0), (410, 1), (412, 0)]
    #expect(presses(down + up) == [141])
  }

  @Test func aSpike_isNoPress() {
    #expect(presses([(100, 1), (105, 0)]).isEmpty)
    #expect(presses([(100, 1), (129, 0)]).isEmpty)
  }

  @Test func repeats_areNoPresses() {
    #expect(presses([(100, 1), (350, 2), (380, 2), (410, 2), (500, 0)]) == [130])
  }

  /// Events that come late, all at once, are the same.
  @Test func changesThatAreReadLate_count() {
    let button = Button()
    #expect(!button.changed(1, at: Self.begin))
    #expect(button.changed(0, at: Self.begin + 200 * Self.millisecond))
    #expect(!button.passed(to: Self.begin + 300 * Self.millisecond))
    #expect(button.due == nil)
  }

  @Test func aDeviceThatIsGone_pressesNothing() {
    let button = Button()
    _ = button.changed(1, at: Self.begin)
    button.reset()
    #expect(!button.passed(to: Self.begin + 100 * Self.millisecond))
    #expect(!button.changed(1, at: Self.begin + 200 * Self.millisecond))
    #expect(button.passed(to: Self.begin + 230 * Self.millisecond))
  }
}
