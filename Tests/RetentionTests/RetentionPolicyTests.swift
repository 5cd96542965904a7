import Retention
import Testing
import TestSupport

@Suite struct RetentionPolicyTests {
  private typealias Film = RetentionPolicy.Film

  private func films(_ sizes: Int64..., ages: [Double]? = nil) -> [RetentionPolicy.Film] {
    sizes.enumerated().map { index, bytes in
      Film(id: "\(index)", bytes: bytes, age: ages?[index] ?? Double(sizes.count - index) * 10)
    }
  }

  private func ids(_ deletions: [RetentionPolicy.Deletion]) -> [String] { deletions.map { "\($0.id) \($0.reason)" } }

  @Test func withoutLimitsNothingGoes() {
    #expect(RetentionPolicy.deletions(among: films(1, 2, 3), limits: RetentionLimits(), free: 0).isEmpty)
  }

  @Test func eachLimitTakesTheOldest() {
    let five = films(10, 10, 10, 10, 10)
    func gone(_ limits: RetentionLimits, free: Int64 = 1000, needed: Int64 = 0) -> [String] {
      ids(RetentionPolicy.deletions(among: five, limits: limits, free: free, needed: needed))
    }
    #expect(gone(RetentionLimits(age: 35)) == ["0 age", "1 age"])
    #expect(gone(RetentionLimits(count: 3)) == ["0 count", "1 count"])
    #expect(gone(RetentionLimits(bytes: 25)) == ["0 size", "1 size", "2 size"])
    #expect(gone(RetentionLimits(freeBytes: 115), free: 100) == ["0 free", "1 free"])
    #expect(gone(RetentionLimits(), needed: 11) == ["0 room", "1 room"])
    #expect(gone(RetentionLimits(age: 45, count: 3), needed: 25) == ["0 age", "1 count", "2 room"])
  }

  @Test func aFilmThatMayNotGoIsPassedOver() {
    var five = films(10, 10, 10, 10, 10)
    five[0].protection = .kept
    five[1].protection = .foreign
    five[2].protection = .awaitsHook
    #expect(
      ids(RetentionPolicy.deletions(among: five, limits: RetentionLimits(count: 1), free: 0)) == ["3 count", "4 count"])
    #expect(ids(RetentionPolicy.deletions(among: five, limits: RetentionLimits(count: 3), free: 0)).isEmpty)
  }

  /// Whatever films, limits and room there are.
  @Test func noProtectedFilmEverGoes_andNoMoreThanIsNeeded() {
    var random = SplitMix(seed: 20_261_121)
    func draw(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    for _ in 0..<20_000 {
      let films = (0..<draw(0...12)).map { index in
        Film(
          id: "\(index)", bytes: Int64(draw(0...100)), age: Double(draw(0...100)),
          protection: [nil, nil, .kept, .linked, .foreign, .awaitsHook][draw(0...5)])
      }
      let limits = RetentionLimits(
        age: draw(0...1) == 0 ? nil : Double(draw(0...100)), count: draw(0...1) == 0 ? nil : draw(1...12),
        bytes: draw(0...1) == 0 ? nil : Int64(draw(0...600)), freeBytes: draw(0...1) == 0 ? nil : Int64(draw(0...600)))
      let free = Int64(draw(0...300)), needed = draw(0...1) == 0 ? 0 : Int64(draw(0...300))
      let gone = RetentionPolicy.deletions(among: films, limits: limits, free: free, needed: needed)
      #expect(Set(gone.map(\.id)).count == gone.count)
      var left = films
      for deletion in gone {
        let film = films.first { $0.id == deletion.id }
        #expect(film != nil && film?.protection == nil)
        // Each was due when it went: one less would not have been enough.
        let counted = left.filter { ![.kept, .linked, .foreign].contains($0.protection) }
        let freed = films.reduce(0) { $0 + $1.bytes } - left.reduce(0) { $0 + $1.bytes }
        switch deletion.reason {
        case .age: #expect(film.map { $0.age > limits.age ?? .infinity } == true)
        case .count: #expect(counted.count > limits.count ?? .max)
        case .size: #expect(counted.reduce(0) { $0 + $1.bytes } > limits.bytes ?? .max)
        case .free: #expect(free + freed < limits.freeBytes ?? 0)
        case .room: #expect(freed < needed)
        }
        left.removeAll { $0.id == deletion.id }
      }
      // What is left is within the limits, or may not go.
      let counted = left.filter { ![.kept, .linked, .foreign].contains($0.protection) }
      if counted.contains(where: { $0.protection == nil }) {
        #expect(counted.count <= limits.count ?? .max)
        #expect(counted.reduce(0) { $0 + $1.bytes } <= limits.bytes ?? .max)
        #expect(!counted.contains { $0.protection == nil && $0.age > limits.age ?? .infinity })
      }
    }
  }
}
