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
        PictureSignature(luma: luma, width: 64, height: 36, isFullRange: true), time: Int64(place))
    }
  }

  /// The places of each pair, and those that are left out.
  private func told(_ first: [[UInt8]], _ second: [[UInt8]]) -> (pairs: [[Int]], missing: [Int], added: [Int]) {
    let keys = PictureAlignment(first: pictures(first), second: pictures(second)).keys
    var places: [Int64: Int] = [:]
    for (place, key) in keys.second.enumerated() where places[key] == nil { places[key] = place }
    var seen: Set<Int64> = []
    var pairs: [[Int]] = []
    var missing: [Int] = []
    for (place, key) in keys.first.enumerated() {
      if let other = places[key], seen.insert(key).inserted {
        pairs.append([place, other])
      } else {
        missing.append(place)
      }
    }
    let paired = Set(pairs.map { $0[1] })
    return (pairs, missing, keys.second.indices.filter { !paired.contains($0) })
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
    #expect(found.pairs.allSatisfy { $0[1] == place($0[0]) })
  }

  @Test(arguments: [0, 3])
  mutating func spoiltPicturesStayWhereTheyAre(noise: Int) {
    let film = scene(60, step: 12)
    var other = film.map { encoded($0, noise: noise) }
    other[0] = [UInt8](repeating: 16, count: 64 * 36)
    other[30] = other[0]
    let found = told(film, other)
    #expect(found.missing.isEmpty && found.added.isEmpty && found.pairs.allSatisfy { $0[0] == $0[1] })
  }

  /// Of the two that are alike the second is there again, wherever the film with more of them stands.
  @Test(arguments: [0, 1])
  mutating func aPictureThatIsThereTwiceHasItsKeyTwice(noise: Int) {
    let film = scene(60, step: 12)
    var other = film
    other.insert(film[20], at: 20)
    other = other.map { encoded($0, noise: noise) }
    let keys = PictureAlignment(first: pictures(film), second: pictures(other)).keys
    #expect(keys.second[20] == keys.second[21] && keys.first[20] == keys.second[20])
    #expect(keys.first.last == keys.second.last)
    let turned = PictureAlignment(first: pictures(other), second: pictures(film)).keys
    #expect(turned.first[20] == turned.first[21] && turned.second[20] == turned.first[20])
  }

  @Test mutating func aPictureThatIsElsewhereHasMoved() {
    let film = scene(60, step: 12)
    var other = film
    other.swapAt(20, 21)
    let last = other.remove(at: 50)
    other.insert(last, at: 40)
    let moved = PictureAlignment(first: pictures(film), second: pictures(other)).moved
    // Of two that have changed places, either may be the one.
    #expect(moved.count == 2 && moved.last == FrameMove(first: 50, second: 40), "\(moved)")
    #expect([FrameMove(first: 20, second: 21), FrameMove(first: 21, second: 20)].contains(moved.first))
    #expect(PictureAlignment(first: pictures(film), second: pictures(film)).moved.isEmpty)
  }

  @Test func movedFramesAreTheSameOnes() {
    let moves = FrameMove.find(
      first: [(place: 3, key: "a"), (place: 5, key: "b"), (place: 9, key: "a"), (place: 11, key: "a")],
      second: [(place: 4, key: "a"), (place: 7, key: "c"), (place: 8, key: "a")])
    #expect(moves == [FrameMove(first: 3, second: 4), FrameMove(first: 9, second: 8)])
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
    let keys = PictureAlignment(first: pictures(still), second: lacking).keys
    #expect(Set(keys.first).subtracting(keys.second) == [keys.first[20]])
  }

  @Test func emptyClips() {
    #expect(PictureAlignment(first: [], second: []).keys.first.isEmpty)
    let one = pictures([[UInt8](repeating: 90, count: 64 * 36)])
    #expect(PictureAlignment(first: one, second: []).keys.first == [0])
  }
}
