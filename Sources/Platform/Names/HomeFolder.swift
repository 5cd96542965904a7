import Foundation

/// The user's folder.
public enum HomeFolder {
  /// `$HOME`; where that is not set or no absolute path, the one that the system's account of the user names.
  public static func path(environment: [String: String]) -> String {
    if let given = environment["HOME"], given.hasPrefix("/") { return given }
    return NSHomeDirectory()
  }
}
