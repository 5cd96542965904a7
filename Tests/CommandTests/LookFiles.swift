import Foundation
import TestKit

/// The shipped look, and looks of a test's own with its table.
enum LookFiles {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Looks")
  static let portra = folder.appending(path: "portra-400.yaml").path

  /// Writes `own.yaml` and `own.cube`, which are the shipped look under another name, with some of its text changed.
  ///
  /// - Parameter changes: what to replace, and by what.
  static func writeOwn(to folder: TemporaryFolder, _ changes: [(String, String)] = []) throws {
    var text = try String(contentsOfFile: portra, encoding: .utf8).replacing("name: portra-400", with: "name: own")
      .replacing("table: portra-400.cube", with: "table: own.cube")
    for (old, new) in changes { text = text.replacing(old, with: new) }
    _ = try folder.write(text.utf8, to: "own.yaml")
    let cube = try Data(contentsOf: Self.folder.appending(path: "portra-400.cube"))
    _ = try folder.write(cube, to: "own.cube")
  }
}
