import Recorder
import Testing

/// Steps are taken before the limit, one after another, and taken back slowly.
struct HeatPolicyTests {
  /// One look in five seconds.
  private func steps(_ distances: [Double?]) -> [Int] {
    var policy = HeatPolicy(), seconds = 0.0
    return distances.map {
      seconds += 5
      return policy.look(distance: $0, at: seconds)
    }
  }

  @Test func coolMachine_isLeftAlone() {
    #expect(Set(steps(Array(repeating: 20, count: 1000) + Array(repeating: 8.1, count: 1000))) == [0])
    #expect(Set(steps(Array(repeating: nil, count: 100))) == [0])
  }

  @Test func aSingleReading_isNone() {
    #expect(Set(steps((0..<100).map { $0 % 2 == 0 ? 1 : 12 })) == [0])
  }

  @Test func warmth_takesAStepAtATime_beforeTheLimit() {
    // From 20 degrees below to the limit, a degree in five seconds: faster than steps are felt.
    let warming = stride(from: 20.0, through: 0, by: -1).map(Optional.some)
    let steps = steps(warming)
    #expect(steps.last == 3)
    for (step, distance) in [(1, 7.0), (2, 3.0), (3, 0.0)] {
      let place = steps.firstIndex(of: step)
      #expect(place.map { warming[$0] == distance } == true, "step \(step): \(steps)")
    }
  }

  @Test func atTheLimit_nothingIsWaitedFor() {
    #expect(steps([0, 0, 0, 0, 0, 0]) == [0, 1, 1, 2, 2, 3])
    // Else a step is given the time to be felt.
    #expect(steps(Array(repeating: 4, count: 9)) == [0, 1, 1, 1, 1, 2, 2, 2, 2])
  }

  @Test func stepsAreTakenBack_afterTwoMinutesOfCool() {
    var policy = HeatPolicy()
    for second in [0.0, 5] { _ = policy.look(distance: 8, at: second) }
    #expect(policy.step == 1)
    // Cooler, but not by the hysteresis.
    for second in stride(from: 10.0, to: 1000, by: 5) { #expect(policy.look(distance: 12.9, at: second) == 1) }
    for second in stride(from: 1000.0, to: 1120, by: 5) { #expect(policy.look(distance: 13, at: second) == 1) }
    #expect(policy.look(distance: 13, at: 1120) == 0)
  }

  /// A machine that is warm with the work and cool without it: each way takes its time.
  @Test func itDoesNotSwing() {
    var policy = HeatPolicy(), temperature = 60.0, changes = 0, step = 0
    for look in 0..<17_280 {
      // A heat sink with a time constant of five minutes, and noise.
      let rest = [86.0, 80, 74, 68][step]
      temperature += (rest - temperature) * 5 / 300
      let noise = Double(look * 7919 % 100) / 100 - 0.5
      let now = policy.look(distance: 85 - temperature - noise, at: Double(look) * 5)
      if now != step { changes += 1 }
      step = now
      #expect(temperature < 82, "the limit is at 85")
    }
    #expect(changes < 24 * 60 / 10, "in a day: \(changes)")
  }

  @Test func sensorThatGoes_changesNothing() {
    #expect(steps([7, 7, 7, nil, nil, nil] + Array(repeating: nil, count: 100)).last == 1)
  }
}
