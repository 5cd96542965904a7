package import Frames

/// A colour description by name, as `--color-in` and `--color-out` take it: `apple-log`, `rec709-full`.
///
/// The name gives matrix, transfer function and primaries. A camera's name may also carry its primaries after a slash
/// (`slog3/sgamut3.cine`), which means the same. The range depends more on the device than on the name, so only an
/// ending gives it: `-full` or `-limited`.
package struct ColorName: Hashable, Sendable {
  package let name: String
  /// `nil` if the name does not give it.
  package let range: ColorRange?
  private let limited: ColorDescription

  /// Every name, in the order that help shows.
  package static let all: [(name: String, color: ColorDescription)] = [
    ("rec709", .rec709),
    ("rec601", .rec601),
    ("rec2020", .rec2020),
    ("apple-log", .appleLog),
    ("slog3", .slog3),
    ("vlog", .vlog),
    ("logc3", .logC3),
    ("logc4", .logC4),
    ("flog2", .fLog2),
    ("clog3", .cLog3),
    ("srgb", ColorDescription(matrix: .rec709, range: .limited, transfer: .srgb, primaries: .rec709)),
    ("display-p3", ColorDescription(matrix: .rec709, range: .limited, transfer: .srgb, primaries: .displayP3)),
    ("pq", ColorDescription(matrix: .rec2020, range: .limited, transfer: .pq, primaries: .rec2020)),
    ("hlg", ColorDescription(matrix: .rec2020, range: .limited, transfer: .hlg, primaries: .rec2020)),
  ]

  package static var list: String { all.map(\.name).joined(separator: ", ") }

  /// Long spellings, each with the name that it stands for.
  package static let spelledOut = [
    "apple-log/rec2020": "apple-log", "slog3/sgamut3.cine": "slog3", "vlog/vgamut": "vlog", "logc3/awg3": "logc3",
    "logc4/awg4": "logc4", "flog2/fgamut": "flog2", "clog3/cinemagamut": "clog3",
  ]

  package init(parsing text: String) throws(CamrecError) {
    let lowered = text.lowercased()
    let range = ColorRange.allCases.first { lowered.hasSuffix("-\($0.rawValue)") }
    let said = range.map { String(lowered.dropLast($0.rawValue.count + 1)) } ?? lowered
    let name = ColorName.spelledOut[said] ?? said
    guard let entry = ColorName.all.first(where: { $0.name == name }) else {
      throw CamrecError(.usage, "colours are \(ColorName.list), each optionally followed by -full or -limited")
    }
    self.name = name
    self.range = range
    limited = entry.color
  }

  private init(_ name: String, _ range: ColorRange?, _ limited: ColorDescription) {
    self.name = name
    self.range = range
    self.limited = limited
  }

  /// The colours that `name(of:)` has named so, also those that it named by their parts; `nil` if there are none.
  package static func named(_ text: String) -> ColorName? {
    if let name = try? ColorName(parsing: text) { return name }
    let ending = "-full", isFull = text.hasSuffix(ending)
    let name = isFull ? String(text.dropLast(ending.count)) : text
    let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let matrix = ColorMatrix(rawValue: parts[0]),
      let transfer = TransferCharacteristic(rawValue: parts[1]), let primaries = ColorPrimaries(rawValue: parts[2])
    else { return nil }
    return ColorName(
      name, isFull ? .full : nil,
      ColorDescription(matrix: matrix, range: .limited, transfer: transfer, primaries: primaries))
  }

  /// The description, in the range `fallback` unless the name gives one.
  package func description(range fallback: ColorRange) -> ColorDescription {
    var color = limited
    color.range = range ?? fallback
    return color
  }

  /// The name of a description, or its parts joined by slashes if no name fits; `-full` is added for full range.
  package static func name(of color: ColorDescription) -> String {
    var limited = color
    limited.range = .limited
    let name =
      all.first { $0.color == limited }?.name
      ?? "\(color.matrix.rawValue)/\(color.transfer.rawValue)/\(color.primaries.rawValue)"
    return color.range == .full ? name + "-full" : name
  }
}
