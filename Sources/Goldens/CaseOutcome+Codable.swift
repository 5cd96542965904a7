import Frames

/// How one camrec passes an outcome to another; other programs read `camrec golden check --json`.
extension CaseOutcome: Codable {
  private enum Key: String, CodingKey { case name, seconds, stages, error }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    let error = try values.decodeIfPresent(CamrecError.self, forKey: .error)
    let result: Result<[Stage], CamrecError> =
      if let error { .failure(error) } else { .success(try values.decode([Stage].self, forKey: .stages)) }
    self.init(
      name: try values.decode(String.self, forKey: .name), seconds: try values.decode(Double.self, forKey: .seconds),
      result: result)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(name, forKey: .name)
    try values.encode(seconds, forKey: .seconds)
    switch result {
    case .success(let stages): try values.encode(stages, forKey: .stages)
    case .failure(let error): try values.encode(error, forKey: .error)
    }
  }
}
