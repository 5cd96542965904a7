import Movies
import Testing

@Suite struct FreeSpaceTests {
  @Test func whatTheSystemSaysIsTold() {
    let space = DiskSpace(blocks: 1000, freeBlocks: 500, availableBlocks: 400, blockBytes: 4096)
    #expect(space == DiskSpace(free: 400 * 4096, unused: 500 * 4096, total: 1000 * 4096))
  }

  /// FUSE and network file systems without a limit, and without an answer.
  @Test func whatIsNotASizeIsNotKnown() {
    for count: UInt64 in [.max, .max / 4096, 1 << 50] {
      #expect(DiskSpace(blocks: count, freeBlocks: count, availableBlocks: count, blockBytes: 4096) == nil)
    }
    #expect(DiskSpace(blocks: 0, freeBlocks: 0, availableBlocks: 0, blockBytes: 4096) == nil)
    #expect(DiskSpace(blocks: 1, freeBlocks: 1, availableBlocks: 1, blockBytes: 0) == nil)
    #expect(FreeSpace.disk(beside: "/no/such/folder/take.mov") == nil)
  }
}
