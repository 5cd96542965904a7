import Foundation

/// Prints a result for programs: a JSON object on a line of standard output, the same way for every `--json`.
package enum JSONLine {
  /// Numbers that JSON lacks are written as strings: `inf`, `nan`. Thread: any.
  package static func print(_ object: some Encodable) {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Numbers and strings only: encoding them cannot fail.
    if let line = try? encoder.encode(object) { Console.print(json: line) }
  }
}
