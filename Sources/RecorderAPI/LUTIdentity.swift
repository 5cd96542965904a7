/// The LUT that a film was baked with.
public struct LUTIdentity: Hashable, Sendable, Codable {
  /// As its file names it; `nil` if that does not.
  public var title: String?
  /// SHA-256 of its samples, in hexadecimal digits.
  public var sha256: String

  public init(title: String? = nil, sha256: String) {
    self.title = title
    self.sha256 = sha256
  }
}
