/// How much a golden covers.
public struct StageExtent: Hashable, Sendable, Codable {
  public enum Unit: String, Hashable, Sendable, Codable {
    case frames
    /// Per channel.
    case samples
    case facts
  }

  public let count: Int
  public let unit: Unit
  /// A remark; may be empty.
  public var note: String

  public init(_ count: Int, _ unit: Unit, note: String = "") {
    self.count = count
    self.unit = unit
    self.note = note
  }

  /// For people.
  public var words: String {
    let name = count == 1 ? String(unit.rawValue.dropLast()) : unit.rawValue
    return "\(count) \(name)" + (note.isEmpty ? "" : ", \(note)")
  }
}
