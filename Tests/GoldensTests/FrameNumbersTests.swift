import Goldens
import Testing

/// The numbers of frames that lie a frame apart, unless another time is given.
@Suite struct FrameNumbersTests {
  private func complete(_ read: [Int64?], places: [Int64]? = nil) -> [Int64] {
    FrameNumbers.complete(read, places: places ?? read.indices.map { Int64($0) })
  }

  @Test func aNumberThatCannotBeReadFollowsFromTheTime() {
    #expect(complete([10, nil, 12]) == [10, 11, 12])
    #expect(complete([nil, nil, 12, nil]) == [10, 11, 12, 13])
    #expect(complete([10, nil], places: [0, 3]) == [10, 13])
    #expect(complete([nil, nil]) == [0, 1] && complete([]).isEmpty)
  }

  /// The frame behind one that has moved belongs where it stands.
  @Test func aMovedFrameDoesNotCountForItsNeighbours() {
    #expect(complete([9, 60, nil, 11, 12, 61]) == [9, 60, 10, 11, 12, 61])
    #expect(complete([9, nil, 10]) == [9, 10, 10])
  }
}
