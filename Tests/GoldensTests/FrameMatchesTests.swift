import Goldens
import TestKit
import Testing

/// Which frames belong together; each letter is a frame.
@Suite struct FrameMatchesTests {
  private func found(_ first: String, _ second: String) -> FrameMatches {
    FrameMatches(first: Array(first), second: Array(second))
  }

  @Test func theSameFramesInTheSameOrder() {
    let same = found("abcd", "abcd")
    #expect(same.matches == (0..<4).map { FrameMatch(first: $0, second: $0) } && same.reordered.isEmpty)
    #expect(found("", "").matches.isEmpty && found("ab", "").missing == [0, 1] && found("", "ab").added == [0, 1])
  }

  /// The others lie where they were.
  @Test func framesInAnotherOrderAreThoseThatMoved() {
    let moved = found("abcdefgh", "agbcdefh")
    #expect(moved.reordered == [FrameMatch(first: 6, second: 1)] && moved.matches.count == 8)
    #expect(found("abcdefgh", "bcdefagh").reordered == [FrameMatch(first: 0, second: 5)])
    #expect(
      found("abcdefgh", "afcdebgh").reordered == [FrameMatch(first: 1, second: 5), FrameMatch(first: 5, second: 1)])
    // Of two neighbours, one has moved.
    #expect(found("abcd", "acbd").reordered == [FrameMatch(first: 1, second: 2)])
    #expect(found("abcdefgh", "hgfedcba").reordered.count == 7)
    #expect(found("abcdefgh", "efghabcd").reordered.count == 4)
    let twice = found("aabb", "bbaa")
    #expect(twice.matches.count == 4 && twice.reordered.count == 2)
  }

  @Test func framesInPlaceOfOthers() {
    let frozen = found("abcd", "abbd")
    #expect(frozen.missing == [2] && frozen.doubled == [2] && frozen.added.isEmpty && frozen.reordered.isEmpty)
    let early = found("abcd", "accd")
    #expect(early.missing == [1] && early.doubled == [1] && early.reordered.isEmpty)
    let old = found("abcdef", "abcdbf")
    #expect(old.missing == [4] && old.doubled == [4] && old.reordered.isEmpty)
    let future = found("abcdef", "aecdef")
    #expect(future.missing == [1] && future.doubled == [1] && future.reordered.isEmpty)
    let turned = found("abbd", "abcd")
    #expect(turned.doubledInFirst == [2] && turned.added == [2] && turned.missing.isEmpty && turned.doubled.isEmpty)
    let other = found("abc", "axc")
    #expect(other.missing == [1] && other.added == [1] && other.doubled.isEmpty)
  }

  /// Every second frame is missing in one clip, and filled by a repetition in the other.
  @Test func ofRepeatedFramesTheOneOnTimeBelongsToThePair() {
    let gaps = (keys: Array("abc"), seconds: [0.0, 2, 4])
    let filled = (keys: Array("aabbc"), seconds: [0.0, 1, 2, 3, 4])
    let pairs = [(0, 0), (1, 2), (2, 4)]
    let found = FrameMatches(first: gaps.keys, second: filled.keys)
      .onTime(keys: (gaps.keys, filled.keys), seconds: (gaps.seconds, filled.seconds))
    #expect(found.matches == pairs.map { FrameMatch(first: $0.0, second: $0.1) } && found.doubled == [1, 3])
    let turned = FrameMatches(first: filled.keys, second: gaps.keys)
      .onTime(keys: (filled.keys, gaps.keys), seconds: (filled.seconds, gaps.seconds))
    #expect(turned.matches == pairs.map { FrameMatch(first: $0.1, second: $0.0) } && turned.doubledInFirst == [1, 3])
    // One that shows too early is the repeated one.
    let early = FrameMatches(first: Array("abcd"), second: Array("accd"))
      .onTime(keys: (Array("abcd"), Array("accd")), seconds: ([0, 1, 2, 3], [0, 1, 2, 3]))
    #expect(early.missing == [1] && early.doubled == [1] && early.reordered.isEmpty)
  }

  /// Whatever is done to a clip, each frame counts once, and those in the same order rise.
  @Test func everyFrameCountsOnce() {
    var generator = SplitMix(seed: 11)
    for _ in 0..<200 {
      let first = (0..<12).map { _ in Int.random(in: 0..<9, using: &generator) }
      let second = (0..<10).map { _ in Int.random(in: 0..<9, using: &generator) }
      let found = FrameMatches(first: first, second: second)
      #expect(found.matches.allSatisfy { first[$0.first] == second[$0.second] })
      let places = (first: found.matches.map(\.first), second: found.matches.map(\.second))
      #expect((places.first + found.missing + found.doubledInFirst).sorted() == Array(0..<12))
      #expect((places.second + found.added + found.doubled).sorted() == Array(0..<10))
      let order = found.matches.filter { !found.reordered.contains($0) }.map(\.second)
      #expect(order == order.sorted() && order.count + found.reordered.count == found.matches.count)
    }
  }

  @Test func anHourTakesNoTime() {
    let frames = Array(0..<86_400)
    let turned = FrameMatches(first: frames, second: Array(frames[43_200...] + frames[..<43_200]))
    #expect(turned.matches.count == 86_400 && turned.reordered.count == 43_200)
  }
}
