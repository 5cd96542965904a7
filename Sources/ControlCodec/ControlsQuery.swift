public import Frames

/// The request for a recorder's controls: `{"do":"controls","id":1}`.
///
/// The first version of the protocol does not have it, and it changes nothing: it is no `ControlRequest`.
public struct ControlsQuery: Hashable, Sendable {
  /// Its name in `"do"`.
  public static let word = "controls"

  public init() {}

  /// - Parameter fields: the members of a request's line.
  /// - Throws: code `usage` if it has others than `do` and `id`.
  public init(fields: [String: JSONValue]) throws(CamrecError) {
    if let stranger = fields.keys.filter({ $0 != "do" && $0 != "id" }).min() {
      throw CamrecError(.usage, "'\(ControlsQuery.word)' takes no members; remove \"\(stranger)\"")
    }
  }

  /// - Parameter id: repeated in the answer.
  public func line(id: Int64? = nil) -> [UInt8] {
    var fields: [String: JSONValue] = ["do": .text(ControlsQuery.word)]
    fields["id"] = id.map(JSONValue.integer)
    return ControlProtocol.line(fields)
  }
}
