import Goldens
import TestKit
import Testing

/// In how many readings of two clips their frames meet.
@Suite struct MatchPassTests {
  private func plan(_ order: [Int], room: Int) -> [MatchPass] {
    let matches = order.enumerated().map { FrameMatch(first: $0.element, second: $0.offset) }
    return MatchPass.plan(matches.sorted { $0.first < $1.first }, room: room)
  }

  @Test func oneReadingIsEnoughForFewThatMoved() {
    #expect(plan(Array(0..<9), room: 0).count == 1 && plan([], room: 4).isEmpty)
    let moved = plan([0, 1, 7, 2, 3, 4, 5, 6, 8], room: 1)
    #expect(moved.count == 1 && moved[0].strays == [FrameMatch(first: 7, second: 2)])
    #expect(plan([0, 5, 2, 3, 4, 1, 6], room: 2).count == 1 && plan([0, 5, 2, 3, 4, 1, 6], room: 1).count == 2)
  }

  @Test func theRestHasReadingsOfItsOwn() {
    // Two halves that have changed places need no memory.
    #expect(plan(Array(50..<100) + Array(0..<50), room: 0).count == 2)
    #expect(plan(Array((0..<100).reversed()), room: 0).count == 100)
    #expect(plan(Array((0..<100).reversed()), room: 9).count == 10)
  }

  /// Whatever the order, each match is in one reading, and no more frames wait than there is room for.
  @Test(arguments: [0, 1, 3, 8]) func nothingIsForgotten(room: Int) {
    var generator = SplitMix(seed: 5)
    for _ in 0..<50 {
      let order = Array(0..<24).shuffled(using: &generator)
      let passes = plan(order, room: room)
      let matches = passes.flatMap { $0.order + $0.strays }
      #expect(matches.count == 24 && Set(matches).count == 24)
      for pass in passes {
        #expect(!pass.order.isEmpty && pass.order.map(\.second) == pass.order.map(\.second).sorted())
        #expect(most(waitingIn: pass) <= room)
      }
    }
  }

  /// Reads as the passes say.
  private func most(waitingIn pass: MatchPass) -> Int {
    let strays = (
      first: Dictionary(uniqueKeysWithValues: pass.strays.map { ($0.first, $0) }),
      second: Dictionary(uniqueKeysWithValues: pass.strays.map { ($0.second, $0) })
    )
    var waiting: Set<FrameMatch> = []
    var most = 0
    func meet(_ match: FrameMatch?) {
      guard let match else { return }
      if waiting.remove(match) == nil { waiting.insert(match) }
      most = max(most, waiting.count)
    }
    var place = (first: 0, second: 0)
    for match in pass.order + [FrameMatch(first: 24, second: 24)] {
      for first in place.first..<match.first { meet(strays.first[first]) }
      for second in place.second..<match.second { meet(strays.second[second]) }
      place = (match.first, match.second)
    }
    #expect(waiting.isEmpty)
    return most
  }
}
