import Platform
public import RecorderAPI

extension StateWriter {
  /// This process.
  public static func own() -> StateWriter {
    let own = ProcessIdentity.own()
    return StateWriter(pid: own.pid, started: own.started, boot: own.boot)
  }

  /// Whether it runs on this system now.
  public var isAlive: Bool { ProcessIdentity(pid: pid, started: started, boot: boot).isAlive }
}
