import Foundation
import TestKit
import Testing

/// What a rig gives each of its recordings that its file does not say.
@Suite(.serialized) struct RigSharesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func arguments(_ rig: RunningRig, _ name: String) throws -> [String] {
    let pid = try #require(rig.pid(name))
    return try Data(contentsOf: URL(fileURLWithPath: "/proc/\(pid)/cmdline")).split(separator: 0).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  @Test func coresAreDivided_andFilesInPiecesMayHaveFasterPresets() throws {
    let rig = try RunningRig(
      """
      defaults: {size: 160x96, fps: 12, codec: ffv1, microphone: none}
      cameras:
        one: {camera: "sim:seed=1"}
        other: {camera: "sim:seed=2", segment: 1h}
        own: {camera: "sim:seed=3", cores: 1, segment: 1h, on-slow-encoder: keep}
      """, in: folder)
    rig.awaitRecording("one", "other", "own")
    let share = "--cores=\(max(1, ProcessInfo.processInfo.activeProcessorCount / 3))"
    let one = try arguments(rig, "one"), other = try arguments(rig, "other"), own = try arguments(rig, "own")
    for words in [one, other, own] { #expect(words.filter { $0.hasPrefix("--cores=") }.count == 1, "\(words)") }
    #expect(one.contains(share) && other.contains(share) && own.contains("--cores=1"))
    #expect(!one.contains { $0.hasPrefix("--on-slow-encoder") }, "without a next file there is nothing to change")
    #expect(other.contains("--on-slow-encoder=faster"))
    #expect(own.filter { $0.hasPrefix("--on-slow-encoder") } == ["--on-slow-encoder=keep"])
    rig.send(signal: SIGTERM)
    #expect([0, 3].contains(rig.wait().exitCode))
  }
}
