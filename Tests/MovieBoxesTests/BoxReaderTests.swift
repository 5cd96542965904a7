import MovieBoxes
import TestKit
import Testing

/// Boxes and numbers, and bytes that are neither.
struct BoxReaderTests {
  /// What reading bytes of a movie's header complains of.
  private func damage<Value>(
    _ bytes: [UInt8], _ read: (inout BoxReader) throws(BoxDamage) -> Value
  ) -> BoxDamage? {
    var reader = BoxReader(bytes[...], of: .movie)
    do throws(BoxDamage) {
      _ = try read(&reader)
      return nil
    } catch { return error }
  }

  @Test func numbersAreBigEndian() throws {
    var reader = BoxReader([1, 2, 3, 0xFF, 0xFF, 0xFF, 0xFE, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 7], of: .movie)
    let one = try reader.u8(), two = try reader.u16(), four = try reader.i32(), eight = try reader.u64()
    let (version, flags) = try reader.versionAndFlags()
    #expect(one == 1 && two == 0x0203 && four == -2 && eight == 256)
    #expect(version == 1 && flags == 7 && reader.isAtEnd)
  }

  @Test func nothingIsReadBeyondTheEnd() {
    #expect(damage([1, 2, 3]) { (reader) throws(BoxDamage) in try reader.u32() }?.reason == "ends within a number")
    #expect(damage([1, 2, 3]) { (reader) throws(BoxDamage) in try reader.skip(4) }?.reason == "is too short")
    let later = damage([1, 2, 3]) { (reader) throws(BoxDamage) in
      try reader.skip(2)
      return try reader.u16()
    }
    #expect(later?.description == "moov at 2: ends within a number")
  }

  @Test func boxesFollowEachOther_upToFourZeros() throws {
    let two = HandMade.Box("free", [1, 2]).bytes + HandMade.Box("skip").bytes
    for end in [[], [0, 0, 0, 0]] as [[UInt8]] {
      var reader = BoxReader((two + end)[...], of: .movie)
      let boxes = try reader.boxes()
      #expect(boxes.map { "\($0.type)" } == ["free", "skip"])
      #expect(boxes.map { Array($0.content) } == [[1, 2], []] && boxes.map(\.whole.count) == [10, 8])
    }
  }

  @Test func aSizeOfZeroReachesToTheEnd_andOneOfOneHas64Bits() throws {
    var open = HandMade.Box("free", [1, 2, 3])
    open.claimedSize = 0
    var reader = BoxReader(open.bytes[...], of: .movie)
    let found = try reader.box(), rest = try #require(found)
    #expect(Array(rest.content) == [1, 2, 3] && reader.isAtEnd)
    var long = HandMade.Box("free", HandMade.big(18, 8) + [4, 5])
    long.claimedSize = 1
    reader = BoxReader((long.bytes + HandMade.Box("skip").bytes)[...], of: .movie)
    let boxes = try reader.boxes()
    #expect(boxes.map { Array($0.content) } == [[4, 5], []] && boxes.map { "\($0.type)" } == ["free", "skip"])
  }

  @Test func aBoxIsNotLargerThanWhatItLiesIn_norSmallerThanItsHeader() {
    for size in [7, 12, Int(UInt32.max)] {
      var box = HandMade.Box("free", [1, 2, 3])
      box.claimedSize = size
      let found = damage(box.bytes) { (reader) throws(BoxDamage) in try reader.box() }
      #expect(found?.description == "free at 0: says that it has \(size) bytes, but 11 are there")
    }
    #expect(damage([0, 0, 1]) { (reader) throws(BoxDamage) in try reader.boxes() }?.box == "moov")
  }

  @Test func typesAreShownWithoutControlCharacters() {
    #expect("\(BoxType("moov"))" == "moov" && BoxType("moov").code == 0x6D6F_6F76 && BoxType("moov") == .movie)
    #expect("\(BoxType(code: 0x1B5B_33A9))" == ".[3.")
  }
}
