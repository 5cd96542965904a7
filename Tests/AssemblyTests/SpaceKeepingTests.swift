import Assembly
import Retention
import Testing

/// The room that films need on a recorder's disk.
struct SpaceKeepingTests {
  /// A lower rate makes the room last longer: a full disk is no reason to refuse it.
  @Test func aFilmThatFollows_needsTheRoomOfItsOwnRate() {
    let lower = SpaceKeeping.needed(toFollowAt: 1e6, after: 8e6, closingBytes: 3000)
    #expect(lower == SpaceGuard.needed(bytesPerSecond: 1e6) + 3000 + 8_000_000)
    let higher = SpaceKeeping.needed(toFollowAt: 8e6, after: 1e6, closingBytes: 3000)
    #expect(higher == SpaceGuard.needed(bytesPerSecond: 8e6) + 3000 + 1_000_000)
    #expect(
      SpaceKeeping.needed(toFollowAt: nil, after: 1e6, closingBytes: 0)
        == SpaceGuard.needed(bytesPerSecond: 1e6) + 1_000_000)
    #expect(
      SpaceKeeping.needed(toFollowAt: nil, after: nil, closingBytes: 0) == SpaceGuard.needed(bytesPerSecond: 0))
  }
}
