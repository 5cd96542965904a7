import Foundation
import TestKit
import Testing

/// A film that is being recorded or recovered is replaced by nothing.
@Suite(.serialized) struct FilmInUseTests {
  private let camrec: CamrecBinary
  private let folder: TemporaryFolder

  init() throws {
    camrec = try CamrecBinary.find()
    folder = try TemporaryFolder()
  }

  private func run(_ line: String, environment: [String: String] = [:]) throws -> CamrecBinary.Outcome {
    try camrec.run(
      line.split(separator: " ").map(String.init), in: folder.url, environment: environment, timeout: 120)
  }

  private let camera = "--camera sim:pace=pulled --size 64x36 --frames 24 --microphone none --codec ffv1 --control none"

  private func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: folder.path(name))) }

  /// Holds the lock of a film as its recorder does, and nobody else could tell.
  private func hold(_ name: String) throws -> FileHandle {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder.path(name)))
    #expect(flock(file.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
    return file
  }

  @Test(arguments: [
    "bake clip.mkv -o live.mkv --overwrite --codec ffv1", "bake clip.mkv -o live.mkv --overwrite --keep-partial",
    "bake --list list -o baked/{clip}.mkv --overwrite --codec ffv1",
    "compare clip.mkv clip.mkv --json live.mkv --overwrite", "lut convert look.cube live.cube --overwrite",
    "record --camera sim:pace=pulled --size 64x36 --frames 9 --microphone none -o live.mkv --overwrite --control none",
    "recover live.mov", "verify live.mov",
  ])
  func whatIsRecordedStays(line: String) throws {
    #expect(try run("\(camera) --output clip.mkv").exitCode == 0)
    let cube = "LUT_3D_SIZE 2\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n"
    _ = try folder.write(cube.utf8, to: "look.cube")
    try FileManager.default.createDirectory(atPath: folder.path("baked"), withIntermediateDirectories: false)
    _ = try folder.write("clip.mkv\n".utf8, to: "list")
    let names = ["live.mkv", "live.mov", "live.cube", "baked/clip.mkv"]
    // Nothing in it yet: only the lock says that it is a film.
    let held = try names.map { name in
      _ = try folder.write("".utf8, to: name)
      _ = try folder.write("{\"camrec-sidecar\":1}\n".utf8, to: name + ".camrec")
      return try hold(name)
    }
    let outcome = try run(line)
    let words = outcome.standardError + outcome.standardOutput
    #expect([74, 1].contains(outcome.exitCode), "\(words)")
    #expect(words.contains("is being recorded or recovered right now"), "\(words)")
    #expect(
      !words.contains("recording to") && !words.contains("lost"), "it was refused before the camera ran: \(words)")
    for (name, file) in zip(names, held) {
      var own = stat(), there = stat()
      #expect(fstat(file.fileDescriptor, &own) == 0 && stat(folder.path(name), &there) == 0)
      #expect(own.st_ino == there.st_ino && own.st_size == 0, "\(name)")
      #expect(try bytes(name + ".camrec") == Data("{\"camrec-sidecar\":1}\n".utf8), "\(name)")
    }
    #expect(try folder.names.allSatisfy { !$0.contains(".part-") }, "it was refused before anything was baked")
  }

  /// It was nobody's when the bake began; what was baked is not lost for it.
  @Test func aFilmThatIsInUseAtTheEndOfABakeStays_andTheBakeToo() throws {
    #expect(try run("\(camera) --output old.mkv").exitCode == 0)
    let before = try bytes("old.mkv"), sidecar = try bytes("old.mkv.camrec")
    var seconds = 40
    while true {
      _ = try Tool.run([
        "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=64x36:rate=50:duration=\(seconds)", "-c:v",
        "ffv1", "-color_trc", "bt709", "-colorspace", "bt709", folder.path("clip.mkv"),
      ])
      let bake = try camrec.start(
        "bake clip.mkv -o old.mkv --overwrite --codec ffv1".split(separator: " ").map(String.init), in: folder.url)
      func parts() throws -> [String] { try folder.names.filter { $0.contains(".part-") && $0.hasSuffix(".mkv") } }
      for _ in 0..<6000 where try parts().isEmpty && kill(bake.processIdentifier, 0) == 0 { usleep(10_000) }
      bake.send(signal: SIGSTOP)
      // A machine that was faster has replaced the old film already.
      guard try bytes("old.mkv") == before, try parts().count == 1 else {
        bake.send(signal: SIGCONT)
        _ = bake.wait()
        try before.write(to: URL(fileURLWithPath: folder.path("old.mkv")))
        try sidecar.write(to: URL(fileURLWithPath: folder.path("old.mkv.camrec")))
        seconds *= 4
        continue
      }
      let held = try hold("old.mkv")
      bake.send(signal: SIGCONT)
      let outcome = bake.wait(timeout: 300)
      #expect(
        outcome.exitCode == 74 && outcome.standardError.contains(
          "Error: 'old.mkv' is being recorded or recovered right now; choose another --output; the baked film is "
            + "'old-2.mkv'\n"),
        "\(outcome.standardError)")
      #expect(try Probe(folder.path("old-2.mkv")).video["codec_name"] as? String == "ffv1")
      #expect(try bytes("old.mkv") == before && bytes("old.mkv.camrec") == sidecar)
      return try held.close()
    }
  }

  /// Where there are no locks, a film that has just been written is nobody's to replace.
  @Test func withoutLocksAFilmHasToHaveStoodStill() throws {
    let environment = try FaultyFiles.environment(lacking: "locks")
    #expect(try run("\(camera) --output clip.mkv").exitCode == 0)
    #expect(try run("\(camera) --output old.mkv").exitCode == 0)
    func written(at date: Date) throws {
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: folder.path("old.mkv"))
    }
    try written(at: Date(timeIntervalSinceNow: 3600))
    let before = try bytes("old.mkv"), bake = "bake clip.mkv -o old.mkv --overwrite --codec ffv1"
    let refused = try run(bake, environment: environment)
    #expect(
      refused.exitCode == 74 && refused.standardError.contains(
        "Error: 'old.mkv' was written less than 10 s ago, and its file system has no locks to show whether it is "
          + "still being recorded; choose another --output, or wait\n"), "\(refused.standardError)")
    #expect(try bytes("old.mkv") == before)
    try written(at: Date(timeIntervalSinceNow: -11))
    let done = try run(bake, environment: environment)
    #expect(done.exitCode == 0, "\(done.standardError)")
  }
}
