/// The text of an existing suite, to which cases are added.
public struct SuiteText: Hashable, Sendable {
  private let lines: [Substring]
  private let ending: String

  public init(_ text: String) {
    lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    ending = text.contains("\r\n") ? "\r\n" : "\n"
  }

  /// - Parameters:
  ///   - last: the line of the last case's name, from 1 on.
  ///   - column: of that name, from 1 on.
  /// - Returns: the text with a case after the others; `nil` if these are not on lines of their own.
  public func adding(_ clip: SuiteDraft.Clip, name: String, behind last: Int, column: Int) -> String? {
    let indent = column - 1
    guard lines.indices.contains(last - 1), lines[last - 1].prefix(indent).allSatisfy({ $0 == " " }),
      lines[last - 1].count > indent, lines[last - 1].dropFirst(indent).first != " "
    else { return nil }
    var end = last
    for index in last..<lines.count {
      let line = lines[index]
      if line.allSatisfy({ " \t\r".contains($0) }) { continue }
      guard line.prefix(indent + 1).allSatisfy({ $0 == " " }) else { break }
      end = index + 1
    }
    var all = lines.map(String.init)
    all.insert(contentsOf: SuiteDraft.lines(of: clip, name, indent: indent), at: end)
    let text = all.joined(separator: ending)
    return text.hasSuffix(ending) ? text : text + ending
  }
}
