import Recorder
import Testing

/// A preset that keeps up is found within seconds of trouble, and left for a slower one only after long calm.
struct LoadPolicyTests {
  /// A policy, fed once a second.
  private struct Fed {
    var policy: LoadPolicy
    var seconds = 0.0
    var decisions: [(at: Double, LoadPolicy.Decision)] = []

    init(most: Int) { policy = LoadPolicy(most: most) }

    /// - Parameter speed: of the encoder by its step.
    mutating func run(_ count: Int, nextFile: Double = 10, speed: (_ step: Int) -> Double) {
      for _ in 0..<count {
        seconds += 1
        let now = speed(taken)
        let reading = LoadReading(lost: now < 1 ? Int((1 - now) * 24) : 0, isFull: now < 1, speed: now)
        let decision = policy.look(reading, at: seconds)
        if decision != .keep { decisions.append((seconds, decision)) }
        if policy.step != taken, due == nil { due = seconds + nextFile }
        if let due, seconds >= due {
          (taken, self.due) = (policy.step, nil)
          policy.began(at: seconds)
        }
      }
    }

    private var taken = 0
    private var due: Double?
    var step: Int { taken }
  }

  @Test func threeBadSecondsOfTen_askForAFasterPreset_once() {
    var fed = Fed(most: 4)
    fed.run(20, nextFile: 600) { _ in 0.9 }
    #expect(fed.decisions.map(\.1) == [.faster(by: 1)] && fed.decisions[0].at == 3)
    #expect(fed.policy.step == 1)
  }

  @Test func aHiccup_isNone() {
    var policy = LoadPolicy(most: 4)
    for second in 0..<1000 {
      // Two bad seconds in every ten.
      let reading = LoadReading(lost: second % 10 < 2 ? 5 : 0, isFull: false, speed: 2)
      #expect(policy.look(reading, at: Double(second)) == .keep)
    }
  }

  @Test(arguments: [(0.95, 1), (0.75, 2), (0.45, 3), (0.2, 9)])
  func theFurtherBehind_theFurtherItGoes(speed: Double, steps: Int) {
    var fed = Fed(most: 9)
    fed.run(3) { _ in speed }
    #expect(fed.decisions.map(\.1) == [.faster(by: steps)])
  }

  /// A full queue and an encoder below real time lose the next frames: nothing has to be lost first.
  @Test func itGoesBeforeFramesAreLost() {
    var policy = LoadPolicy(most: 2)
    let reading = LoadReading(lost: 0, isFull: true, speed: 0.98)
    #expect((0..<3).map { policy.look(reading, at: Double($0)) } == [.keep, .keep, .faster(by: 1)])
    // A queue that is full for a moment is none.
    var well = LoadPolicy(most: 2)
    for second in 0..<60 {
      #expect(well.look(LoadReading(lost: 0, isFull: true, speed: 1.4), at: Double(second)) == .keep)
    }
  }

  @Test func theFastestIsTheLast_andThatIsSaidOnce() {
    var fed = Fed(most: 1)
    fed.run(300) { _ in 0.9 }
    #expect(fed.decisions.map(\.1) == [.faster(by: 1), .exhausted])
    var none = Fed(most: 0)
    none.run(300) { _ in 0.5 }
    #expect(none.decisions.map(\.1) == [.exhausted])
  }

  @Test func itGoesBackAfterTenMinutesOfCalm() {
    var fed = Fed(most: 4)
    fed.run(20) { $0 == 0 ? 0.9 : 3 }
    #expect(fed.step == 1)
    fed.run(590) { _ in 3 }
    #expect(fed.step == 1)
    fed.run(40) { _ in 3 }
    #expect(fed.decisions.last?.1 == .slower && fed.step == 0)
  }

  /// Where the encoder has little to spare, the slower preset would fail.
  @Test func itStaysWhereLittleIsToSpare() {
    var fed = Fed(most: 4)
    fed.run(20_000) { $0 == 0 ? 0.9 : 1.3 }
    #expect(fed.decisions.count == 1 && fed.step == 1)
  }

  /// A scene that the asked preset is never up to, though the faster one has plenty: a day costs a dozen tries at most.
  @Test func itDoesNotFlap() {
    var fed = Fed(most: 4)
    fed.run(86_400) { $0 == 0 ? 0.9 : 4 }
    let tries = fed.decisions.filter { $0.1 == .slower }.map(\.at)
    #expect((4...8).contains(tries.count), "\(tries)")
    let waits = zip(tries, tries.dropFirst()).map { $1 - $0 }
    #expect(zip(waits, waits.dropFirst()).allSatisfy { $1 > 1.8 * $0 }, "each takes twice as long: \(waits)")
  }

  /// What is lost between a decision and its file, and while the new file settles, asks for nothing more.
  @Test func whatIsLostUntilTheNextFile_isNotCountedAgain() {
    var policy = LoadPolicy(most: 4)
    let bad = LoadReading(lost: 10, isFull: true, speed: 0.9), good = LoadReading(lost: 0, isFull: false, speed: 3)
    for second in 0..<3 { _ = policy.look(bad, at: Double(second)) }
    for second in 3..<60 { #expect(policy.look(bad, at: Double(second)) == .keep) }
    policy.began(at: 60)
    for second in 60..<65 { #expect(policy.look(bad, at: Double(second)) == .keep) }
    for second in 65..<100 { #expect(policy.look(good, at: Double(second)) == .keep) }
    #expect(policy.step == 1)
  }
}
