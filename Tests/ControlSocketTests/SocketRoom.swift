import ControlSocket
import Foundation
import Frames
import Recorder
import RecorderTestKit
import Testing

/// A folder of a test's own, and servers in it.
final class SocketRoom {
  let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/camrec-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func path(_ name: String = "1.sock") -> String { "\(folder)/\(name)" }

  /// - Parameters:
  ///   - called: the recorder's name.
  ///   - monitor: the path of its monitor socket.
  func open(
    _ name: String = "1.sock", _ recorder: ScriptedRecorder = ScriptedRecorder(), called: String? = nil,
    monitor: String? = nil
  ) throws(CamrecError) -> ControlServer {
    try ControlServer.open(path: path(name), control: recorder, camrec: "1.2.3", name: called, monitor: { monitor })
  }

  func mode(of path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  func exists(_ path: String) -> Bool { (try? FileManager.default.attributesOfItem(atPath: path)) != nil }

  /// Asks until it holds, or far too long.
  static func eventually(_ holds: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<2000 {
      if try holds() { return true }
      usleep(5000)
    }
    return false
  }
}
