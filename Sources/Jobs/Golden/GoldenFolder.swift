import Assembly
import Foundation
package import Frames
package import Goldens
import Platform

/// The goldens of a suite: a text for each stage of each case.
package struct GoldenFolder {
  package let path: String

  /// Most bytes of a golden: nine hours of film at 24 frames a second take 60 MB.
  private static let limit = 64 << 20

  package func file(_ name: String, _ stage: GoldenStage) -> String {
    "\(path)/\(name).\(stage.rawValue).\(stage.isHashes ? "framemd5" : "txt")"
  }

  /// The film of the baked frames, if the case keeps one.
  package func kept(_ name: String) -> String { "\(path)/\(name).baked.mkv" }

  /// - Returns: `nil` if there is none.
  /// - Throws: code `input` if it cannot be read or is not a golden.
  package func golden(_ name: String, _ stage: GoldenStage) throws(CamrecError) -> StageContent? {
    let path = file(name, stage)
    // Opening it reports any other problem.
    do throws(SystemCallError) { try SystemCall.perform("access") { unsafe access(path, F_OK) } } catch {
      if error.number == ENOENT { return nil }
    }
    return try GoldenFolder.content(path, stage)
  }

  /// Makes the folder if it is missing.
  ///
  /// - Throws: code `output`.
  package func make() throws(CamrecError) {
    do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
      throw CamrecError(.output, "the folder '\(path)' cannot be made", cause: error.localizedDescription)
    }
  }

  /// - Throws: code `output`.
  package func write(_ text: [UInt8], _ name: String, _ stage: GoldenStage) throws(CamrecError) {
    try make()
    try AtomicFile(path: file(name, stage), mark: stage.mark, mode: 0o644).replace(with: text)
  }

  package static func text(_ path: String) throws(CamrecError) -> [UInt8] {
    try NamedFile.read(path: path, what: "golden", limit: limit)
  }

  package static func content(_ path: String, _ stage: GoldenStage) throws(CamrecError) -> StageContent {
    try StageContent(stage, text: String(decoding: text(path), as: UTF8.self), path: path)
  }
}

extension GoldenStage {
  /// Hashes replace hashes, and a broken golden, whatever is left of it.
  fileprivate var mark: AtomicFile.Mark? {
    isHashes ? AtomicFile.Mark(name: "golden", text: RecordingKind.hashesHeading, older: [""]) : nil
  }
}
