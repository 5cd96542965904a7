import Foundation
import Frames
import MediaFFmpeg

/// This program, for processes that it starts.
enum CamrecProgram {
  /// What decides about pictures beside all that it is told: its own file, FFmpeg's libraries, the instruction set.
  static let identity: [String] = [
    (try? NamedFile.digest(path: "/proc/self/exe", what: "program")) ?? "unknown", LibavVersions.text,
    ProcessInfo.processInfo.environment["CAMREC_CPU"] ?? "",
  ]

  /// Its path, whatever its file is called by now.
  ///
  /// - Throws: code `defect`.
  static func path() throws(CamrecError) -> String {
    do { return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") } catch {
      throw CamrecError(.defect, "camrec cannot tell where its own file is", cause: error.localizedDescription)
    }
  }
}
