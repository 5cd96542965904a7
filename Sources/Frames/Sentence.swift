/// A sentence for people that may speak of settings, without saying how they are set: that depends on who reads it.
///
///     let sentence: Sentence = "the output has no name; give \(setting: .output) PATH"
///     sentence.withOptions  // the output has no name; give --output PATH
///     sentence.plain        // the output has no name; give 'output' PATH
public struct Sentence: Hashable, Sendable, ExpressibleByStringInterpolation {
  fileprivate enum Part: Hashable, Sendable {
    case text(String)
    case setting(SettingName)
  }

  private var parts: [Part]

  public init(text: String) { parts = [.text(text)] }

  public init(stringLiteral value: String) { self.init(text: value) }

  public init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  private init(_ parts: [Part]) { self.parts = parts }

  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ literal: String) {
      if !literal.isEmpty { parts.append(.text(literal)) }
    }

    public mutating func appendInterpolation<Value>(_ value: Value) { appendLiteral(String(describing: value)) }

    public mutating func appendInterpolation(setting: SettingName) { parts.append(.setting(setting)) }

    public mutating func appendInterpolation(sentence: Sentence) { parts += sentence.parts }
  }

  public static func + (one: Sentence, other: Sentence) -> Sentence { Sentence(one.parts + other.parts) }

  /// As the command line says it.
  public var withOptions: String { text(\.option) }

  /// As anybody else says it: the settings by their names, in quotation marks.
  public var plain: String { text { "'\($0.rawValue)'" } }

  /// The settings that it speaks of, in order.
  public var settings: [SettingName] {
    parts.compactMap { if case .setting(let setting) = $0 { setting } else { nil } }
  }

  /// The same sentence about another setting.
  public func naming(_ setting: SettingName, insteadOf other: SettingName) -> Sentence {
    Sentence(parts.map { $0 == .setting(other) ? .setting(setting) : $0 })
  }

  private func text(_ name: (SettingName) -> String) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .setting(let setting): name(setting)
      }
    }.joined()
  }
}
