import Foundation

/// The folder for state that camrec needs at its next start: `$XDG_STATE_HOME/camrec`, else `~/.local/state/camrec`
/// (XDG Base Directory Specification 0.8).
public enum StateFolder {
  /// Its path, whether it exists or not.
  public static var path: String {
    path(environment: ProcessInfo.processInfo.environment, home: NSHomeDirectory())
  }

  package static func path(environment: [String: String], home: String) -> String {
    // The specification says to ignore a relative path.
    if let given = environment["XDG_STATE_HOME"], given.hasPrefix("/") { return given + "/camrec" }
    return home + "/.local/state/camrec"
  }
}
