import Foundation
import Platform
import Testing

@Suite struct JournalSocketTests {
  @Test func entries_arrive_andTooLargeOnesAreRefused() throws {
    let socket = try BoundDatagrams()
    let journal = try #require(JournalSocket(path: socket.path))
    #expect(journal.send(Array("MESSAGE=a\n".utf8)))
    #expect(socket.takeText() == "MESSAGE=a\n")
    #expect(!journal.send([UInt8](repeating: 65, count: 64 << 20)), "larger than any socket's buffer")
    #expect(socket.take() == nil)
  }

  @Test func stream_isTheJournals_whereDeviceAndInodeAgree() throws {
    let pipe = Pipe(), other = Pipe()
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    var status = stat()
    #expect(fstat(descriptor, &status) == 0)
    func isStream(_ text: String?, _ descriptor: Int32) -> Bool {
      JournalSocket.isStream(descriptor, environment: text.map { ["JOURNAL_STREAM": $0] } ?? [:])
    }
    let text = "\(status.st_dev):\(status.st_ino)"
    #expect(isStream(text, descriptor))
    #expect(!isStream(text, other.fileHandleForWriting.fileDescriptor), "redirected since")
    #expect(!isStream(text, -1))
    for wrong in [nil, "", ":", "8", "8:x", "\(status.st_dev):\(status.st_ino):1"] {
      #expect(!isStream(wrong, descriptor), "\(wrong ?? "none")")
    }
  }
}
