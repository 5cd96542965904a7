import Retention
import Testing

@Suite struct RetentionPolicyTests {
  private typealias Film = RetentionPolicy.Film

  private func films(_ sizes: Int64..., ages: [Double]? = nil, of recorder: String = "front") -> [Film] {
    sizes.enumerated().map { index, bytes in
      Film(
        id: "\(index)", recorder: recorder, bytes: bytes, age: ages?[index] ?? Double(sizes.count - index) * 10)
    }
  }

  private func gone(
    _ films: [Film], _ limits: RetentionLimits, free: Int64? = 1000, needed: Int64 = 0, of recorder: String = "front"
  ) -> [String] {
    RetentionPolicy.deletions(
      .init(films: films, limits: limits, recorder: recorder, free: free, needed: needed)
    ).map { "\($0.id) \($0.reason)" }
  }

  @Test func withoutLimitsNothingGoes() {
    #expect(gone(films(1, 2, 3), RetentionLimits(), free: 0).isEmpty)
  }

  @Test func eachLimitTakesTheOldest() {
    let five = films(10, 10, 10, 10, 10)
    #expect(gone(five, RetentionLimits(age: 35)) == ["0 age", "1 age"])
    #expect(gone(five, RetentionLimits(count: 3)) == ["0 count", "1 count"])
    #expect(gone(five, RetentionLimits(bytes: 25)) == ["0 size", "1 size", "2 size"])
    #expect(gone(five, RetentionLimits(freeBytes: 115), free: 100) == ["0 free", "1 free"])
    #expect(gone(five, RetentionLimits(), needed: 11) == ["0 room", "1 room"])
    #expect(gone(five, RetentionLimits(age: 45, count: 3), needed: 25) == ["0 age", "1 count", "2 room"])
  }

  @Test func theNewestOfEachRecorderStays_whateverTheLimit() {
    let limits = [
      RetentionLimits(age: 0), RetentionLimits(count: 0), RetentionLimits(bytes: 0), RetentionLimits(freeBytes: 1020),
      RetentionLimits(age: 0, count: 0, bytes: 0, freeBytes: .max, scope: .folder),
    ]
    for limits in limits {
      #expect(!gone(films(10, 10, 10), limits, needed: .max).contains { $0.hasPrefix("2 ") }, "\(limits)")
    }
    var mixed = films(10, 10, 10, 10)
    mixed[1].recorder = "side"
    #expect(gone(mixed, RetentionLimits(), needed: .max) == ["0 room", "2 room"])
    // What somebody has replaced is not the newest film.
    mixed[3].protection = .foreign
    #expect(gone(mixed, RetentionLimits(), needed: .max) == ["0 room"])
  }

  @Test func limitsCountARecordersOwnFilms_unlessTheFolderIsAskedFor() {
    var six = films(10, 10, 10, 10, 10, 10)
    for index in [0, 2, 4] { six[index].recorder = "side" }
    #expect(gone(six, RetentionLimits(count: 2)) == ["1 count"])
    #expect(gone(six, RetentionLimits(count: 2), of: "side") == ["0 count"])
    #expect(gone(six, RetentionLimits(bytes: 15)) == ["1 size", "3 size"])
    #expect(gone(six, RetentionLimits(age: 35)) == ["1 age"])
    #expect(gone(six, RetentionLimits(count: 4, scope: .folder)) == ["0 count", "1 count"])
    #expect(gone(six, RetentionLimits(freeBytes: 1015)) == ["0 free", "1 free"], "the disk is everybody's")
  }

  @Test func filmsThatWaitForAHookAreCountedApart() {
    var films = films(10, 10, 10, 10, 10)
    for index in 0..<3 { films[index].protection = .awaitsHook }
    #expect(gone(films, RetentionLimits(count: 3)).isEmpty)
    #expect(gone(films, RetentionLimits(count: 2)).isEmpty)
    #expect(gone(films, RetentionLimits(count: 1)) == ["3 count"])
    #expect(gone(films, RetentionLimits(bytes: 20)).isEmpty)
  }

  @Test func aLimitThatCannotBeMetDeletesNothing() {
    let three = films(10, 10, 10)
    #expect(gone(three, RetentionLimits(freeBytes: 1020)) == ["0 free", "1 free"])
    #expect(gone(three, RetentionLimits(freeBytes: 1021)).isEmpty)
    #expect(gone(three, RetentionLimits(freeBytes: .max)).isEmpty)
    #expect(gone(three, RetentionLimits(bytes: 9)).isEmpty)
    #expect(gone(three, RetentionLimits(count: 1, bytes: 9)) == ["0 count", "1 count"], "another limit still counts")
    let situation = RetentionPolicy.Situation(
      films: three, limits: RetentionLimits(bytes: 9, freeBytes: 1021), recorder: "front", free: 1000)
    #expect(RetentionPolicy.unmeetable(situation) == [.free(free: 1000, deletable: 20), .size(staying: 10)])
  }

  @Test func whereTheRoomIsNotKnownNothingGoesForIt() {
    #expect(gone(films(10, 10, 10), RetentionLimits(freeBytes: .max), free: nil, needed: 5).isEmpty)
    #expect(gone(films(10, 10, 10), RetentionLimits(count: 2), free: nil, needed: 5) == ["0 count"])
  }

  @Test func numbersFromADamagedCatalogueDoNotTrap() {
    for bytes in [Int64.min, -1, .max] {
      for free in [Int64.min, -1, 0, .max] {
        let limits = RetentionLimits(age: .nan, count: 2, bytes: .max, freeBytes: .max, scope: .folder)
        let gone = gone(films(bytes, bytes, bytes, bytes), limits, free: free, needed: .max)
        #expect(!gone.contains { $0.hasPrefix("3 ") })
      }
    }
  }
}
