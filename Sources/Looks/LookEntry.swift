/// A look in a list: what its file says of itself.
public struct LookEntry: Hashable, Sendable {
  public let name: String
  public let version: Int
  public let title: String
  /// Of the look file.
  public let path: String

  public init(name: String, version: Int, title: String, path: String) {
    self.name = name
    self.version = version
    self.title = title
    self.path = path
  }
}
