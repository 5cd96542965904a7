import Drawing
import Foundation
import Platform

/// Text that the window's letters can draw.
enum ViewText {
  /// What stands for a letter that has no strokes.
  static let unknown: Character = "?"

  /// Without accents, and with a sign where a letter cannot be drawn.
  static func drawable(_ text: String) -> String {
    if text.allSatisfy({ $0 == " " || StrokeFont.draws($0) }) { return text }
    let folded = VisibleText.line(text).folding(options: [.diacriticInsensitive, .widthInsensitive], locale: nil)
    return String(folded.map { $0 == " " || StrokeFont.draws($0) ? $0 : unknown })
  }

  /// With a capital, and a full stop.
  static func sentence(_ text: String) -> String {
    let isWhole = text.last.map { ".!?".contains($0) } ?? true
    return text.prefix(1).uppercased() + text.dropFirst() + (isWhole ? "" : ".")
  }

  /// A text, and its beginnings with an ellipsis: the longest first.
  ///
  /// - Parameter least: how many letters the shortest one has.
  static func shortened(_ text: String, least: Int) -> [String] {
    // As it is drawn, it may have more letters.
    let text = drawable(text)
    guard text.count > least, least > 1 else { return [text] }
    return [text] + stride(from: text.count - 2, through: least - 1, by: -1).map { "\(text.prefix($0))…" }
  }

  /// Divided into lines of at most so many letters; a word that is longer is cut.
  static func lines(_ text: String, columns: Int) -> [String] {
    var lines: [String] = [], line = ""
    for word in text.split(separator: " ") {
      var word = word
      while word.count > columns, columns > 0 {
        if !line.isEmpty { lines.append(line) }
        line = ""
        lines.append(String(word.prefix(columns)))
        word = word.dropFirst(columns)
      }
      if !line.isEmpty, line.count + 1 + word.count > columns {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return line.isEmpty ? lines : lines + [line]
  }
}
