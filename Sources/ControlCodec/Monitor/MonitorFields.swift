import Frames
import RecorderAPI

/// The members of a monitor request's line, read one by one.
struct MonitorFields {
  let word: MonitorRequest.Word
  private let fields: [String: JSONValue]

  /// - Throws: code `usage` if it is no request, or has members that its word does not take.
  init(_ fields: [String: JSONValue]) throws(CamrecError) {
    let example = "{\"do\":\"pictures\",\"subscription\":1}"
    guard let said = fields["do"] else {
      throw CamrecError(.usage, "the request has no \"do\"; write one, as in \(example)")
    }
    guard case .text(let name) = said else {
      throw CamrecError(.usage, "\"do\" must be a string, as in \(example)")
    }
    guard let word = MonitorRequest.Word(rawValue: name) else {
      let words = MonitorRequest.Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw CamrecError(.usage, "a monitor has no request '\(name)'; the requests are \(words)")
    }
    if let stranger = fields.keys.filter({ !word.members.contains($0) && $0 != "do" && $0 != "id" }).min() {
      let known = word.members.map { "\"\($0)\"" }.joined(separator: ", ")
      throw CamrecError(.usage, "'\(name)' takes only \(known); remove \"\(stranger)\"")
    }
    self.word = word
    self.fields = fields
  }

  func subscription() throws(CamrecError) -> UInt32 {
    guard let number = try integer("subscription", in: 1...Int64(UInt32.max)) else {
      throw CamrecError(
        .usage, "'\(word.rawValue)' needs a \"subscription\": a number of your choice from 1 on, as in "
          + "\"subscription\":1")
    }
    return UInt32(number)
  }

  func flag(_ name: String) throws(CamrecError) -> Bool? {
    switch fields[name] {
    case nil: return nil
    case .bool(let value)?: return value
    case .some: throw refusal(name, "true or false")
    }
  }

  func number(_ name: String) throws(CamrecError) -> Double? {
    switch fields[name] {
    case nil: return nil
    case .integer(let value)?: return Double(value)
    case .number(let value)?: return value
    case .some: throw refusal(name, "a number")
    }
  }

  /// What is too large is clamped: no limit is as high.
  func integer(_ name: String) throws(CamrecError) -> Int? {
    try integer(name, in: Int64.min...Int64.max).map { Int(clamping: $0) }
  }

  func integer(_ name: String, in range: ClosedRange<Int64>) throws(CamrecError) -> Int64? {
    let value: Int64?
    switch fields[name] {
    case nil: return nil
    case .integer(let number)?: value = number
    case .number(let number)?: value = Int64(exactly: number)
    case .some: value = nil
    }
    guard let value, range.contains(value) else {
      let isAny = range == Int64.min...Int64.max, isUpward = range.upperBound == Int64.max
      throw refusal(
        name, isAny ? "a whole number" : isUpward ? "a whole number from \(range.lowerBound) on"
          : "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  func crop() throws(CamrecError) -> MonitorCrop? {
    guard let said = fields["crop"] else { return nil }
    guard case .array(let parts) = said, parts.count == 4 else { throw refusal("crop", "four numbers in an array") }
    var numbers: [Double] = []
    for part in parts {
      switch part {
      case .integer(let value): numbers.append(Double(value))
      case .number(let value): numbers.append(value)
      default: throw refusal("crop", "four numbers in an array")
      }
    }
    return try MonitorCrop(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }

  func format() throws(CamrecError) -> SnapshotRequest.Format? {
    guard let said = fields["format"] else { return nil }
    guard case .text(let name) = said, let format = SnapshotRequest.Format(rawValue: name) else {
      throw refusal("format", "\"jpeg\" or \"png\"")
    }
    return format
  }

  private func refusal(_ name: String, _ kind: String) -> CamrecError {
    CamrecError(.usage, "\"\(name)\" of '\(word.rawValue)' must be \(kind)")
  }
}
