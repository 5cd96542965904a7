import Foundation
import Frames
import Movies
import Platform
import Synchronization
import Testing

/// Open files whose names others change.
@Suite final class FilePlaceTests {
  private let folder: URL

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-place-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    // As the kernel says it.
    folder = URL(fileURLWithPath: PathText(url.path).resolved)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private func file(_ name: String, bytes: Int = 10) throws -> SystemFile {
    #expect(FileManager.default.createFile(atPath: path(name), contents: Data(repeating: 7, count: bytes)))
    return SystemFile(descriptor: open(path(name), O_RDWR | O_CLOEXEC), path: path(name))
  }

  @Test func aNameThatChangesIsFound() throws {
    let file = try file("a")
    #expect(file.look() == .inPlace)
    #expect(rename(path("a"), path("b")) == 0)
    #expect(file.look() == .renamed(path("b")) && file.path == path("b"))
    #expect(file.look() == .inPlace, "that is its name now")
    try FileManager.default.createDirectory(atPath: path("sub"), withIntermediateDirectories: false)
    #expect(rename(path("b"), path("sub/c")) == 0)
    #expect(file.look() == .renamed(path("sub/c")))
    #expect(rename(path("sub"), path("other")) == 0)
    #expect(file.look() == .renamed(path("other/c")), "its folder was renamed")
  }

  @Test func aSecondNameIsFoundWhereTheFirstIsDeleted() throws {
    let file = try file("a")
    #expect(link(path("a"), path("z")) == 0 && unlink(path("a")) == 0)
    #expect(file.look() == .renamed(path("z")))
    #expect(link(path("z"), path("other")) == 0 && unlink(path("z")) == 0 && unlink(path("other")) == 0)
    #expect(file.look() == .unlinked)
  }

  @Test func anotherFileOfItsNameIsNotIt() throws {
    let file = try file("a")
    _ = try self.file("b", bytes: 3)
    #expect(rename(path("b"), path("a")) == 0)
    #expect(file.look() == .unlinked)
    try file.copy(to: path("copy")) { nil }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path("copy"))) == Data(repeating: 7, count: 10))
    #expect(try Data(contentsOf: URL(fileURLWithPath: path("a"))).count == 3)
    #expect(throws: FileFailure.self) { try file.copy(to: path("a")) { nil } }
  }

  @Test func twoFilesTakeEachOthersName() throws {
    let one = try file("a", bytes: 1), other = try file("b", bytes: 2)
    try one.exchange(with: path("b"))
    #expect(one.path == path("b") && one.look() == .inPlace && other.look() == .renamed(path("a")))
    // The other one does the same at the same time.
    let busy = open(path("a"), O_RDONLY | O_CLOEXEC)
    defer { close(busy) }
    #expect(flock(busy, LOCK_EX | LOCK_NB) == 0)
    let failure = #expect(throws: FileFailure.self) { try one.exchange(with: path("a")) }
    #expect(failure?.number == EWOULDBLOCK && one.look() == .inPlace)
  }

  /// Half a copy helps nobody, and takes what the film that is recorded needs.
  @Test func aCopyThatHasNoRoomLeavesNothing() throws {
    let file = try file("a", bytes: 40 << 20)
    #expect(unlink(path("a")) == 0)
    let looks = Mutex(0)
    let failure = #expect(throws: FileFailure.self) {
      // The room goes while it is copied.
      try file.copy(to: path("copy")) { looks.withLock { $0 += 1; return $0 > 1 ? 1 << 20 : 1 << 30 } }
    }
    // Where the file system shares blocks nothing is copied.
    if looks.withLock({ $0 }) > 0 {
      #expect(failure?.number == ENOSPC)
      #expect(!FileManager.default.fileExists(atPath: path("copy")))
    }
  }

  @Test func theDisksThreadLooksAlthoughNothingIsWritten() throws {
    let looks = Mutex(0)
    let writer = DiskWriter(MemoryFile(), capacity: 100, allowance: 1, isConfirmed: { _ in }, look: {
      looks.withLock { $0 += 1 }
    })
    for _ in 0..<1000 where looks.withLock({ $0 }) < 2 { WorkThread.sleep(.milliseconds(20)) }
    #expect(looks.withLock { $0 } >= 2)
    try writer.synchronize()
  }

  /// As NFS and FUSE may answer.
  @Test func whatNobodyCanSayMayBeSaidLater() {
    let port = ScriptedNames([.unknown, .inPlace, .renamed("b"), .inPlace, .unlinked])
    let name = FileName(port, path: "a")
    let places = (0..<5).map { _ in name.look() }
    #expect(places == [.unknown, .inPlace, .renamed("b"), .renamed("b"), .unlinked])
    #expect(name.path == "b" && name.place == .unlinked)
  }

  /// What a kernel does not answer on demand.
  private final class ScriptedNames: FilePort {
    private let places: Mutex<[FilePlace]>

    init(_ places: [FilePlace]) { self.places = Mutex(places) }

    func look() -> FilePlace { places.withLock { $0.removeFirst() } }
    func write(_ bytes: RawSpan, at offset: Int64) throws(FileFailure) -> Int { bytes.byteCount }
    func read(at offset: Int64, count: Int) throws(FileFailure) -> [UInt8] { [] }
    func truncate(to size: Int64) throws(FileFailure) {}
    func synchronize() throws(FileFailure) {}
    func synchronizeFolder() throws(FileFailure) {}
  }
}
