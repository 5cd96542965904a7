import Foundation
import Platform
import Testing

@Suite struct ServiceManagerTests {
  @Test(arguments: [false, true])
  func messages_arriveAsSdNotifySays(_ isAbstract: Bool) throws {
    let socket = try BoundDatagrams(isAbstract: isAbstract)
    let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": socket.path]))
    manager.ready()
    manager.status("recording\nREADY=0")
    manager.feedWatchdog()
    manager.stopping()
    #expect(socket.takeText() == "READY=1\n")
    #expect(socket.takeText() == "STATUS=recording READY=0\n", "a line feed in it would begin another assignment")
    #expect(socket.takeText() == "WATCHDOG=1\n")
    #expect(socket.takeText() == "STOPPING=1\n")
    #expect(socket.take() == nil)
    #expect(manager.watchdogInterval == nil)
  }

  @Test func withoutAServiceManager_thereIsNone() {
    #expect(ServiceManager(environment: [:]) == nil)
    for path in ["", "/", "@", "notify", "vsock:2:1", "/" + String(repeating: "a", count: 108), "/a\u{0}b"] {
      #expect(ServiceManager(environment: ["NOTIFY_SOCKET": path]) == nil, "\(path)")
    }
  }

  @Test(arguments: [
    (["WATCHDOG_USEC": "30000000"], Duration.seconds(30)),
    (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "77"], .seconds(30)),
    (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "78"], nil), (["WATCHDOG_USEC": "0"], nil),
    (["WATCHDOG_USEC": "-1"], nil), (["WATCHDOG_USEC": "x"], nil), ([:], nil),
  ])
  func watchdog_isForTheProcessThatIsNamed(_ variables: [String: String], _ interval: Duration?) throws {
    let environment = variables.merging(["NOTIFY_SOCKET": "/run/none.sock"]) { $1 }
    #expect(try #require(ServiceManager(environment: environment, pid: 77)).watchdogInterval == interval)
  }

  @Test func nobodyListening_harmsNothing() throws {
    let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": "/nonexistent/camrec.sock"]))
    manager.ready()
    let socket = try BoundDatagrams()
    let datagrams = try #require(DatagramSocket(path: socket.path))
    // A receiver that takes nothing: at some point there is no room, and nobody waits for it.
    let large = [UInt8](repeating: 7, count: 30_000)
    #expect((0..<1000).contains { _ in !datagrams.send(large) })
    #expect(socket.take() == large)
  }
}
