package import Supervision

/// When a rig looks for films to recover: as soon as a recorder has failed, and once more when it records again. By
/// then a full disk has room, and one that was gone is back. A recorder on standby goes on if only its film has failed.
package struct RecoveryOccasions {
  /// Recorders that have failed, or whose film has, and that have not recorded since.
  private var failed: Set<String> = []
  /// What recorders have told of their end.
  private var farewells: [String: ChildNews] = [:]

  package init() {}

  /// Whether what a recorder tells is an occasion.
  package mutating func isOne(_ tale: Supervisor.Tale, of name: String) -> Bool {
    switch tale {
    case .ended(let ending):
      let end = ChildEnd(ending, farewell: farewells.removeValue(forKey: name))
      if end.isFailure { failed.insert(name) }
      return end.isFailure
    case .event(let line):
      guard let news = ChildNews(line: line) else { return false }
      if news.event == "started" { return failed.remove(name) != nil }
      // The error of a film that has lost its camera as well is the camera's.
      let isDisk = news.error?.code == "output" || news.ledger?.lost["disk"] ?? 0 > 0
      if news.event == "stopped", isDisk { failed.insert(name) }
      if news.event == "ended" { farewells[name] = news }
      return false
    default: return false
    }
  }
}
