import Goldens
import TestKit
import Testing

/// What is paired, on pictures whose truth is known: a random walk, seen again with an encoder's noise.
struct PictureAlignmentTests {
  private var generator = SplitMix(seed: 7)

  /// A film in which every picture is another.
  private mutating func scene(_ count: Int, step: Int) -> [[UInt8]] {
    var luma = (0..<64 * 36).map { _ in UInt8.random(in: 60...180, using: &generator) }
    return (0..<count).map { _ in
      for index in luma.indices {
        luma[index] = UInt8(min(255, max(0, Int(luma[index]) + Int.random(in: -step...step, using: &generator))))
      }
      return luma
    }
  }

  private mutating func encoded(_ luma: [UInt8], noise: Int) -> [UInt8] {
    luma.map { UInt8(min(255, max(0, Int($0) + Int.random(in: -noise...noise, using: &generator)))) }
  }

  private func pictures(_ scene: [[UInt8]]) -> [PictureAlignment.Picture] {
    scene.enumerated().map { place, luma in
      PictureAlignment.Picture(
        PictureSignature(luma: luma, width: 64, height: 36, isFullRange: true), time: Double(place))
    }
  }

  private func told(_ first: [[UInt8]], _ second: [[UInt8]]) -> FrameMatches {
    PictureAlignment(first: pictures(first), second: pictures(second)).matches
  }

  @Test(arguments: [0, 3, 6])
  mutating func whatIsTakenOutAndPutInIsFound(noise: Int) {
    let film = scene(240, step: 12)
    var other = film.map { encoded($0, noise: noise) }
    other.remove(at: 200)
    other.remove(at: 40)
    let alien = scene(1, step: 1)[0]
    other.insert(alien, at: 100)
    let found = told(film, other)
    #expect(found.missing == [40, 200] && found.added == [100])
    func place(_ first: Int) -> Int { first - (first > 40 ? 1 : 0) + (first > 100 ? 1 : 0) - (first > 200 ? 1 : 0) }
    #expect(found.matches.allSatisfy { $0.second == place($0.first) })
  }

  /// An encoder that changes frames by more than motion does, and times that are closed up: what ten frames of motion
  /// change is still more.
  @Test mutating func aGapBehindACoarseEncoder() {
    let film = scene(77, step: 12)
    var other = film.map { encoded($0, noise: 14) }
    other.removeSubrange(20..<30)
    let found = told(film, other)
    #expect(found.missing == Array(20..<30) && found.added.isEmpty)
    let turned = told(other, film)
    #expect(turned.added == Array(20..<30) && turned.missing.isEmpty)
  }

  @Test(arguments: [0, 3])
  mutating func spoiltPicturesStayWhereTheyAre(noise: Int) {
    let film = scene(60, step: 12)
    var other = film.map { encoded($0, noise: noise) }
    other[0] = [UInt8](repeating: 16, count: 64 * 36)
    other[30] = other[0]
    let found = told(film, other)
    #expect(found.missing.isEmpty && found.added.isEmpty && found.matches.allSatisfy { $0.first == $0.second })
  }

  /// Of the two that are alike the second is there again, wherever the film with more of them stands.
  @Test(arguments: [0, 1])
  mutating func aPictureThatIsThereTwiceIsRepeated(noise: Int) {
    let film = scene(60, step: 12)
    var other = film
    other.insert(film[20], at: 20)
    other = other.map { encoded($0, noise: noise) }
    let found = told(film, other)
    #expect(found.doubled == [21] && found.missing.isEmpty && found.added.isEmpty)
    #expect(found.matches[20] == FrameMatch(first: 20, second: 20))
    #expect(found.matches.last == FrameMatch(first: 59, second: 60))
    let turned = told(other, film)
    #expect(turned.doubledInFirst == [21] && turned.matches[20] == FrameMatch(first: 20, second: 20))
  }

  @Test mutating func aPictureThatIsElsewhereHasMoved() {
    let film = scene(60, step: 12)
    var other = film
    other.swapAt(20, 21)
    let last = other.remove(at: 50)
    other.insert(last, at: 40)
    let found = told(film, other)
    #expect(found.reordered == [FrameMatch(first: 20, second: 21), FrameMatch(first: 50, second: 40)])
    #expect(found.matches.count == 60 && found.missing.isEmpty && found.added.isEmpty)
    #expect(told(film, film).reordered.isEmpty)
  }

  /// A frame that the other clip shows elsewhere is not a changed one: lossless, and after an encoder that changes
  /// frames by little.
  @Test(arguments: [0, 1])
  mutating func aPictureInPlaceOfAnother(noise: Int) {
    let film = scene(72, step: 12)
    var frozen = film
    (frozen[51], frozen[52]) = (film[50], film[50])
    frozen = frozen.map { encoded($0, noise: noise) }
    let still = told(film, frozen)
    #expect(still.missing == [51, 52] && still.doubled == [51, 52] && still.added.isEmpty && still.matches.count == 70)
    let turned = told(frozen, film)
    #expect(turned.doubledInFirst == [51, 52] && turned.added == [51, 52] && turned.missing.isEmpty)
    for (place, shown) in [(51, 20), (20, 51), (50, 51)] {
      var other = film
      other[place] = film[shown]
      let found = told(film, other.map { encoded($0, noise: noise) })
      #expect(found.missing == [place] && found.doubled.count == 1 && found.added.isEmpty && found.reordered.isEmpty)
    }
    for (one, two) in [(20, 25), (20, 50)] {
      var swapped = film
      swapped.swapAt(one, two)
      let found = told(film, swapped.map { encoded($0, noise: noise) })
      #expect(found.reordered == [FrameMatch(first: one, second: two), FrameMatch(first: two, second: one)])
      #expect(found.matches.count == 72)
    }
    let backwards = told(film, film.reversed())
    #expect(backwards.matches.count == 72 && backwards.reordered.count == 71)
  }

  /// Backwards, in thirds and in threes, behind an encoder that changes frames by a quarter of a step or less: those in
  /// their places are a step away, most of them more.
  @Test(arguments: [1, 3])
  mutating func mostPicturesAreElsewhere(noise: Int) {
    let film = scene(72, step: 12)
    let orders: [([Int], Int)] = [
      (Array((0..<72).reversed()), 71),
      (Array(48..<72) + Array(24..<48) + Array(0..<24), 48),
      ((0..<72).map { $0 / 3 * 3 + 2 - $0 % 3 }, 48),
    ]
    for (order, moved) in orders {
      let found = told(film, order.map { encoded(film[$0], noise: noise) })
      #expect(found.matches.count == 72 && found.missing.isEmpty && found.added.isEmpty)
      #expect(found.matches.allSatisfy { order[$0.second] == $0.first } && found.reordered.count == moved)
    }
  }

  /// Half a step from what they were, and several steps from those in their places.
  @Test mutating func mostPicturesAreElsewhereBehindACoarseEncoder() {
    let film = scene(72, step: 12)
    let found = told(film, film.reversed().map { encoded($0, noise: 6) })
    #expect(found.matches.count == 72 && found.reordered.count > 68 && found.missing.isEmpty && found.added.isEmpty)
  }

  /// Too many to look at all of them at first.
  @Test mutating func halfOfManyPicturesAreElsewhere() {
    let film = scene(300, step: 12)
    let order = Array(0..<150) + Array((150..<300).reversed())
    let found = told(film, order.map { encoded(film[$0], noise: 6) })
    #expect(found.reordered.count > 140 && found.reordered.allSatisfy { $0.first >= 150 })
    #expect(found.reordered.count { order[$0.second] == $0.first } > 140)
  }

  /// Nothing but an encoder: however coarse, no frame has moved.
  @Test(arguments: [3, 6, 8])
  mutating func encodedPicturesAreInOrder(noise: Int) {
    let film = scene(72, step: 12)
    let found = told(film, film.map { encoded($0, noise: noise) })
    #expect(found.matches.count == 72 && found.matches.allSatisfy { $0.first == $0.second })
  }

  /// What is damaged among equal frames is none of these.
  @Test mutating func spoiltPicturesInAStillPart() {
    var film = scene(30, step: 12)
    film += [[UInt8]](repeating: film[29], count: 20)
    film += scene(30, step: 12)
    var other = film
    for place in 38..<41 { other[place] = [UInt8](repeating: UInt8(place), count: 64 * 36) }
    for found in [told(film, other), told(other, film)] {
      #expect(found.matches.count == 80 && found.matches.allSatisfy { $0.first == $0.second })
    }
  }

  /// Animation that draws each frame three times.
  @Test mutating func aPictureInPlaceOfAnotherInThrees() {
    let film = scene(30, step: 12).flatMap { [$0, $0, $0] }
    var frozen = film
    for place in 33..<36 { frozen[place] = film[32] }
    let found = told(film, frozen)
    #expect(found.missing == [33, 34, 35] && found.doubled == [33, 34, 35] && found.added.isEmpty)
  }

  /// The means of blocks do not tell these apart; their samples do.
  @Test func whatMovesWithinABlockMoves() {
    let film = (0..<8).map { place in
      var luma = [UInt8](repeating: 90, count: 64 * 64)
      luma[place / 4 * 64 + place % 4] = 200
      return luma
    }
    func pictures(_ scene: [[UInt8]]) -> [PictureAlignment.Picture] {
      scene.enumerated().map { place, luma in
        PictureAlignment.Picture(
          PictureSignature(luma: luma, width: 64, height: 64, isFullRange: true), time: Double(place))
      }
    }
    var frozen = film
    frozen[5] = film[4]
    let found = PictureAlignment(first: pictures(film), second: pictures(frozen)).matches
    #expect(found.missing == [5] && found.doubled == [5] && found.matches.count == 7)
  }

  @Test mutating func manyThatAreTakenOutAreFound() {
    let film = scene(700, step: 12)
    var other = film.map { encoded($0, noise: 3) }
    other.removeSubrange(100..<500)
    let found = told(film, other)
    #expect(found.missing == Array(100..<500) && found.added.isEmpty)
  }

  /// Nothing moves, and nobody can say which one it was: times tell.
  @Test func aStillSceneIsPairedByTime() {
    let still = [[UInt8]](repeating: [UInt8](repeating: 90, count: 64 * 36), count: 50)
    let lacking = pictures(still).filter { $0.time != 20 }
    #expect(PictureAlignment(first: pictures(still), second: lacking).matches.missing == [20])
  }

  /// At twice the rate, every frame is there at its own time and once between; a flash there is no repetition.
  @Test func aStillSceneAtTwoRates() {
    let still = pictures([[UInt8]](repeating: [UInt8](repeating: 90, count: 64 * 36), count: 100))
    let flash = pictures([[UInt8](repeating: 200, count: 64 * 36)])[0]
    func spaced(_ count: Int, by frames: Double) -> [PictureAlignment.Picture] {
      (0..<count).map { PictureAlignment.Picture(still[$0].signature, time: Double($0) * frames) }
    }
    let odd = (0..<50).map { 2 * $0 + 1 }
    var fast = spaced(100, by: 0.5)
    let found = PictureAlignment(first: spaced(50, by: 1), second: fast).matches
    #expect(found.matches == (0..<50).map { FrameMatch(first: $0, second: 2 * $0) })
    #expect(found.doubled == odd && found.added.isEmpty && found.missing.isEmpty)
    let turned = PictureAlignment(first: still, second: spaced(50, by: 2)).matches
    #expect(turned.matches == (0..<50).map { FrameMatch(first: 2 * $0, second: $0) })
    #expect(turned.doubledInFirst == odd && turned.missing.isEmpty && turned.added.isEmpty)
    fast[51] = PictureAlignment.Picture(flash.signature, time: 25.5)
    let flashed = PictureAlignment(first: spaced(50, by: 1), second: fast).matches
    #expect(flashed.added == [51] && flashed.doubled == odd.filter { $0 != 51 })
  }

  @Test func emptyClips() {
    #expect(told([], []).matches.isEmpty)
    #expect(told([[UInt8](repeating: 90, count: 64 * 36)], []).missing == [0])
  }
}
