/// What is wrong with a movie's boxes, and where.
public struct BoxDamage: Error, Hashable, Sendable, CustomStringConvertible {
  /// Bytes from the beginning of what was read.
  public let offset: Int
  /// The type of the box: `moof`.
  public let box: String
  public let reason: String

  public init(_ box: BoxType, at offset: Int, _ reason: String) {
    self.box = box.description
    self.offset = offset
    self.reason = reason
  }

  public var description: String { "\(box) at \(offset): \(reason)" }
}
