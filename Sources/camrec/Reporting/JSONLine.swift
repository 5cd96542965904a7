import Foundation

/// What was asked for, for programs: an object on a line of standard output, by which `--json` is the same everywhere.
enum JSONLine {
  /// Numbers that are none are texts: `inf`, `nan`. Thread: any.
  static func print(_ object: some Encodable) {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Of numbers and texts: nothing that JSON does not have.
    if let line = try? encoder.encode(object) { Console.print(json: line) }
  }
}
