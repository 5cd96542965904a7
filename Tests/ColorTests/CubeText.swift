import Color
import Frames

/// Writes .cube files as the tools of the world do.
enum CubeText {
  /// The rows of an identity with `size` points per side.
  static func rows(_ size: Int = 5, separator: String = " ") -> [String] {
    var rows: [String] = []
    let step = 1_000_000 / (size - 1)
    func number(_ index: Int) -> String {
      let millionths = index * step
      return "\(millionths / 1_000_000).\(String(1_000_000 + millionths % 1_000_000).dropFirst())"
    }
    for blue in 0..<size {
      for green in 0..<size {
        for red in 0..<size { rows.append([red, green, blue].map(number).joined(separator: separator)) }
      }
    }
    return rows
  }

  /// Header lines, then an identity cube of five.
  static func cube(_ header: [String] = ["LUT_3D_SIZE 5"], rows: [String] = rows(), end: String = "\n") -> [UInt8] {
    Array(((header + rows).joined(separator: end) + end).utf8)
  }

  static func read(_ bytes: [UInt8]) throws(CamrecError) -> LookupTable {
    try LookupTable(cube: bytes, name: "x.cube")
  }

  static func read(_ lines: [String]) throws(CamrecError) -> LookupTable {
    try read(Array(lines.joined(separator: "\n").utf8))
  }

  /// The sentence of the refusal, `nil` where the file was read.
  static func refusal(_ bytes: [UInt8]) -> String? {
    do {
      _ = try read(bytes)
      return nil
    } catch {
      return error.code == .input ? error.message : "a refusal with the code \(error.code)"
    }
  }

  static func refusal(_ lines: [String]) -> String? { refusal(Array(lines.joined(separator: "\n").utf8)) }
}
