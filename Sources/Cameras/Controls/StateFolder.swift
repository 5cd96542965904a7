import Foundation
import Platform

/// The folder for state that camrec needs at its next start: `$XDG_STATE_HOME/camrec`, else `~/.local/state/camrec`
/// (XDG Base Directory Specification 0.8).
public enum StateFolder {
  /// Its path, whether it exists or not.
  public static var path: String {
    let environment = ProcessInfo.processInfo.environment
    return path(environment: environment, home: HomeFolder.path(environment: environment))
  }

  package static func path(environment: [String: String], home: String) -> String {
    // The specification says to ignore a relative path.
    if let given = environment["XDG_STATE_HOME"], given.hasPrefix("/") { return given + "/camrec" }
    return home + "/.local/state/camrec"
  }
}
