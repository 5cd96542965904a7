import ControlSocket
import Frames
import Testing

/// Who has a place at a recorder, and who makes room.
@Suite struct RemoteTableTests {
  private var table = RemoteTable(places: 4)

  private static func at(_ seconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: seconds * 1_000_000_000) }

  @Test mutating func others_haveAllPlacesButOne() {
    for number in 0..<3 {
      #expect(table.admit(Int32(number), .other, at: RemoteTableTests.at(Int64(number))) == .free)
    }
    #expect(table.admit(3, .other, at: RemoteTableTests.at(3)) == .evicting(0), "the fourth place is the owner's")
    #expect(table.admit(9, .owner, at: RemoteTableTests.at(4)) == .free)
    #expect(table.admit(4, .other, at: RemoteTableTests.at(5)) == .evicting(1), "and others push out others alone")
    #expect(table.eviction(of: 0) == .idle && table.eviction(of: 1) == .idle && table.eviction(of: 9) == nil)
    #expect(table.descriptors.sorted() == [0, 1, 2, 3, 4, 9], "theirs until they are closed")
    table.remove(0)
    #expect(table.eviction(of: 0) == nil && table.descriptors.sorted() == [1, 2, 3, 4, 9])
  }

  @Test mutating func owner_isLetInWhateverOthersDo() {
    for number in 0..<3 {
      _ = table.admit(Int32(number), .other, at: RemoteTableTests.at(0))
      table.note(Int32(number), .busy(true), at: RemoteTableTests.at(1))
    }
    #expect(table.admit(3, .other, at: RemoteTableTests.at(2)) == .refused, "nobody else is idle")
    #expect(table.admit(4, .owner, at: RemoteTableTests.at(2)) == .free)
    #expect(table.admit(5, .owner, at: RemoteTableTests.at(3)) == .evicting(4), "an idle one of the owner's own")
  }

  @Test mutating func lastPlaceOfTheOwner_isNoOthers() {
    _ = table.admit(0, .owner, at: RemoteTableTests.at(0))
    _ = table.admit(1, .owner, at: RemoteTableTests.at(1))
    _ = table.admit(2, .other, at: RemoteTableTests.at(2))
    _ = table.admit(3, .other, at: RemoteTableTests.at(3))
    #expect(table.admit(4, .other, at: RemoteTableTests.at(4)) == .evicting(0), "the owner has another")
    #expect(table.admit(5, .other, at: RemoteTableTests.at(5)) == .evicting(2))
    #expect(table.admit(6, .other, at: RemoteTableTests.at(6)) == .evicting(3))
    #expect(table.eviction(of: 1) == nil)
  }

  @Test mutating func requestUnderWay_isNoIdleness() {
    for number in 0..<4 { _ = table.admit(Int32(number), .owner, at: RemoteTableTests.at(Int64(number))) }
    table.note(0, .busy(true), at: RemoteTableTests.at(10))
    table.note(1, .busy(true), at: RemoteTableTests.at(11))
    table.note(1, .busy(false), at: RemoteTableTests.at(12))
    #expect(table.admit(4, .owner, at: RemoteTableTests.at(13)) == .evicting(2))
    #expect(table.admit(5, .owner, at: RemoteTableTests.at(14)) == .evicting(3))
    #expect(table.admit(6, .owner, at: RemoteTableTests.at(15)) == .evicting(1))
  }

  @Test mutating func watchers_leaveAfterTheIdle_theOldestFirst() {
    for number in 0..<4 { _ = table.admit(Int32(number), .owner, at: RemoteTableTests.at(Int64(number))) }
    // The second begins last; asking again makes nobody younger.
    for (number, second) in [(0, 10), (2, 11), (1, 12), (0, 13)] {
      table.note(Int32(number), .watching(true), at: RemoteTableTests.at(Int64(second)))
    }
    #expect(table.admit(4, .owner, at: RemoteTableTests.at(20)) == .evicting(3), "the only one that is idle")
    #expect(table.eviction(of: 3) == .idle)
    table.note(4, .watching(true), at: RemoteTableTests.at(21))
    #expect(table.admit(5, .owner, at: RemoteTableTests.at(22)) == .evicting(0))
    #expect(table.eviction(of: 0) == .watching)
    table.note(5, .busy(true), at: RemoteTableTests.at(23))
    #expect(table.admit(6, .owner, at: RemoteTableTests.at(24)) == .evicting(2))
    table.note(6, .busy(true), at: RemoteTableTests.at(25))
    // One that watches and has a request under way keeps its place.
    table.note(1, .busy(true), at: RemoteTableTests.at(26))
    #expect(table.admit(7, .owner, at: RemoteTableTests.at(27)) == .evicting(4))
    table.note(1, .busy(false), at: RemoteTableTests.at(28))
    table.note(1, .watching(false), at: RemoteTableTests.at(29))
    #expect(table.admit(8, .owner, at: RemoteTableTests.at(30)) == .evicting(7), "idle since 27, the other since 29")
    #expect(table.admit(9, .owner, at: RemoteTableTests.at(31)) == .evicting(1))
    #expect(table.eviction(of: 1) == .idle, "it watches no more")
  }

  @Test mutating func watcherThatDoesNotRead_isIdle() {
    for number in 0..<4 {
      _ = table.admit(Int32(number), .owner, at: RemoteTableTests.at(0))
      table.note(Int32(number), .watching(true), at: RemoteTableTests.at(Int64(number + 1)))
    }
    table.note(2, .stalled(true), at: RemoteTableTests.at(10))
    table.note(3, .stalled(true), at: RemoteTableTests.at(11))
    table.note(3, .stalled(false), at: RemoteTableTests.at(12))
    #expect(table.admit(4, .owner, at: RemoteTableTests.at(13)) == .evicting(2))
    #expect(table.eviction(of: 2) == .idle)
    table.note(4, .watching(true), at: RemoteTableTests.at(14))
    #expect(table.admit(5, .owner, at: RemoteTableTests.at(15)) == .evicting(0), "the oldest of those that read")
  }

  /// Watchers of others, however many, leave the owner a place.
  @Test mutating func watchersOfOthers_keepTheOwnerNotOut() {
    for number in 0..<3 {
      _ = table.admit(Int32(number), .other, at: RemoteTableTests.at(0))
      table.note(Int32(number), .watching(true), at: RemoteTableTests.at(Int64(number + 1)))
    }
    #expect(table.admit(3, .owner, at: RemoteTableTests.at(5)) == .free)
    table.note(3, .watching(true), at: RemoteTableTests.at(6))
    #expect(table.admit(4, .other, at: RemoteTableTests.at(7)) == .evicting(0), "among themselves")
    #expect(table.admit(5, .other, at: RemoteTableTests.at(8)) == .evicting(4), "one that is idle")
    table.note(5, .watching(true), at: RemoteTableTests.at(9))
    #expect(table.admit(6, .owner, at: RemoteTableTests.at(10)) == .evicting(1))
    #expect(table.eviction(of: 3) == nil)
  }
}
