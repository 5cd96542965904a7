import Audio
import Foundation
import Frames
import MediaFFmpeg
import Movies
import RecorderAPI
import TestKit
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
      writer.settle()
      let copy = directory.path("killed-\(number).\(container.rawValue)")
      try FileManager.default.copyItem(atPath: settings.path, toPath: copy)
      let scale: Int64 = container == .mov ? 1000 : 0
      let found = try MovieProbe.decodedTimes(copy)
      // The picture was handed over just now; what is in the file must not be older than the bound.
      #expect(Double(number + 1 - found.count) / 24 <= bound, "after picture \(number)")
      // And the writer knows what that is, as soon as the disk's thread has had its turn.
      let end = Int64(found.count) * 1000
      for _ in 0..<6000 where writer.confirmedEnd != end { Thread.sleep(forTimeInterval: 0.01) }
      #expect(writer.confirmedEnd == end, "after picture \(number)")
      if scale > 0 { #expect(found == (0..<found.count).map { Int64($0) * scale }) }
      let samples = try MovieProbe.samples(copy).count / 2
      #expect(samples >= found.count * 2000 - 100)
      #expect(samples <= (number + 1) * 2000)
      try FileManager.default.removeItem(atPath: copy)
    }
  }

  /// Sound is not needed for that.
  @Test(arguments: [Container.mov, .mkv])
  func whatIsRecordedWithoutSoundIsConfirmedMeanwhile(container: Container) throws {
    let directory = try MovieDirectory()
    let settings = MovieTake.settings(
      directory.path("take.\(container.rawValue)"), container: container, width: 96, height: 64)
    let writer = try MovieWriter.open(settings)
    var confirmed: [Int] = []
    _ = try MovieTake(settings, frames: 72).record(to: writer) { number in
      guard number % 24 == 23 else { return }
      writer.settle()
      confirmed.append(writer.disk.synchronizations)
    }
    #expect(confirmed.count == 3 && confirmed[0] > 0 && confirmed[0] < confirmed[1], "\(confirmed)")
  }

  /// A process that records as fast as a camera would and is killed while it writes.
  @Test func killedProcessLeavesAPlayableMovie() async throws {
    let path = Self.path("killed.mov")
    try? FileManager.default.removeItem(atPath: path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    await #expect(processExitsWith: .signal(SIGKILL)) {
      let settings = MovieTake.settings(Self.path("killed.mov"), audio: .standard)
      let writer = try MovieWriter.open(settings)
      _ = try MovieTake(settings, frames: 100).record(to: writer) { number in
        guard number == 60 else { return }
        // Pictures come faster than in real time, and the disk's thread may not have had its turn.
        writer.settle()
        kill(getpid(), SIGKILL)
      }
    }
    let found = try MovieProbe.decodedTimes(path)
    #expect(found == (0..<found.count).map { Int64($0) * 1000 })
    #expect(61 - found.count <= 24)
    #expect(try MovieProbe.samples(path).count >= 2 * 2000 * found.count)
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
        "'\(settings.path)' has reached the system's limit for file sizes. The film plays, "
          + "with \(report.frames) frames ("))
    let remedy =
      name == "mov"
      ? "raise the file size limit, then run camrec recover \(settings.path)" : "divide the recording with --segment"
    #expect(sentence.hasSuffix("; \(remedy)"), "\(sentence)")
    #expect(writer.fault?.reason == .fileSize && writer.fault?.frames == report.frames)
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
      #expect(refused?.message.hasSuffix(". The unfinished film was not kept; raise the file size limit") == true)
      let report = try writer.finish(at: 400_000)
      #expect(report.frames > 12 && report.frames < 400 && !report.isKept && report.bytes == 0)
      #expect(report.warnings == [])
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  /// Where the index finds no room behind the fragments, they stay as they are, and play.
  @Test func movieThatGetsNoIndexStaysInFragments() async throws {
    let path = Self.path("fragments.mov")
    try? FileManager.default.removeItem(atPath: path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let report = try MovieTake(MovieTake.settings(path, audio: .standard), frames: 48).record()
    let indexed = try FilmBoxes(path)
    #expect(report.warnings == [] && indexed.topLevel == ["ftyp", "mdat", "moov"])
    try FileManager.default.removeItem(atPath: path)
    await #expect(processExitsWith: .success) {
      let settings = MovieTake.settings(Self.path("fragments.mov"), audio: .standard)
      // The fragments fit, and half of an index.
      let whole = try MovieTake(settings, frames: 48).record()
      let index = try Int64(#require(FilmBoxes(settings.path).all("moov").first).count + 8)
      try FileManager.default.removeItem(atPath: settings.path)
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: rlim_t(whole.bytes - index / 2), rlim_max: rlim_t(whole.bytes))
      precondition(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let report = try MovieTake(settings, frames: 48).record()
      #expect(report.frames == 48 && report.bytes == whole.bytes - index)
      let said = try #require(report.warnings.first)
      #expect(
        said.hasPrefix(
          "'\(settings.path)' is complete and plays, but stays in fragments: there is no room for its index of "))
      #expect(
        said.hasSuffix("; raise the file size limit, then run camrec recover \(settings.path)"), "\(said)")
      // Again, in a rig: that looks only after failures, and works in its file's folder.
      try FileManager.default.removeItem(atPath: settings.path)
      var ofRig = settings
      ofRig.isOfRig = true
      let place = URL(fileURLWithPath: settings.path)
      precondition(FileManager.default.changeCurrentDirectoryPath(place.deletingLastPathComponent().path))
      ofRig.path = place.lastPathComponent
      let absolute = "\(FileManager.default.currentDirectoryPath)/\(place.lastPathComponent)"
      let warning = try #require(try MovieTake(ofRig, frames: 48).record().warnings.first)
      #expect(
        warning.hasSuffix("; raise the file size limit, then run camrec recover \(absolute)"), "\(warning)")
    }
    #expect(try MovieProbe.decodedTimes(path) == (0..<48).map { $0 * 1000 })
    #expect(try MovieProbe.samples(path).count == 2 * 2 * 48000)
    #expect(try FilmBoxes(path).topLevel.prefix(3) == ["ftyp", "moov", "moof"])
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
          == "this user may not write '\(path)'; choose another --output or change the permissions")
      #expect(refused?.cause == "Permission denied")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
  }

  private static func path(_ name: String) -> String {
    FileManager.default.temporaryDirectory.appendingPathComponent("camrec-safety-\(getuid())-\(name)").path
  }
}
