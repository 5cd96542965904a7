/// Which films a recorder can have made: the names that its `--output` comes to at any time (`strftime`; C11, 7.27.3.5,
/// and glibc's further conversions), with the numbers of further films and segments (`-2`, `-0001`).
///
/// A value; any thread.
public struct FilmNamePattern: Hashable, Sendable {
  /// The folder below which all of them lie: the part of the path in front of the first one that has the time in it.
  public let folder: String
  /// Whether they lie in folders that have the time in their names.
  public var hasTimedFolder: Bool { parts.count > 1 }

  /// Folders behind `folder`, and the film's name.
  private let parts: [[NamePiece]]

  /// - Parameter output: a path that may have `strftime` conversions in it.
  public init(_ output: String) {
    let all = output.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let fixed = all.dropLast().prefix { !$0.contains("%") }
    let joined = fixed.joined(separator: "/")
    folder = joined.isEmpty ? (output.hasPrefix("/") ? "/" : ".") : joined
    let timed = all[fixed.count...].filter { !$0.isEmpty }
    parts = timed.enumerated().map { place, part in
      place == timed.count - 1 ? NamePiece.film(part) : NamePiece.pieces(of: part)
    }
  }

  /// Whether a recorder with this output can have made a film of that path.
  ///
  /// - Parameter path: its last parts are looked at: the name, and as many folders as have the time in them.
  public func matches(_ path: String) -> Bool {
    let names = path.split(separator: "/").suffix(parts.count)
    guard !parts.isEmpty, names.count == parts.count else { return false }
    return zip(parts, names).allSatisfy { NamePiece.match($0[...], Array($1.utf8)[...]) }
  }

  /// Whether a film is of the recorder with this output: by the name of its recorder where the folder's catalogue has
  /// it, else by its own name.
  ///
  /// - Parameters:
  ///   - recorder: what this recorder is called.
  ///   - owner: who has made the film, as the catalogue says; `nil` where it says nothing.
  public func isOwn(_ path: String, recorder: String, owner: String?) -> Bool {
    owner.map { $0 == recorder } ?? matches(path)
  }
}
