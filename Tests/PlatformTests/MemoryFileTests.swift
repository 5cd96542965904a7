import Foundation
import Platform
import Testing

struct MemoryFileTests {
  @Test func whatIsWrittenIsReadInPieces() throws {
    let file = try MemoryFile()
    #expect(try file.size == 0 && file.read(at: 0, count: 10) == [])
    try OpenFile.append([1, 2, 3, 4, 5], to: file.descriptor)
    #expect(try file.size == 5 && file.read(at: 1, count: 3) == [2, 3, 4] && file.read(at: 4, count: 10) == [5])
    #expect(fcntl(file.descriptor, F_GETFD) & FD_CLOEXEC != 0)
  }

  @Test func itIsGoneWithTheLastReference() throws {
    var file: MemoryFile? = try MemoryFile()
    let descriptor = try #require(file).descriptor
    var before = stat(), after = stat()
    #expect(fstat(descriptor, &before) == 0)
    file = nil
    // Another thread may have that number by now.
    #expect(fstat(descriptor, &after) != 0 || (after.st_dev, after.st_ino) != (before.st_dev, before.st_ino))
  }
}
