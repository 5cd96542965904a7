public import Frames
public import RecorderAPI

/// The request with which a remote asks for more than the first version of the protocol:
/// `{"do":"hello","id":1,"outOfOrder":true}`.
///
/// It concerns the connection, not the recorder, and so is no `ControlRequest`.
public struct ControlHello: Hashable, Sendable {
  /// Its name in `"do"`.
  public static let word = "hello"

  /// Answers come as they are ready, told apart by `id`; otherwise in the order of the requests.
  public let outOfOrder: Bool
  /// Seconds that every request may take; `nil`: the deadlines of `ControlProtocol`.
  public let deadline: Double?

  /// - Throws: code `usage` for a deadline outside `ControlProtocol.deadlines`.
  public init(outOfOrder: Bool = false, deadline: Double? = nil) throws(CamrecError) {
    if let deadline, !ControlProtocol.deadlines.contains(deadline) {
      throw CamrecError(.usage, "\"deadline\" of 'hello' must be 0.001 to 3600 seconds, not '\(deadline)'")
    }
    self.outOfOrder = outOfOrder
    self.deadline = deadline
  }

  /// - Parameter fields: the members of a request's line, with or without `do` and `id`.
  /// - Throws: code `usage`, with a sentence that names the mistake.
  public init(fields: [String: JSONValue]) throws(CamrecError) {
    let known = ["deadline", "outOfOrder"], others = ["do", "id"]
    if let stranger = fields.keys.filter({ !known.contains($0) && !others.contains($0) }).min() {
      throw CamrecError(.usage, "'hello' takes only \"deadline\", \"outOfOrder\"; remove \"\(stranger)\"")
    }
    var outOfOrder = false, deadline: Double?
    switch fields["outOfOrder"] {
    case nil: break
    case .bool(let value)?: outOfOrder = value
    case .some: throw CamrecError(.usage, "\"outOfOrder\" of 'hello' must be true or false")
    }
    switch fields["deadline"] {
    case nil: break
    case .integer(let value)?: deadline = Double(value)
    case .number(let value)?: deadline = value
    case .some: throw CamrecError(.usage, "\"deadline\" of 'hello' must be a number of seconds")
    }
    try self.init(outOfOrder: outOfOrder, deadline: deadline)
  }

  /// - Parameter id: repeated in the answer.
  public func line(id: Int64? = nil) -> [UInt8] {
    var fields: [String: JSONValue] = ["do": .text(ControlHello.word)]
    fields["id"] = id.map(JSONValue.integer)
    if outOfOrder { fields["outOfOrder"] = .bool(true) }
    fields["deadline"] = deadline.map(JSONValue.number)
    return ControlProtocol.line(fields)
  }

  /// How long a query for the controls may take.
  public var queryDeadline: Duration { deadline.map { Duration.seconds($0) } ?? ControlProtocol.deadline }

  /// How long a request of this remote may take.
  public func deadline(of word: ControlWord) -> Duration {
    if let deadline { return .seconds(deadline) }
    return word.beginsOrEndsFilm ? ControlProtocol.filmDeadline : ControlProtocol.deadline
  }
}

extension ControlWord {
  /// Whether it waits for a film to begin or end, and so for a camera or a disk.
  var beginsOrEndsFilm: Bool {
    switch self {
    case .start, .stop, .quit, .rate, .format, .camera, .switchSource: true
    default: false
    }
  }
}
