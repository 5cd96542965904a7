import Foundation
import Glibc
import Platform
import Synchronization
import TestKit
import Testing

/// With real pipes that nobody empties, and a terminal that is held.
@Suite struct LineWriterTests {
  @Test func aFullPipe_holdsNobody_andWhatDidNotFitIsSaid() throws {
    let pipe = try FullPipe()
    let writer = LineWriter(descriptor: pipe.writing, capacity: 1000) { "\($0) lines did not fit" }
    writer.waitForNobody()
    // 100 bytes each: the first is in the thread's hands.
    let lines = (0..<100).map { String(format: "%03d", $0) + String(repeating: "x", count: 96) }
    lines.forEach { writer.write($0) }
    #expect(!writer.finish(within: 0.05))
    // The thread may take its first line when others were lost already: then two places say how many.
    var (kept, lost) = ([String](), 0)
    _ = pipe.read { text in
      let told = text.split(separator: "\n").map(String.init)
      kept = told.filter { !$0.hasSuffix(" lines did not fit") }
      lost = text.matches(of: /([0-9]+) lines did not fit/).compactMap { Int($0.1) }.reduce(0, +)
      return text.hasSuffix("\n") && kept.count + lost >= 100
    }
    #expect((10...11).contains(kept.count) && kept.count + lost == 100)
    #expect(kept == lines.filter(kept.contains), "in order: \(kept)")
    // There is room again, and everything is said where it belongs.
    writer.write("behind it")
    #expect(pipe.read(until: "behind it\n") == "behind it\n")
  }

  @Test func theNoticeStandsWhereTheLinesAreMissing() throws {
    let pipe = try FullPipe()
    let writer = LineWriter(descriptor: pipe.writing, capacity: 110) { "(\($0))" }
    writer.waitForNobody()
    writer.write("first")
    // The thread has it in its hands, or it waits; another one of 90 bytes fits beside it.
    writer.write(String(repeating: "a", count: 90))
    for _ in 0..<3 { writer.write(String(repeating: "b", count: 90)) }
    writer.write("last")
    let text = pipe.read(until: "last\n")
    #expect(text == "first\n" + String(repeating: "a", count: 90) + "\n(3)\nlast\n")
  }

  @Test func routine_leavesHalfOfTheRoomToNews() throws {
    let pipe = try FullPipe()
    let writer = LineWriter(descriptor: pipe.writing, capacity: 200) { "(\($0))" }
    writer.waitForNobody()
    writer.write("begin")
    for _ in 0..<50 { writer.write("progress.", .routine) }
    writer.write("the film has ended")
    let text = pipe.read(until: "the film has ended\n")
    let routine = text.split(separator: "\n").count { $0 == "progress." }
    let lost = text.matches(of: /\(([0-9]+)\)/).compactMap { Int($0.1) }.reduce(0, +)
    #expect((9...10).contains(routine) && lost == 50 - routine && text.hasSuffix("\nthe film has ended\n"), "\(text)")
  }

  @Test func aReaderThatIsGone_isNoReasonToWait() throws {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    close(ends[0])
    defer { close(ends[1]) }
    let writer = LineWriter(descriptor: ends[1]) { "\($0)" }
    for _ in 0..<100 { writer.write("nobody") }
    #expect(writer.finish(within: 10))
    #expect(writer.isReaderGone && writer.isPipeClosed && writer.failure == EPIPE)
  }

  @Test func whatCannotBeWrittenTo_isNoClosedPipe() throws {
    let unwritable = open("/dev/null", O_RDONLY)
    try #require(unwritable >= 0)
    defer { close(unwritable) }
    let writer = LineWriter(descriptor: unwritable) { "\($0)" }
    writer.write("nobody")
    #expect(writer.finish(within: 10))
    #expect(writer.isReaderGone && !writer.isPipeClosed && writer.failure == EBADF)
  }

  @Test func whoWaitsForTheReader_losesNothing_andSaysItInOrder() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    let writer = LineWriter(descriptor: ends[1], capacity: 10) { "\($0)" }
    let reading = ends[0]
    let read = Mutex("")
    let reader = Thread {
      var block = [UInt8](repeating: 0, count: 4096)
      while !read.withLock({ $0.hasSuffix("line 1999\n") }) {
        let count = Glibc.read(reading, &block, block.count)
        if count <= 0 { return }
        read.withLock { $0 += String(decoding: block.prefix(count), as: UTF8.self) }
      }
    }
    reader.start()
    for number in 0..<2000 { writer.write("line \(number)") }
    #expect(PseudoTerminal.eventually { read.withLock { $0.hasSuffix("line 1999\n") } })
    #expect(read.withLock { $0 } == (0..<2000).map { "line \($0)\n" }.joined())
  }

  @Test func aFullDisk_isSaidOnceThereIsRoom() throws {
    let full = open("/dev/full", O_WRONLY)
    try #require(full >= 0)
    let place = open(NSTemporaryDirectory() + "lines-\(UUID().uuidString)", O_RDWR | O_CREAT, 0o600)
    defer { [full, place].forEach { close($0) } }
    let own = dup(full)
    defer { close(own) }
    let writer = LineWriter(descriptor: own) { "\($0) lost" }
    writer.write("one")
    writer.write("two")
    dup2(place, own)
    writer.write("three")
    var block = [UInt8](repeating: 0, count: 100)
    let count = pread(place, &block, block.count, 0)
    #expect(String(decoding: block.prefix(max(0, count)), as: UTF8.self) == "2 lost\nthree\n")
  }

  @Test func aTerminalThatIsHeld_holdsNobody() throws {
    let terminal = try PseudoTerminal()
    tcflow(terminal.terminal, TCOOFF)
    let writer = LineWriter(descriptor: terminal.terminal, redraws: true) { "\($0)" }
    writer.waitForNobody()
    for number in 0..<100 { writer.write("line \(number)") }
    writer.show(status: "REC")
    #expect(!writer.finish(within: 0.05))
    tcflow(terminal.terminal, TCOON)
    let text = terminal.screen(until: "line 99\r\n")
    #expect(text.hasPrefix("line 0\r\nline 1\r\n") && text.hasSuffix("line 99\r\n"))
  }

  @Test func theStatusLine_standsBelowAllLines_andGoesAtTheEnd() throws {
    let terminal = try PseudoTerminal()
    let writer = LineWriter(descriptor: terminal.terminal, redraws: true) { "\($0)" }
    writer.show(status: "REC 0:00:01")
    #expect(terminal.screen(until: "\u{1B}[K") == "\rREC 0:00:01\u{1B}[K")
    writer.write("a warning")
    #expect(terminal.screen(until: "01\u{1B}[K") == "\r\u{1B}[Ka warning\r\n\rREC 0:00:01\u{1B}[K")
    writer.show(prompt: ":rate")
    #expect(terminal.screen(until: "\u{1B}[K") == "\r:rate\u{1B}[K")
    writer.show(prompt: "")
    #expect(terminal.screen(until: "\u{1B}[K") == "\rREC 0:00:01\u{1B}[K")
    #expect(writer.finish(within: 10))
    #expect(terminal.screen(until: "\u{1B}[K") == "\r\u{1B}[K")
  }

  /// Only the last row of a line that wraps could be removed.
  @Test func ofALongPrompt_theEndIsShown() throws {
    let terminal = try PseudoTerminal()
    let writer = LineWriter(descriptor: terminal.terminal, redraws: true) { "\($0)" }
    let columns = writer.columns, typed = ":" + String(repeating: "abcdefghij", count: columns)
    writer.show(prompt: String(typed.prefix(columns - 1)))
    #expect(terminal.screen(until: "\u{1B}[K") == "\r\(typed.prefix(columns - 1))\u{1B}[K")
    writer.show(prompt: typed)
    #expect(terminal.screen(until: "\u{1B}[K") == "\r…\(typed.suffix(columns - 2))\u{1B}[K")
    #expect(writer.finish(within: 10))
  }

  @Test func aPipe_hasNoStatusLine() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    let writer = LineWriter(descriptor: ends[1]) { "\($0)" }
    writer.show(status: "REC 0:00:01")
    writer.show(prompt: ":")
    writer.write("line")
    #expect(writer.finish(within: 10))
    var block = [UInt8](repeating: 0, count: 100)
    let count = read(ends[0], &block, block.count)
    #expect(String(decoding: block.prefix(count), as: UTF8.self) == "line\n")
  }
}
