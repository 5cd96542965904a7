import Frames
import Platform
import Yams

/// Reads the text of a rig file or a suite, and reports every error that shows without interpreting the values.
///
///     defaults:
///       lut: log2709.cube
///     cameras:
///       front:
///         camera: /dev/v4l/by-id/usb-…-video-index0
///         fps: 24
public struct SectionReader {
  private let schema: SectionSchema
  private var findings: [FileFinding] = []
  /// Lines left out because they are not YAML.
  private var missing: [Int] = []

  /// Keys of a block that did not become settings.
  private struct Rest {
    /// Keys whose defaults do not apply.
    var removed: Set<String> = []
    /// Keys whose values were refused.
    var refused: Set<String> = []
  }

  /// - Returns: what could be read, and all errors in the order of the file. No file if nothing can be used.
  public static func read(_ bytes: [UInt8], schema: SectionSchema) -> (file: SectionFile?, findings: [FileFinding]) {
    var reader = SectionReader(schema: schema)
    let file = reader.read(bytes)
    // Findings without a place are about the whole file.
    let sorted = reader.findings.enumerated().sorted {
      ($0.element.place ?? FilePlace(line: 0, column: 0), $0.offset) < (
        $1.element.place ?? FilePlace(line: 0, column: 0), $1.offset
      )
    }
    return (file, sorted.map(\.element))
  }

  private init(schema: SectionSchema) { self.schema = schema }

  private var names: SectionSchema.Names { schema.names }

  private mutating func read(_ bytes: [UInt8]) -> SectionFile? {
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    guard let text = String(validating: bytes, as: UTF8.self) else {
      say(SectionReader.firstInvalid(bytes), nil, "this is not UTF-8; save the \(names.file) as UTF-8")
      return nil
    }
    findings = YAMLGuard.findings(in: bytes, words: YAMLGuard.Words(names))
    guard findings.isEmpty, let root = compose(text) else { return nil }
    guard case .mapping(let pairs) = root else {
      say(place(root), nil, "a \(names.file) needs '\(names.all):' with a name for each \(names.one) below it")
      return nil
    }
    return file(pairs)
  }

  private mutating func compose(_ text: String) -> Node? {
    var text = text
    while true {
      do {
        // Not the core schema, which turns words into numbers: words stay as written.
        if let root = try Yams.compose(yaml: text, .basic), !isNothing(root) { return root }
        say(nil, nil, "the file is empty; write '\(names.all):' with a name for each \(names.one) below it")
        return nil
      } catch let YamlError.duplicatedKeysInMapping(names, context) {
        // One at a time, so that one run reports all mistakes.
        let first = FilePlace(line: context.mark.line, column: context.mark.column)
        guard let name = names.first, let again = RepeatedKey.find(name, first: first, in: text) else {
          say(first, nil, "the key '\(names.first ?? "")' is in this block twice; remove one")
          return nil
        }
        say(again.place, nil, "the key '\(name)' is repeated here, after line \(first.line); remove one")
        text = again.textWithout
      } catch {
        findings.append(FileFinding(reading: error, in: text))
        return withoutDamage(error, text)
      }
    }
  }

  /// Reads the file without a line that is not YAML, so that one run reports all mistakes.
  private mutating func withoutDamage(_ error: any Error, _ text: String) -> Node? {
    guard let line = SectionReader.line(of: error) else { return nil }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    // The parser fails at the line, or after it.
    for place in [line, line - 1] where lines.indices.contains(place - 1) {
      var rest = lines
      rest[place - 1] = ""
      guard let root = try? Yams.compose(yaml: rest.joined(separator: "\n"), .basic), case .mapping = root else {
        continue
      }
      missing = [place]
      return root
    }
    return nil
  }

  private static func line(of error: any Error) -> Int? {
    switch error {
    case YamlError.scanner(_, _, let mark, _), YamlError.parser(_, _, let mark, _),
      YamlError.composer(_, _, let mark, _):
      mark.line
    default: nil
    }
  }

  /// Leaves out sections that lack a line: errors found in them now may not be the file's.
  private func whole(_ sections: [SectionFile.Section]) -> [SectionFile.Section] {
    if let first = sections.first?.place.line, missing.contains(where: { $0 < first }) { return [] }
    return sections.enumerated().filter { index, section in
      let end = index + 1 < sections.count ? sections[index + 1].place.line : Int.max
      return !missing.contains { section.place.line <= $0 && $0 < end }
    }.map(\.element)
  }

  // MARK: The file

  private mutating func file(_ pairs: Node.Mapping) -> SectionFile {
    var sections: [(key: Node, value: Node)] = []
    var defaults: [SectionFile.Setting] = []
    var rest = Rest()
    var own: [String: SectionFile.Value] = [:]
    var hasSections = false
    for (key, value) in pairs {
      switch word(key) {
      case names.all?:
        hasSections = true
        guard case .mapping(let named) = value, !named.isEmpty else {
          // What was there may be the line that is not YAML.
          if missing.isEmpty {
            say(place(value), names.all, "write a name for each \(names.one) here, with its keys below it")
          }
          continue
        }
        sections = named.map { ($0.key, $0.value) }
      case "defaults"?:
        if !isNothing(value) { defaults = settings(value, "defaults", isDefault: true, rest: &rest) }
      case let name? where schema.keys.contains(name):
        if !isNull(value) { own[name] = text(value, name) }
      case let name:
        stranger(
          name, key, among: [names.all, "defaults"] + schema.keys, "",
          hint: name.flatMap { schema.option($0) } == nil ? nil : "put it under a \(names.one), or under defaults")
      }
    }
    if !hasSections, missing.isEmpty {
      say(nil, nil, "the file names no \(names.one); write '\(names.all):' with a name for each \(names.one) below it")
    }
    if sections.count > names.limit {
      say(
        place(sections[names.limit].key), names.all,
        "a \(names.file) can have at most \(names.limit) \(names.all), not \(sections.count)")
      sections = Array(sections.prefix(names.limit))
    }
    let named = sections.compactMap { section($0.key, $0.value, defaults, rest.refused) }
    return SectionFile(sections: whole(named), settings: own)
  }

  /// - Parameter refused: keys of the defaults whose values were refused.
  private mutating func section(
    _ key: Node, _ value: Node, _ defaults: [SectionFile.Setting], _ refused: Set<String>
  ) -> SectionFile.Section? {
    if word(key)?.hasPrefix(RepeatedKey.mark) == true { return nil }
    guard let name = word(key), SectionReader.isName(name) else {
      say(
        place(key), names.all,
        "a \(names.one)'s name has 1 to 32 letters, digits, '-' and '_', and begins with a letter; this is "
          + "'\(word(key) ?? "")'")
      return nil
    }
    var rest = Rest()
    let own = isNothing(value) ? [] : settings(value, "\(names.all).\(name)", isDefault: false, rest: &rest)
    // Without its keys, errors found later may not be the file's.
    if !isNothing(value) { guard case .mapping = value else { return nil } }
    let said = Set(own.map(\.key)).union(rest.removed)
    return SectionFile.Section(
      kind: names.all, name: name, place: place(key), settings: defaults.filter { !said.contains($0.key) } + own,
      refused: refused.subtracting(said).union(rest.refused))
  }

  /// ASCII, so that it can be a file's name, a metric's label and a word on a command line everywhere; and not a
  /// number, which is how recorders without a rig name their sockets.
  private static func isName(_ name: String) -> Bool {
    name.utf8.count <= 32 && name.first.map { $0.isASCII && $0.isLetter } == true
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
  }

  // MARK: Options

  /// - Parameter rest: takes the keys that do not become settings.
  private mutating func settings(
    _ node: Node, _ path: String, isDefault: Bool, rest: inout Rest
  ) -> [SectionFile.Setting] {
    guard case .mapping(let pairs) = node else {
      say(place(node), path, "write keys and values here, as in 'fps: 24'; this is \(SectionReader.kind(node))")
      return []
    }
    var settings: [SectionFile.Setting] = []
    for (key, value) in pairs {
      let name = word(key)
      guard let name, let option = schema.option(name) else {
        stranger(name, key, among: schema.optionNames, path, hint: name.flatMap { schema.refused[$0] })
        continue
      }
      if isNull(value) {
        rest.removed.insert(name)
        continue
      }
      let said = findings.count
      guard let values = values(of: option, value, "\(path).\(name)") else {
        rest.removed.insert(name)
        // A flag that is false is valid.
        if findings.count > said { rest.refused.insert(name) }
        continue
      }
      settings.append(SectionFile.Setting(key: name, place: place(key), values: values, isDefault: isDefault))
    }
    return settings
  }

  /// - Returns: `nil` for an error, and for a flag that is false.
  private mutating func values(of option: SectionSchema.Option, _ node: Node, _ path: String) -> [SectionFile.Value]? {
    if option.kind == .flag {
      guard let text = plain(node), ["true", "false"].contains(text) else {
        say(place(node), path, "this must be true or false, not \(SectionReader.kind(node))")
        return nil
      }
      return text == "true" ? [] : nil
    }
    if case .sequence(let items) = node, option.isRepeating {
      let right = items.compactMap { value(of: option, $0, path) }
      // Without a value the key would be another mistake.
      return right.isEmpty && !items.isEmpty ? nil : right
    }
    return value(of: option, node, path).map { [$0] }
  }

  private mutating func value(of option: SectionSchema.Option, _ node: Node, _ path: String) -> SectionFile.Value? {
    guard let value = text(node, path) else { return nil }
    if let truth = plain(node), ["true", "false"].contains(truth), !option.words.contains(truth) {
      say(
        value.place, path,
        "this must be a value (\(option.valueName)), not true or false; remove the key if there is none")
      return nil
    }
    if !option.words.isEmpty, !option.words.contains(value.text) {
      let near = NearSpelling.of(value.text, among: option.words).map { "; did you mean \($0)?" } ?? ""
      say(value.place, path, "this must be one of \(option.words.joined(separator: ", ")), not '\(value.text)'\(near)")
      return nil
    }
    return value
  }

  private mutating func text(_ node: Node, _ path: String) -> SectionFile.Value? {
    guard case .scalar(let scalar) = node else {
      say(place(node), path, "this must be one value, not \(SectionReader.kind(node))")
      return nil
    }
    guard !scalar.string.isEmpty, !isNull(node) else {
      say(place(node), path, "the value is missing; add one, or remove the key")
      return nil
    }
    guard !scalar.string.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
      say(place(node), path, "a value must be on one line, without control characters")
      return nil
    }
    return SectionFile.Value(text: scalar.string, place: place(node))
  }

  private mutating func stranger(_ name: String?, _ key: Node, among names: [String], _ path: String, hint: String?) {
    if name?.hasPrefix(RepeatedKey.mark) == true { return }
    guard let name else {
      say(place(key), path.isEmpty ? nil : path, "a key must be a word, not \(SectionReader.kind(key))")
      return
    }
    let whole = path.isEmpty ? name : "\(path).\(name)"
    let rest: String
    if let hint {
      rest = ": \(hint)"
    } else if let near = NearSpelling.of(name, among: names) {
      rest = "; did you mean \(near)?"
    } else {
      rest = "; the keys are \(names.sorted().joined(separator: ", "))"
    }
    say(place(key), whole, hint == nil ? "there is no key '\(name)'\(rest)" : "'\(name)' is not allowed here\(rest)")
  }

  // MARK: Nodes

  private mutating func say(_ place: FilePlace?, _ key: String?, _ message: String) {
    findings.append(FileFinding(.error, place, key: key, message))
  }

  private func place(_ node: Node) -> FilePlace { FilePlace(node.mark) }

  private func word(_ node: Node) -> String? { node.scalar?.string }

  /// A value without quotes.
  private func plain(_ node: Node) -> String? {
    guard case .scalar(let scalar) = node, scalar.style == .plain else { return nil }
    return scalar.string
  }

  private func isNothing(_ node: Node) -> Bool { plain(node) == "" || isNull(node) }

  /// Whether it says that there is no value.
  private func isNull(_ node: Node) -> Bool { ["~", "null"].contains(plain(node)) }

  private static func kind(_ node: Node) -> String {
    switch node {
    case .scalar(let scalar): scalar.string.isEmpty ? "empty" : "'\(scalar.string)'"
    case .sequence: "a list"
    case .mapping: "a block of keys"
    default: "an alias"
    }
  }

  /// Where the text stops being UTF-8.
  static func firstInvalid(_ bytes: [UInt8]) -> FilePlace {
    var decoder = UTF8()
    var rest = bytes.makeIterator()
    var place = FilePlace(line: 1, column: 1)
    while case .scalarValue(let scalar) = decoder.decode(&rest) {
      place =
        scalar == "\n"
        ? FilePlace(line: place.line + 1, column: 1) : FilePlace(line: place.line, column: place.column + 1)
    }
    return place
  }
}
