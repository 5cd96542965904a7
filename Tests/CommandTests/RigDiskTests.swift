import Foundation
import TestKit
import Testing

/// A rig whose disk gets full: what counts is how each recorder ends, and not which film was the first to go wrong.
@Suite(.serialized) struct RigDiskTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func start(_ options: String, camera: String = "sim", on disk: SmallDisk) throws -> RunningRig {
    try RunningRig(
      """
      cameras:
        front:
          {camera: "\(camera)", size: 160x96, fps: 12, preset: ultrafast, microphone: none, \(options)
           output: "\(disk.path("front_%H-%M-%S.mov"))"}
      """, in: folder)
  }

  private func fill(_ disk: SmallDisk, _ rig: RunningRig) throws {
    let ended = rig.events("front", "stopped").count
    try disk.fill(leaving: 1_000_000)
    rig.await("the disk ends the film") {
      rig.events("front", "stopped").dropFirst(ended).contains { $0["status"] as? Int == 74 }
    }
  }

  private func empty(_ disk: SmallDisk) throws { try FileManager.default.removeItem(atPath: disk.path("filler")) }

  @Test(.enabled("file systems in memory can be mounted by root alone") { SmallDisk.isAvailable })
  func cameraWhoseEarlierFilmLostFrames_isRestarted_whenTheDiskIsFull() throws {
    let disk = try SmallDisk(megabytes: 60), faults = try folder.write("drop 6 2\n".utf8, to: "faults")
    let rig = try start("", camera: "sim:faults=\(faults)", on: disk)
    rig.await("frames are lost") {
      rig.events("front", "warning").contains { ($0["facts"] as? [String: String])?["reason"] == "deviceGap" }
    }
    #expect(try rig.ctl("--name", "front", "rate", "10").exitCode == 0)
    rig.await("the first film has ended") { rig.events("front", "stopped").first?["status"] as? Int == 3 }
    try fill(disk, rig)
    rig.await("it is restarted") {
      rig.words.contains("front: Error: its last film ended with status 74; restarting it in 1 s\n")
    }
    try empty(disk)
    rig.awaitRecording("front", films: 3)
    rig.send(signal: SIGTERM)
    let end = rig.wait()
    #expect(end.exitCode == 3, "\(end.standardError)")
  }

  @Test(
    .enabled("file systems in memory can be mounted by root alone") { SmallDisk.isAvailable },
    arguments: [true, false])
  func recorderThatIsToldToEnd_hasNotFailed_thoughItsFirstFilmFilledTheDisk(isQuit: Bool) throws {
    let disk = try SmallDisk(megabytes: 60)
    let rig = try start("standby: true,", on: disk)
    rig.await("it stands by") { (try? rig.ctl("--name", "front", "start").exitCode) == 0 }
    try fill(disk, rig)
    try empty(disk)
    rig.await("it records again") { (try? rig.ctl("--name", "front", "start").exitCode) == 0 }
    #expect(try rig.ctl("--name", "front", "stop").exitCode == 0)
    if isQuit {
      #expect(try rig.ctl("--name", "front", "quit").exitCode == 0)
    } else {
      rig.send(signal: SIGINT)
    }
    let end = rig.wait()
    #expect(end.exitCode == 3, "\(end.standardError)")
    #expect(rig.events("front", "process").count == 1 && !end.standardError.contains("restarting"))
    #expect(end.standardError.contains("front: it was told to end and is not restarted\n") == isQuit)
  }
}
