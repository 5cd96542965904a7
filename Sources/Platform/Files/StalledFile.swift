/// A file that an abandoned thread is still waiting for.
public struct StalledFile: Sendable {
  public let path: String
  /// The thread still waits. Any thread.
  public let isStalled: @Sendable () -> Bool

  public init(path: String, isStalled: @escaping @Sendable () -> Bool) {
    self.path = path
    self.isStalled = isStalled
  }
}
