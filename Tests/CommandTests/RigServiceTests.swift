import Foundation
import TestKit
import Testing

/// A rig as systemd's service.
@Suite struct RigServiceTests {
  @Test func supervisorSpeaksToSystemd_andItsRecordingsDoNot() throws {
    let folder = try TemporaryFolder()
    // A socket's path has at most 107 bytes.
    let room = URL(fileURLWithPath: "/tmp/rig-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: room, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: room) }
    let socket = try NotifySocket(path: room.appendingPathComponent("notify").path)
    _ = try folder.write(
      """
      cameras:
        front: {camera: "sim:pace=pulled", size: 64x36, microphone: none}
        absent: {camera: /dev/nonexistent}
      """.utf8, to: "rig.yaml")
    let environment = [
      "NOTIFY_SOCKET": room.appendingPathComponent("notify").path, "WATCHDOG_USEC": "30000000",
      "XDG_RUNTIME_DIR": room.path, "RUNTIME_DIRECTORY": "", "XDG_STATE_HOME": folder.path("state"),
      "STATE_DIRECTORY": "",
    ]
    let binary = try CamrecBinary.find()
    let rig = try binary.start(["rig", "--log", "json", "rig.yaml"], in: folder.url, environment: environment)
    func status() throws -> CamrecBinary.Outcome {
      try binary.run(["status", "front"], environment: environment, timeout: 60)
    }
    var told: [String] = []
    for _ in 0..<1500 {
      while let message = socket.take() { told.append(message) }
      if told.count(where: { $0 == "WATCHDOG=1\n" }) > 2, try status().standardOutput.contains("): recording") { break }
      usleep(50_000)
    }
    let front = try status()
    #expect(front.exitCode == 0 && front.standardOutput.hasPrefix("front (process "), "\(front)")
    rig.send(signal: SIGTERM)
    let end = rig.wait()
    while let message = socket.take() { told.append(message) }
    #expect(told.first == "READY=1\n" && told.count { $0 == "READY=1\n" } == 1, "\(told)")
    #expect(told.count { $0 == "WATCHDOG=1\n" } > 2, "a camera that is not there is no reason to start anew")
    #expect(told.contains { $0.hasPrefix("STATUS=running: ") && $0.contains("front") })
    #expect(told.count { $0 == "STOPPING=1\n" } == 1)

    // The rig's lines and its recordings' are one log.
    let lines = try end.standardError.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\($0)")
    }
    func has(_ camera: String, _ level: String, _ words: String) -> Bool {
      lines.contains {
        ($0["fields"] as? [String: String])?["camera"] == camera && $0["level"] as? String == level
          && ($0["message"] as? String)?.contains(words) == true
      }
    }
    #expect(has("front", "notice", "recording"))
    #expect(has("absent", "error", "/dev/nonexistent"), "by the recording itself")
    #expect(has("absent", "error", "restarting it in "), "by the rig")
  }
}
