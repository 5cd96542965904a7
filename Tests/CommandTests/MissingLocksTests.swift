import Foundation
import TestKit
import Testing

/// A file system that has no locks, as some of NFS and FUSE: each flock(2) of camrec says so.
@Suite struct MissingLocksTests {
  let folder: TemporaryFolder
  private let environment: [String: String]

  init() throws {
    folder = try TemporaryFolder()
    let source = "#include <errno.h>\nint flock(int file, int operation) { errno = ENOLCK; return -1; }\n"
    _ = try folder.write(source.utf8, to: "locks.c")
    _ = try Tool.run(["clang", "-shared", "-fPIC", "-o", folder.path("locks.so"), folder.path("locks.c")])
    environment = ["LD_PRELOAD": folder.path("locks.so")]
  }

  private func run(_ line: String) throws -> CamrecBinary.Outcome {
    try CamrecBinary.find().run(
      line.split(separator: " ").map(String.init), in: folder.url, environment: environment, timeout: 60)
  }

  private let camera = "--camera sim:pace=pulled --size 64x36 --frames 24 --microphone none"

  @Test func recordingGoesOn_andSaysSo() throws {
    let outcome = try run("\(camera) --output take.mov --keep-count 3")
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    #expect(
      outcome.standardError.contains("Warning: the file system of '.' has no locks: other programs cannot see that"))
    #expect(try CamrecBinary.find().run(["verify", "take.mov"], in: folder.url).exitCode == 0)
  }

  /// Whoever writes it cannot be seen but by that.
  @Test func aFilmThatHasJustChangedIsNotReplaced() throws {
    #expect(try run("\(camera) --output take.mov").exitCode == 0)
    func written(at date: Date) throws {
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: folder.path("take.mov"))
    }
    // However long the machine takes for it.
    try written(at: Date(timeIntervalSinceNow: 3600))
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.path("take.mov")))
    let refused = try run("\(camera) --output take.mov --overwrite")
    #expect(
      refused.exitCode == 74 && refused.standardError.contains(
        "Error: 'take.mov' was written less than 10 s ago, and its file system has no locks to show whether it is "
          + "still being recorded; choose another --output, or wait\n"), "\(refused.standardError)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("take.mov"))) == before)
    try written(at: Date(timeIntervalSinceNow: -11))
    #expect(try run("\(camera) --output take.mov --overwrite").exitCode == 0)
  }

  /// A recorder there may be one of another machine.
  @Test func whatIsLeftOfABakeStays() throws {
    #expect(try run("\(camera) --output take.mov").exitCode == 0)
    _ = try folder.write("left".utf8, to: ".out.mov.part-1.mov")
    #expect(try run("bake take.mov --output out.mov").exitCode == 0)
    #expect(try folder.names.contains(".out.mov.part-1.mov"))
  }
}
