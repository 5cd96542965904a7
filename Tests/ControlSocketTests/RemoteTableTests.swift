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
    #expect(table.isEvicted(0) && table.isEvicted(1) && !table.isEvicted(9))
    #expect(table.descriptors.sorted() == [0, 1, 2, 3, 4, 9], "theirs until they are closed")
    table.remove(0)
    #expect(!table.isEvicted(0) && table.descriptors.sorted() == [1, 2, 3, 4, 9])
  }

  @Test mutating func owner_isLetInWhateverOthersDo() {
    for number in 0..<3 {
      _ = table.admit(Int32(number), .other, at: RemoteTableTests.at(0))
      table.note(Int32(number), isBusy: true, at: RemoteTableTests.at(1))
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
    #expect(!table.isEvicted(1))
  }

  @Test mutating func requestUnderWay_isNoIdleness() {
    for number in 0..<4 { _ = table.admit(Int32(number), .owner, at: RemoteTableTests.at(Int64(number))) }
    table.note(0, isBusy: true, at: RemoteTableTests.at(10))
    table.note(1, isBusy: true, at: RemoteTableTests.at(11))
    table.note(1, isBusy: false, at: RemoteTableTests.at(12))
    #expect(table.admit(4, .owner, at: RemoteTableTests.at(13)) == .evicting(2))
    #expect(table.admit(5, .owner, at: RemoteTableTests.at(14)) == .evicting(3))
    #expect(table.admit(6, .owner, at: RemoteTableTests.at(15)) == .evicting(1))
  }
}
