import Dispatch
import Glibc
import Platform
import Synchronization
import Testing

/// What a program gets from who starts it.
@Suite struct ChildProcessTests {
  /// The descriptors that a child has when it begins, as the shell sees them.
  private func descriptors(_ manner: ChildProcess.Manner) throws -> [String] {
    let lines = Mutex<[String]>([])
    let isOver = DispatchSemaphore(value: 0)
    let child = try ChildProcess(
      program: "/bin/sh",
      arguments: ["-c", "i=0; while [ $i -lt 1024 ]; do [ -L /proc/$$/fd/$i ] && echo $i; i=$((i+1)); done"],
      manner: manner,
      line: { stream, line in if stream == .output { lines.withLock { $0.append(line) } } },
      ended: { _ in isOver.signal() })
    #expect(isOver.wait(timeout: .now() + 30) == .success)
    _ = child.pid
    return lines.withLock { $0 }.sorted()
  }

  @Test(arguments: [false, true]) func inheritsNothingButItsStandardStreams(hasNoInput: Bool) throws {
    // As a library opens one that says nothing of children.
    let foreign = open("/dev/null", O_RDONLY)
    defer { close(foreign) }
    let high = fcntl(foreign, F_DUPFD, 700)
    defer { close(high) }
    #expect(foreign >= 0 && high >= 700)
    #expect(try descriptors(ChildProcess.Manner(hasNoInput: hasNoInput)) == ["0", "1", "2"])
    // It is its owner's, who may want his own children to have it.
    #expect(fcntl(foreign, F_GETFD) == 0 && fcntl(high, F_GETFD) == 0)
  }

  /// Started together, none holds another's pipes: each sees the end of its input when it is its own.
  @Test func childrenThatStartTogetherHaveTheirOwnPipesAlone() throws {
    let all = Mutex<[[String]]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      let found = try? descriptors(ChildProcess.Manner())
      all.withLock { $0.append(found ?? []) }
    }
    #expect(all.withLock { $0 } == Array(repeating: ["0", "1", "2"], count: 8))
  }
}
