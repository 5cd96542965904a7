import Audio
import Foundation
import Frames
import MediaFFmpeg
import Movies
import TestSupport
import Testing

struct MovieSafetyTests {
  /// After every picture from the second second on, the file as it lies on disk plays up to a second before, with
  /// sound in step and nothing missing in between.
  @Test(arguments: [Container.mov, .mkv])
  func fileOnDiskIsAlwaysWithinASecond(container: Container) throws {
    let directory = try MovieDirectory()
    let settings = MovieTake.settings(
      directory.path("take.\(container.rawValue)"), container: container, width: 96, height: 64, audio: .standard)
    let writer = try MovieWriter.open(settings)
    let bound = try #require(writer.lossBoundSeconds)
    #expect(bound <= 1)
    let take = MovieTake(settings, frames: 72)
    _ = try take.record(to: writer) { number in
      guard number >= 24, number % 5 == 0 || number > 66 else { return }
      let copy = directory.path("killed-\(number).\(container.rawValue)")
      try FileManager.default.copyItem(atPath: settings.path, toPath: copy)
      let scale: Int64 = container == .mov ? 1000 : 0
      let found = try MovieProbe.decodedTimes(copy)
      // The picture was handed over just now; what is in the file must not be older than the bound.
      #expect(Double(number + 1 - found.count) / 24 <= bound, "after picture \(number)")
      if scale > 0 { #expect(found == (0..<found.count).map { Int64($0) * scale }) }
      let samples = try MovieProbe.samples(copy).count / 2
      #expect(samples >= found.count * 2000 - 100)
      #expect(samples <= (number + 1) * 2000)
      try FileManager.default.removeItem(atPath: copy)
    }
  }

  /// A process that records as fast as a camera would and is killed while it writes.
  @Test func killedProcessLeavesAPlayableMovie() async throws {
    let path = Self.path("killed.mov")
    try? FileManager.default.removeItem(atPath: path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    await #expect(processExitsWith: .signal(SIGKILL)) {
      let settings = MovieTake.settings(Self.path("killed.mov"), audio: .standard)
      _ = try MovieTake(settings, frames: 100).record(to: try MovieWriter.open(settings)) { number in
        if number == 60 { kill(getpid(), SIGKILL) }
      }
    }
    let found = try MovieProbe.decodedTimes(path)
    #expect(found == (0..<found.count).map { Int64($0) * 1000 })
    #expect(61 - found.count <= 24)
    #expect(try MovieProbe.samples(path).count >= 2 * 2000 * found.count)
  }

  /// Killed while the index is made, a recording leaves the movie in fragments, whole, and no second file.
  @Test(.enabled(if: Self.hasUnnamedFiles, "this file system has no files without names"))
  func killWhileTheIndexIsMadeLeavesNoCopy() async throws {
    let folder = Self.path("index")
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    await #expect(processExitsWith: .signal(SIGKILL)) {
      let settings = MovieTake.settings(Self.path("index") + "/take.mov", audio: .standard)
      _ = try MovieTake(settings, frames: 240).record(to: try MovieWriter.open(settings)) { number in
        guard number == 0 else { return }
        Thread.detachNewThread { Self.killWhenAnotherFileIsOpen(in: Self.path("index"), beside: "take.mov") }
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["take.mov"])
    #expect(try MovieProbe.decodedTimes(folder + "/take.mov") == (0..<240).map { $0 * 1000 })
  }

  private static func killWhenAnotherFileIsOpen(in folder: String, beside name: String) {
    while true {
      let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
      let targets = open.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
      if targets.contains(where: { $0.hasPrefix(folder + "/") && !$0.hasSuffix("/" + name) }) {
        kill(getpid(), SIGKILL)
      }
    }
  }

  private static var hasUnnamedFiles: Bool {
    let descriptor = open(FileManager.default.temporaryDirectory.path, 0o20000000 | O_DIRECTORY | O_RDWR, 0o600)
    defer { if descriptor >= 0 { close(descriptor) } }
    return descriptor >= 0
  }

  /// The kernel's limit on a file's size stands for a full disk.
  @Test(arguments: ["mov", "mkv"])
  func fullDiskEndsTheMovieWhereItPlays(name: String) async throws {
    let path = Self.path("full.\(name)")
    try? FileManager.default.removeItem(atPath: path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    if name == "mov" {
      await #expect(processExitsWith: .success) { try Self.fillDisk("mov") }
    } else {
      await #expect(processExitsWith: .success) { try Self.fillDisk("mkv") }
    }
    let probe = try MovieProbe(path)
    #expect(probe.video["codec_name"] as? String == "hevc")
    let found = try MovieProbe.decodedTimes(path)
    #expect(found.count > 12)
    if name == "mov" { #expect(found == (0..<found.count).map { Int64($0) * 1000 }) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count <= 400_000)
  }

  /// In a process of its own: the limit holds for all files of a process.
  private static func fillDisk(_ name: String) throws {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: 400_000, rlim_max: 400_000)
    precondition(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
    let settings = MovieTake.settings(
      path("full.\(name)"), container: name == "mov" ? .mov : .mkv, audio: .standard)
    let writer = try MovieWriter.open(settings)
    let refused = #expect(throws: CamrecError.self) {
      try MovieTake(settings, frames: 400).record(to: writer)
    }
    let report = try writer.finish(at: 400_000)
    #expect(refused?.code == .output)
    let sentence = refused?.message ?? ""
    #expect(
      sentence.hasPrefix(
        "'\(settings.path)' is as large as the system lets a file become; it plays, with \(report.frames) frames ("))
    #expect(sentence.hasSuffix(" are free there"))
    #expect(report.frames > 12)
    #expect(report.bytes <= 400_000)
    #expect(report.warnings == ["'\(settings.path)' ends early, after \(report.frames) frames; it plays"])
    #expect(try MovieProbe.times(settings.path).count == Int(report.frames))
    #expect(throws: CamrecError.self) { try writer.write(CountingOwner(settings.format).lend(), at: 500_000) }
  }

  @Test func fullDiskLeavesNoUnplayableMovie() async throws {
    let path = Self.path("unindexed.mov")
    try? FileManager.default.removeItem(atPath: path)
    await #expect(processExitsWith: .success) {
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 400_000, rlim_max: 400_000)
      precondition(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let settings = MovieTake.settings(Self.path("unindexed.mov"), audio: .standard, isLive: false)
      let writer = try MovieWriter.open(settings)
      let refused = #expect(throws: CamrecError.self) { try MovieTake(settings, frames: 400).record(to: writer) }
      #expect(refused?.message.contains("without its index it does not play and is not kept") == true)
      let report = try writer.finish(at: 400_000)
      #expect(report.frames == 0)
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  /// Where the copy that gets the index cannot be made, the fragments stay, and play.
  @Test func movieThatGetsNoIndexStaysInFragments() async throws {
    let path = Self.path("fragments.mov")
    try? FileManager.default.removeItem(atPath: path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    await #expect(processExitsWith: .success) {
      let settings = MovieTake.settings(Self.path("fragments.mov"), audio: .standard)
      let report = try MovieTake(settings, frames: 48).record(to: try MovieWriter.open(settings)) { number in
        // No more files can be opened from here on.
        guard number == 47 else { return }
        var limit = rlimit(rlim_cur: 0, rlim_max: 4096)
        precondition(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      }
      #expect(report.frames == 48)
      #expect(report.bytes > 0)
      #expect(
        report.warnings == [
          "'\(settings.path)' is complete and plays, but stays in fragments: no copy can be made beside it "
            + "(Too many open files)"
        ])
    }
    #expect(try MovieProbe.decodedTimes(path) == (0..<48).map { $0 * 1000 })
    #expect(try MovieProbe.samples(path).count == 2 * 2 * 48000)
    #expect(try MovieBoxes(path).topLevel.prefix(3) == ["ftyp", "moov", "moof"])
  }

  @Test func directoryThatMayNotBeWrittenIsNamed() async throws {
    let folder = Self.path("locked")
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o555])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    await #expect(processExitsWith: .success) {
      let path = Self.path("locked") + "/take.mov"
      // Root may write anywhere; nobody may not.
      if getuid() == 0 { precondition(seteuid(65534) == 0) }
      let refused = #expect(throws: CamrecError.self) { try MovieWriter.open(MovieTake.settings(path)) }
      #expect(refused?.code == .output)
      #expect(
        refused?.message
          == "'\(path)' may not be written by this user; choose another --output or change the permissions")
      #expect(refused?.cause == "Permission denied")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
  }

  private static func path(_ name: String) -> String {
    FileManager.default.temporaryDirectory.appendingPathComponent("camrec-safety-\(getuid())-\(name)").path
  }
}
