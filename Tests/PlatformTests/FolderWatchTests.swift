import Foundation
import Platform
import Testing

/// What the kernel says of real folders.
@Suite struct FolderWatchTests {
  private let folder: URL
  private let watch: FolderWatch

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-watch-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    watch = try #require(FolderWatch())
  }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private func make(_ name: String) throws { try Data("x".utf8).write(to: URL(fileURLWithPath: path(name))) }

  @Test func changes_areThereAtOnce_withTheirNames() throws {
    let number = try watch.add(folder.path)
    #expect(watch.read() == [])
    try make("a")
    #expect(Set(watch.read()) == [.changed(number, name: "a")])
    try FileManager.default.moveItem(atPath: path("a"), toPath: path("b"))
    #expect(Set(watch.read()) == [.changed(number, name: "a"), .changed(number, name: "b")])
    try FileManager.default.removeItem(atPath: path("b"))
    #expect(Set(watch.read()) == [.changed(number, name: "b")])
    try FileManager.default.createDirectory(atPath: path("ä 2"), withIntermediateDirectories: false)
    #expect(Set(watch.read()) == [.changed(number, name: "ä 2")])
    try make("ä 2/inside")
    #expect(!watch.read().contains(.changed(number, name: "inside")), "a folder in it is another folder")
  }

  @Test func oneFolder_hasOneNumber() throws {
    try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: folder.path)
    let number = try watch.add(folder.path)
    #expect(try watch.add(path("link")) == number)
    #expect(try watch.add(folder.path) == number)
    try FileManager.default.createDirectory(atPath: path("other"), withIntermediateDirectories: false)
    #expect(try watch.add(path("other")) != number)
  }

  @Test func whatIsNoFolder_isMissing() throws {
    try make("file")
    for name in ["none", "file", "file/below"] {
      #expect(throws: FolderWatch.Refusal.missing) { try watch.add(path(name)) }
    }
  }

  @Test func removedFolder_isGone() throws {
    try FileManager.default.createDirectory(atPath: path("below"), withIntermediateDirectories: false)
    let number = try watch.add(path("below"))
    try FileManager.default.removeItem(atPath: path("below"))
    #expect(watch.read().contains(.gone(number)))
    try FileManager.default.createDirectory(atPath: path("below"), withIntermediateDirectories: false)
    #expect(watch.read() == [], "another folder")
    #expect(try watch.add(path("below")) != number)
  }

  @Test func folderThatIsNotWatchedAnyMore_isSilent() throws {
    let number = try watch.add(folder.path)
    watch.remove(number)
    _ = watch.read()
    try make("a")
    #expect(watch.read() == [])
  }

  @Test func tooManyChanges_areLost_andItSaysSo() throws {
    let number = try watch.add(folder.path)
    let text = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
    let limit = try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    let names = (path("a"), path("b"))
    for _ in 0...limit {
      close(open(names.0, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
      close(open(names.1, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
    }
    var events: [FolderWatch.Event] = []
    while !events.contains(.lost) {
      let more = watch.read()
      try #require(!more.isEmpty)
      events += more
    }
    #expect(events.count >= limit)
    try make("later")
    #expect(watch.read().contains(.changed(number, name: "later")), "later ones are reported")
  }

  @Test func wait_endsWithAChange_anEnd_orARing() throws {
    let number = try watch.add(folder.path), bell = try #require(WakeUp())
    let maker = WorkThread(name: "maker") { [self] in try? make("a") }
    bell.wait(orChangeIn: watch, orEndOf: [], milliseconds: -1)
    #expect(watch.read().contains(.changed(number, name: "a")))
    maker.join()
    _ = watch.read()
    bell.ring()
    bell.wait(orChangeIn: watch, orEndOf: [], milliseconds: -1)
    bell.clear()
    let child = try ChildProcess(program: "/bin/cat", arguments: [], line: { _, _ in }, ended: { _ in })
    let process = try #require(ProcessWatch(pid: child.pid))
    #expect(!process.hasEnded)
    child.send(SIGKILL)
    bell.wait(orChangeIn: watch, orEndOf: [process], milliseconds: -1)
    #expect(process.hasEnded)
  }

  @Test func aProcessThatIsNotThere_isNotWatched() {
    #expect(ProcessWatch(pid: Int32.max) == nil)
    #expect(ProcessWatch(pid: getpid())?.hasEnded == false)
  }
}
