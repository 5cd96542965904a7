import Foundation
package import Frames
import MediaFFmpeg

/// The running program, for starting more processes of it.
package enum CamrecProgram {
  /// What affects frames besides the arguments: camrec's own file, FFmpeg's libraries, the instruction set.
  package static let identity: [String] = [
    (try? NamedFile.digest(path: "/proc/self/exe", what: "program")) ?? "unknown", LibavVersions.text,
    ProcessInfo.processInfo.environment["CAMREC_CPU"] ?? "",
  ]

  /// The path of the program's file, even if it was renamed after the start.
  ///
  /// - Throws: code `defect`.
  package static func path() throws(CamrecError) -> String {
    do { return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") } catch {
      throw CamrecError(.defect, "cannot find camrec's own program file", cause: error.localizedDescription)
    }
  }
}
