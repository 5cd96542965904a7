/// One of several parts of a list: every `count`th of its elements, beginning with `index`.
public struct Shard: Hashable, Sendable {
  /// From 0 on, below `count`.
  public let index: Int
  public let count: Int

  /// - Returns: `nil` where there is no such part.
  public init?(index: Int, of count: Int) {
    guard count > 0, (0..<count).contains(index) else { return nil }
    self.index = index
    self.count = count
  }

  /// `K/N`, K from 0 on.
  public init?(_ text: String) {
    let words = text.split(separator: "/", omittingEmptySubsequences: false)
    guard words.count == 2, words.allSatisfy({ !$0.isEmpty && $0.allSatisfy { ("0"..."9").contains($0) } }),
      let index = Int(words[0]), let count = Int(words[1])
    else { return nil }
    self.init(index: index, of: count)
  }

  public var text: String { "\(index)/\(count)" }

  /// Whether the element with this place belongs to it.
  public func has(_ place: Int) -> Bool { place % count == index }
}
