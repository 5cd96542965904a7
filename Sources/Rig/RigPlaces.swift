import Cameras
import ControlSocket
import Foundation
import Frames
import Platform
import RecorderRemote

/// A rig's default folders, for what its file does not set.
package struct RigPlaces {
  package var environment: [String: String]
  package var state: String

  package init(
    environment: [String: String] = ProcessInfo.processInfo.environment, state: String = StateFolder.path
  ) {
    self.environment = environment
    self.state = state
  }

  /// One folder per rig file: its name and a hash of its path.
  package func settingsFolder(rig: String) -> String {
    // systemd.exec(5): several are separated by colons; the first counts.
    let service = (environment["STATE_DIRECTORY"] ?? "").split(separator: ":").first.map(String.init)
    let base = service.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? state
    let name = PathText(rig).stem
    return "\(base)/rig-\(name)-\(String(RigPlaces.hash(PathText(rig).resolved), radix: 16))"
  }

  package var socketsFolder: String? { ControlPlace().folder }

  /// FNV-1a, 32 bits (draft-eastlake-fnv): the same on every run, unlike Swift's own.
  private static func hash(_ text: String) -> UInt32 {
    text.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
  }
}
