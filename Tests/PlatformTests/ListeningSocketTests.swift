import Frames
import Platform
import Testing
import TestKit

/// A socket that listens at a path, and clients that connect to it.
@Suite struct ListeningSocketTests {
  private let folder: TemporaryFolder
  private let purpose = SocketFile.Purpose(name: "test socket", setting: .control)

  init() throws { folder = try TemporaryFolder() }

  @Test func lines_goToWhoeverAccepts_untilTheClientCloses() throws {
    let address = try SocketAddress(folder.path("s"))
    let listener = try ListeningSocket(at: address, as: purpose)
    let client = ClientSocket(try address.connect(within: 5))
    let socket = try listener.accept()
    defer { SocketCall.close(socket) }
    #expect(PeerUser.isOwner(socket))
    #expect(client.send([1, 2, 3]) == nil)
    #expect(try SocketCall.receive(from: socket, atMost: 10) == [1, 2, 3])
    client.close()
    #expect(try SocketCall.receive(from: socket, atMost: 10).isEmpty)
  }

  @Test func shutDown_endsTheWaitForAConnection_andMayBeRepeated() throws {
    let listener = try ListeningSocket(at: SocketAddress(folder.path("s")), as: purpose)
    listener.shutDown()
    #expect(throws: SocketCall.Failure.self) { _ = try listener.accept() }
    listener.close()
    listener.shutDown()
    listener.close()
  }

  @Test func nobody_isTold_whereNobodyListens() throws {
    let address = try SocketAddress(folder.path("s"))
    func failure() -> SocketCall.Failure? {
      do throws(SocketCall.Failure) {
        SocketCall.close(try address.connect(within: 5))
        return nil
      } catch { return error }
    }
    #expect(failure()?.isNobody == true, "there is no file")
    let listener = try ListeningSocket(at: address, as: purpose)
    #expect(failure() == nil)
    listener.close()
    #expect(failure()?.isNobody == true, "the file is left")
    listener.removeFile()
    #expect(try folder.names.isEmpty)
  }
}
