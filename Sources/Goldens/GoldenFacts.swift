public import Frames

/// Facts about a file, one per line: `track 1, rotation: 90`. The golden of a stage without a stream.
public struct GoldenFacts: Hashable, Sendable {
  public struct Fact: Hashable, Sendable {
    public let name: String
    public let value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      // A fact is one line.
      self.value = String(value.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : Character($0) })
    }
  }

  public let facts: [Fact]

  public init(_ facts: [Fact]) { self.facts = facts }

  /// Reads facts back.
  ///
  /// - Parameter path: for error messages.
  /// - Throws: code `input`, with the line, if the text is not a list of facts, or is cut off.
  public init(text: String, path: String) throws(CamrecError) {
    guard text.unicodeScalars.last == "\n" else {
      throw CamrecError(.input, "'\(path)' is incomplete: its last line is cut off")
    }
    var facts: [Fact] = []
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, bytes) in lines.dropLast().enumerated() {
      let line = Substring(bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes)
      guard let colon = line.firstRange(of: ": ") else {
        throw CamrecError(
          .input, "'\(path)', line \(index + 1): this is not a fact; write a name, a colon, a space and a value")
      }
      let name = String(line[..<colon.lowerBound])
      facts.append(Fact(name, GoldenFacts.current(name, String(line[colon.upperBound...]))))
    }
    self.init(facts)
  }

  /// A value as it is written now: in older goldens, a gap was `frame 3, 2 by never came from the camera`.
  private static func current(_ name: String, _ value: String) -> String {
    guard name == "gap" else { return value }
    return value.replacing(/^([^,]*, [0-9]+) by (by |never |arrived )/) { "\($0.output.1) \($0.output.2)" }
  }

  public var text: String { facts.map { "\($0.name): \($0.value)\n" }.joined() }

  /// The differences from the golden, for people: values that differ, are missing or are new. The values of a repeated
  /// name are compared in order; of a finding, the figures.
  public func differences(from golden: GoldenFacts) -> [String] {
    let wanted = golden.values
    let got = values
    var sentences: [String] = []
    for name in golden.names + names.filter({ wanted[$0] == nil }) {
      let (before, now) = (wanted[name] ?? [], got[name] ?? [])
      for index in 0..<max(before.count, now.count) {
        switch (index < before.count ? before[index] : nil, index < now.count ? now[index] : nil) {
        case (let before?, let now?) where !GoldenFacts.isSame(name, before, now):
          sentences.append("\(name) is \(now), not \(before)")
        case (let before?, nil): sentences.append("\(name) is missing; it was \(before)")
        case (nil, let now?): sentences.append("\(name) is new: \(now)")
        default: break
        }
      }
    }
    return sentences
  }

  /// A finding of `camrec verify` is its severity, atom and figures: its wording may change with camrec's version.
  private static func isSame(_ name: String, _ before: String, _ now: String) -> Bool {
    guard before != now else { return true }
    guard ["error of ", "warning of ", "note of "].contains(where: name.hasPrefix) else { return false }
    func figures(_ text: String) -> [Substring] { text.matches(of: /[0-9]+(?:\.[0-9]+)?/).map(\.output).sorted() }
    return figures(before) == figures(now) && !figures(now).isEmpty
  }

  private var values: [String: [String]] { Dictionary(grouping: facts, by: \.name).mapValues { $0.map(\.value) } }

  /// Without duplicates, in the order of their first use.
  private var names: [String] {
    var seen: Set<String> = []
    return facts.map(\.name).filter { seen.insert($0).inserted }
  }
}
