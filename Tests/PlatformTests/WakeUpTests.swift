import Glibc
import Platform
import Testing

/// Waiting for a socket and for a bell at the same time.
@Suite struct WakeUpTests {
  /// Two sockets that are connected.
  private final class Pair {
    var ends: [Int32] = [-1, -1]

    init() throws { try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0) }

    deinit { for end in ends where end >= 0 { close(end) } }
  }

  @Test func ring_endsOneWait_howeverOftenItWasRung() throws {
    let bell = try #require(WakeUp()), pair = try Pair()
    let quiet = SocketCall.wait(reading: true, from: pair.ends[0], or: bell, milliseconds: 0)
    #expect(!quiet.canRead && !quiet.isGone && !quiet.isWoken)
    // More often than a pipe has room.
    for _ in 0..<100_000 { bell.ring() }
    #expect(SocketCall.wait(reading: true, from: pair.ends[0], or: bell, milliseconds: -1).isWoken)
    bell.clear()
    #expect(SocketCall.wait(reading: true, from: pair.ends[0], or: bell, milliseconds: 0) == quiet)
    bell.ring()
    #expect(SocketCall.wait(reading: false, from: pair.ends[0], or: bell, milliseconds: -1).isWoken)
  }

  @Test func ring_ofAnotherThread_isHeard() throws {
    let bell = try #require(WakeUp()), pair = try Pair()
    let thread = WorkThread(name: "ringer") { bell.ring() }
    #expect(SocketCall.wait(reading: true, from: pair.ends[0], or: bell, milliseconds: -1).isWoken)
    thread.join()
  }

  @Test func socket_saysWhatItHas_andWhenItIsGone() throws {
    let bell = try #require(WakeUp()), pair = try Pair()
    _ = try SocketCall.send([1, 2], to: pair.ends[1])
    let full = SocketCall.wait(reading: true, from: pair.ends[0], or: bell, milliseconds: -1)
    #expect(full.canRead && !full.isGone && !full.isWoken)
    let unread = SocketCall.wait(reading: false, from: pair.ends[0], or: bell, milliseconds: 0)
    #expect(!unread.canRead && !unread.isGone, "nobody wants to read")
    shutdown(pair.ends[1], Int32(SHUT_WR))
    #expect(!SocketCall.wait(reading: false, from: pair.ends[0], or: bell, milliseconds: 0).isGone, "it still listens")
    close(pair.ends[1])
    pair.ends[1] = -1
    let gone = SocketCall.wait(reading: true, from: pair.ends[0], or: bell, milliseconds: -1)
    #expect(gone.isGone && gone.canRead, "what it said can still be read")
  }
}
