import Foundation
import Platform
import Testing

@Suite struct ProcessIdentityTests {
  @Test func ownProcess_isAlive_andNoOtherOfItsNumber() throws {
    let own = ProcessIdentity.own()
    #expect(own.pid == getpid() && own.isAlive)
    let started = try #require(own.started)
    #expect(!ProcessIdentity(pid: own.pid, started: started - 1, boot: own.boot).isAlive)
    #expect(!ProcessIdentity(pid: own.pid, started: started, boot: "another").isAlive)
  }

  @Test func endedProcess_isNotAlive() throws {
    let child = Process()
    child.executableURL = URL(fileURLWithPath: "/bin/true")
    try child.run()
    child.waitUntilExit()
    let boot = ProcessIdentity.own().boot
    #expect(!ProcessIdentity(pid: child.processIdentifier, started: nil, boot: boot).isAlive)
  }
}
