import Foundation

/// Where camrec keeps what it has to know at its next start: `$XDG_STATE_HOME/camrec`, else `~/.local/state/camrec`
/// (XDG Base Directory Specification 0.8).
public enum StateFolder {
  /// Its path, whether it is there or not.
  public static var path: String {
    path(environment: ProcessInfo.processInfo.environment, home: NSHomeDirectory())
  }

  package static func path(environment: [String: String], home: String) -> String {
    // A relative path is to be ignored, by the specification.
    if let given = environment["XDG_STATE_HOME"], given.hasPrefix("/") { return given + "/camrec" }
    return home + "/.local/state/camrec"
  }
}
