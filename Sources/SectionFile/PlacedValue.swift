import Frames
import Yams

/// A value of a YAML file with its place, so that whoever interprets it can say where something is wrong.
public struct PlacedValue: Hashable, Sendable {
  /// A key of a block and its value.
  public struct Entry: Hashable, Sendable {
    public let key: String
    public let place: FilePlace
    public let value: PlacedValue
  }

  public enum Content: Hashable, Sendable {
    /// A word or a number, as written; empty if nothing is there.
    case word(String)
    case list([PlacedValue])
    /// In the order of the file.
    case block([Entry])
  }

  public let place: FilePlace
  public let content: Content

  /// What it is, for messages: `'word'`, `a list`.
  public var kind: String {
    switch content {
    case .word(""): "empty"
    case .word(let text): "'\(text)'"
    case .list: "a list"
    case .block: "a block of keys"
    }
  }

  /// Reads the text of a YAML file without interpreting its words.
  ///
  /// - Parameters:
  ///   - file: what such a file is called, for messages: `look file`.
  /// - Returns: the value, or the first finding: text that is not UTF-8 or not YAML, an alias, a repeated key.
  public static func read(_ bytes: [UInt8], file: String) -> Result<PlacedValue, FileFinding> {
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let message = "this is not UTF-8; save the \(file) as UTF-8"
      return .failure(FileFinding(.error, SectionReader.firstInvalid(bytes), message))
    }
    if let finding = YAMLGuard.findings(in: bytes, words: YAMLGuard.Words(file: file)).first {
      return .failure(finding)
    }
    do {
      // Not the core schema, which turns words into numbers: words stay as written.
      guard let root = try Yams.compose(yaml: text, .basic) else {
        return .failure(FileFinding(.error, nil, "the file is empty; a \(file) has keys and values"))
      }
      return .success(try PlacedValue(root))
    } catch let finding as FileFinding {
      return .failure(finding)
    } catch {
      return .failure(FileFinding(reading: error, in: text))
    }
  }

  private init(_ node: Node) throws(FileFinding) {
    place = FilePlace(node.mark)
    switch node {
    case .scalar(let scalar): content = .word(scalar.string)
    case .sequence(let nodes):
      var values: [PlacedValue] = []
      for node in nodes { values.append(try PlacedValue(node)) }
      content = .list(values)
    case .mapping(let pairs):
      var entries: [Entry] = []
      for (key, value) in pairs {
        let place = FilePlace(key.mark)
        guard let word = key.scalar?.string else {
          throw FileFinding(.error, place, "a key must be a word")
        }
        entries.append(Entry(key: word, place: place, value: try PlacedValue(value)))
      }
      content = .block(entries)
    default: throw FileFinding(.error, place, "this is an alias; write the value itself")
    }
  }
}

extension FileFinding: Error {}

extension FilePlace {
  init(_ mark: Mark?) { self.init(line: mark?.line ?? 1, column: mark?.column ?? 1) }
}

extension FileFinding {
  /// The finding of a YAML library's error.
  init(reading error: any Error, in text: String) {
    switch error {
    case YamlError.duplicatedKeysInMapping(let names, let context):
      let first = FilePlace(line: context.mark.line, column: context.mark.column), name = names.first ?? ""
      guard let again = RepeatedKey.find(name, first: first, in: text) else {
        self.init(.error, first, "the key '\(name)' is in this block twice; remove one")
        return
      }
      self.init(.error, again.place, "the key '\(name)' is repeated here, after line \(first.line); remove one")
    case YamlError.scanner(let context, let problem, let mark, _),
      YamlError.parser(let context, let problem, let mark, _),
      YamlError.composer(let context, let problem, let mark, _):
      let rest = context.map { " (\($0.text))" } ?? ""
      self.init(.error, FilePlace(mark), "this is not YAML: \(problem)\(rest)")
    case YamlError.reader(let problem, _, let value, _):
      self.init(.error, nil, "the file is not text: \(problem)" + (value == 0 ? "" : " (character \(value))"))
    default:
      self.init(.error, nil, "the file cannot be read as YAML: \(error)")
    }
  }
}
