/// One of `count` parts of a list: every `count`th element, starting with element `index`.
public struct Shard: Hashable, Sendable {
  /// From 0 on, below `count`.
  public let index: Int
  public let count: Int

  /// - Returns: `nil` unless `index` is from 0 to `count` - 1.
  public init?(index: Int, of count: Int) {
    guard count > 0, (0..<count).contains(index) else { return nil }
    self.index = index
    self.count = count
  }

  /// Reads `K/N`, with K counted from 0; `nil` for anything else.
  public init?(_ text: String) {
    let words = text.split(separator: "/", omittingEmptySubsequences: false)
    guard words.count == 2, words.allSatisfy({ !$0.isEmpty && $0.allSatisfy { ("0"..."9").contains($0) } }),
      let index = Int(words[0]), let count = Int(words[1])
    else { return nil }
    self.init(index: index, of: count)
  }

  public var text: String { "\(index)/\(count)" }

  /// Whether the element at this position, counted from 0, belongs to the part.
  public func has(_ place: Int) -> Bool { place % count == index }
}

/// Stored as the command line writes it: `K/N`.
extension Shard: Codable {
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    guard let shard = Shard(try value.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: value, debugDescription: "a part is K/N, and K is below N")
    }
    self = shard
  }

  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(text)
  }
}
