import Foundation
import TestKit
import Testing

/// A rig that was started, in a folder of its own, with its events.
final class RunningRig {
  let folder: TemporaryFolder
  private let running: RunningCamrec
  private let sockets: URL

  /// - Parameter file: the rig file's text.
  init(_ file: String, in folder: TemporaryFolder, arguments: [String] = []) throws {
    self.folder = folder
    // A socket's path has at most 107 bytes.
    sockets = URL(fileURLWithPath: "/tmp/rig-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: sockets, withIntermediateDirectories: true)
    _ = try folder.write(file.utf8, to: "rig.yaml")
    running = try CamrecBinary.find().start(
      ["rig", "--json"] + arguments + ["rig.yaml"], in: folder.url,
      environment: [
        "XDG_RUNTIME_DIR": sockets.path, "XDG_STATE_HOME": folder.path("state"), "RUNTIME_DIRECTORY": "",
        "STATE_DIRECTORY": "",
      ])
  }

  deinit { try? FileManager.default.removeItem(at: sockets) }

  var words: String { running.outputSoFar().standardError }

  /// What has been told so far; of one camera where it is named.
  func events(_ name: String? = nil) -> [[String: Any]] {
    let lines = running.outputSoFar().standardOutput.split(separator: "\n")
    let all = lines.compactMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
    return name == nil ? all : all.filter { $0["name"] as? String == name }
  }

  func events(_ name: String, _ event: String) -> [[String: Any]] {
    events(name).filter { $0["event"] as? String == event }
  }

  /// The process that records a camera now.
  func pid(_ name: String) -> Int32? { (events(name, "process").last?["pid"] as? Int).map(Int32.init) }

  /// Waits until `condition` holds, and expects it to.
  func await(
    _ what: String, seconds: Double = 120, _ condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for _ in 0..<Int(seconds * 50) {
      if condition() { return }
      usleep(20_000)
    }
    Issue.record(
      "\(what): \(words)\n\(running.outputSoFar().standardOutput.suffix(2000))", sourceLocation: sourceLocation)
  }

  func awaitRecording(_ names: String..., films: Int = 1) {
    for name in names { self.await("\(name) records") { events(name, "started").count >= films } }
  }

  func send(signal: Int32) { running.send(signal: signal) }
  func wait(timeout: Double = 120) -> CamrecBinary.Outcome { running.wait(timeout: timeout) }

  func ctl(_ arguments: String...) throws -> CamrecBinary.Outcome {
    try CamrecBinary.find().run(
      ["ctl"] + arguments, environment: ["XDG_RUNTIME_DIR": sockets.path, "RUNTIME_DIRECTORY": ""], timeout: 60)
  }

  func status(_ arguments: String...) throws -> CamrecBinary.Outcome {
    try CamrecBinary.find().run(
      ["status"] + arguments, environment: ["XDG_RUNTIME_DIR": sockets.path, "RUNTIME_DIRECTORY": ""], timeout: 60)
  }

  /// Of the films that are finished and can be read.
  static func isPlayable(_ path: String) -> Bool {
    let frames = try? Tool.run([
      "ffprobe", "-v", "error", "-count_packets", "-select_streams", "v:0", "-show_entries", "stream=nb_read_packets",
      "-of",
      "csv=p=0", path,
    ])
    return Int(String(decoding: frames ?? Data(), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
      > 0
  }
}
