/// A file for which a thread waits that was left behind.
public struct StalledFile: Sendable {
  public let path: String
  /// The thread still waits. Any thread.
  public let isStalled: @Sendable () -> Bool

  public init(path: String, isStalled: @escaping @Sendable () -> Bool) {
    self.path = path
    self.isStalled = isStalled
  }
}
