import Foundation
import Frames
import Platform
import TestKit
import Testing

/// What the system refuses has the call's name and its number.
@Suite struct SystemCallTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func refusalNamesTheCall() throws {
    let path = folder.path("none")
    let refusal = #expect(throws: SystemCallError.self) { _ = try OpenFile.open(path, O_RDONLY) }
    #expect(refusal?.call.description == "open" && refusal?.number == ENOENT && refusal?.isForbidden == false)
    #expect(refusal?.words == SystemError.words(for: ENOENT))
    let told = #expect(throws: CamrecError.self) {
      try SystemCall.perform("unlink", or: .output, "cannot remove '\(path)'") { unlink(path) }
    }
    #expect(told == CamrecError(.output, "cannot remove '\(path)'", cause: SystemError.words(for: ENOENT)))
  }

  @Test func aCallThatASignalInterruptsIsRepeated() throws {
    var calls = 0
    let result = try SystemCall.perform("read") { () -> Int in
      calls += 1
      errno = EINTR
      return calls < 3 ? -1 : 7
    }
    #expect(result == 7 && calls == 3)
  }

  @Test func bytesAreWrittenAndReadAtTheirPlaces() throws {
    let path = folder.path("file")
    let file = try OpenFile.open(path, O_RDWR | O_CREAT | O_EXCL, mode: 0o640)
    defer { close(file) }
    #expect(fcntl(file, F_GETFD) & FD_CLOEXEC != 0)
    try OpenFile.append([1, 2, 3, 4], to: file)
    try OpenFile.write([9, 8], to: file, at: 1)
    #expect(try OpenFile.read(file, at: 0, count: 10) == [1, 9, 8, 4], "as many as there are")
    #expect(try OpenFile.read(file, at: 3, count: 1) == [4] && OpenFile.read(file, at: 4, count: 1) == [])
    let taken = #expect(throws: SystemCallError.self) {
      _ = try OpenFile.open(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o640)
    }
    #expect(taken?.number == EEXIST)
    let full = try OpenFile.open("/dev/full", O_WRONLY)
    defer { close(full) }
    let refusal = #expect(throws: SystemCallError.self) { try OpenFile.append([1], to: full) }
    #expect(refusal?.number == ENOSPC && refusal?.call.description == "write")
  }

  @Test func namesOfAFolder() throws {
    for name in ["b", ".a"] { close(try OpenFile.open(folder.path(name), O_WRONLY | O_CREAT, mode: 0o640)) }
    let open = try OpenFile.open(folder.url.path, O_RDONLY | O_DIRECTORY)
    defer { close(open) }
    #expect(try FolderNames.read(open).sorted() == [".a", "b"])
    #expect(try FolderNames.read(open).sorted() == [".a", "b"], "again from the first on")
    let file = try OpenFile.open("b", in: open, O_RDONLY)
    defer { close(file) }
    let refusal = #expect(throws: SystemCallError.self) { _ = try FolderNames.read(file) }
    #expect(refusal?.number == ENOTDIR)
  }

  @Test func aLineOfTheKernel() throws {
    let path = folder.path("brightness")
    #expect(KernelFile.read(path) == nil)
    close(try OpenFile.open(path, O_WRONLY | O_CREAT, mode: 0o640))
    #expect(KernelFile.read(path) == "")
    try KernelFile.write("255", to: path)
    #expect(KernelFile.read(path) == "255")
    let refusal = #expect(throws: SystemCallError.self) { try KernelFile.write("1", to: folder.path("none")) }
    #expect(refusal?.number == ENOENT)
  }
}
