public import Frames

/// A control of a recorder that describes itself: a remote needs no table to show it and to set it.
public struct ControlDescription: Hashable, Sendable, Codable, Identifiable {
  /// What its values are, by a name that stays the same.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A number from `minimum` to `maximum`.
    case number
    /// One of `choices`.
    case choice
    /// On or off.
    case flag
    /// A point in the frame, `X,Y`, each from 0 (left, top) to 1 (right, bottom).
    case point
    /// Any text. A kind of a later version reads as this, too: values are always accepted as on the command line.
    case text
  }

  /// Its name, unique among a recorder's controls.
  public var id: String
  public var kind: Kind
  /// The range of a number; `nil` for other kinds.
  public var minimum: Double?
  public var maximum: Double?
  /// The step of a number from `minimum` on; `nil` if it has none.
  public var step: Double?
  /// All values of a choice; for other kinds, words that it takes besides: `auto` for a white balance.
  public var choices: [String]?
  /// Stands after its numbers: `s`, `K`, `°`, `EV`, `×`, `fps`; `nil` if they have no unit.
  public var unit: String?
  /// What it is set to; `nil` if that is not known, or it has no value.
  public var value: ControlDescriptionValue?
  /// `nil` if it has none, or the camera does not report it.
  public var defaultValue: ControlDescriptionValue?
  /// It can be read but never set.
  public var isReadOnly: Bool
  /// Why it cannot be set now, in a sentence; `nil` if it can.
  public var refusal: String?
  /// A change of it ends the film and begins a new one.
  public var needsNewFilm: Bool
  /// The members of the request that sets it, except for the value: `{"do":"set","name":"torch"}`.
  public var request: [String: String]
  /// The member of the request that has the value, mostly `value`.
  public var member: String

  /// - Parameters:
  ///   - request: without the value; without a request, `id` is the command.
  ///   - member: the name of the member that has the value.
  public init(_ id: String, _ kind: Kind, request: [String: String]? = nil, member: String = "value") {
    self.id = id
    self.kind = kind
    self.request = request ?? ["do": id]
    self.member = member
    isReadOnly = false
    needsNewFilm = false
  }

  /// Whether it can be set now.
  public var isEnabled: Bool { !isReadOnly && refusal == nil }

  /// The request that sets it. Whether the value is possible, the recorder says.
  ///
  /// - Throws: code `usage` if it can only be read, or for a command that this version does not know.
  public func request(setting value: ControlDescriptionValue) throws(CamrecError) -> ControlRequest {
    guard !isReadOnly else { throw CamrecError(.usage, "\(id) can only be read") }
    var members: [String: String] = request
    members[member] = value.text
    guard let word = members.removeValue(forKey: "do").flatMap(ControlWord.init(rawValue:)) else {
      throw CamrecError(.usage, "this version of camrec cannot set \(id)")
    }
    return try ControlRequest(word, members)
  }
}

extension ControlDescription.Kind: Codable {
  public init(from decoder: any Decoder) throws {
    self = ControlDescription.Kind(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .text
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

extension ControlDescription: CustomStringConvertible {
  /// `ev: 0 EV (-16 to 16 EV)`.
  public var description: String {
    func text(_ value: ControlDescriptionValue?) -> String? { value.map { $0.text(with: unit) } }
    var takes: [String] = []
    if let minimum, let maximum {
      takes.append("\(ControlDescriptionValue.number(minimum).text) to \(text(.number(maximum)) ?? "")")
    }
    if let choices { takes.append(choices.joined(separator: ", ")) }
    if kind == .flag { takes.append("on or off") }
    if kind == .point { takes.append("X,Y") }
    if isReadOnly { takes.append("read-only") }
    if let refusal { takes.append("not now: \(refusal)") }
    return "\(id): \(text(value) ?? "-")" + (takes.isEmpty ? "" : " (\(takes.joined(separator: "; ")))")
  }
}
