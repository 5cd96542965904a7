import Color
import Foundation
import Frames
import Looks

/// The shipped look, and look files that a test writes.
enum TestLooks {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  static let portraPath = root.appending(path: "Looks/portra-400.yaml").path

  static let displayP3 = ColorDescription(matrix: .rec709, range: .limited, transfer: .srgb, primaries: .displayP3)
  static let srgb = ColorDescription(matrix: .rec709, range: .limited, transfer: .srgb, primaries: .rec709)

  /// Read once: it takes a while without optimisation.
  static let portra: Result<LookFile, CamrecError> = Result { () throws(CamrecError) in
    try LookFile(path: portraPath)
  }

  static let text = """
    camrec-look: 1
    name: plain
    version: 3
    title: Plain
    derivation:
      command: by hand
      sources:
        - nothing
    exposure: 0.5
    curve:
      - [0, 0]
      - [0.5, 0.4]
      - [1, 1]
    table: plain.cube
    desaturation: {from: 0.8, to: 1, amount: 0.25}
    grain: {intensity: 0.04, size: 1/3000}

    """

  /// An identity of some points per side, or with each value made by `function`.
  static func cube(_ size: Int, _ function: (SIMD3<Double>) -> SIMD3<Double> = { $0 }) throws -> [UInt8] {
    try LookupTable.sampled(size: size, title: nil, reached: { _ in }, function).cubeFile()
  }
}

/// An empty folder of a test's own; it goes with the value.
final class LookFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "camrec-looks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// - Returns: its path.
  @discardableResult
  func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
    let file = url.appending(path: name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
    return file.path
  }
}
