/// Which films a recorder can have made: the names that its `--output` gives at any time (`strftime`; C11, 7.27.3.5,
/// and glibc's further conversions), with the numbers of further films and segments (`-2`, `-0001`).
///
/// A value; any thread.
public struct FilmNamePattern: Hashable, Sendable {
  /// The folder below which all films lie: the path before the first part that has a time in it.
  public let folder: String
  /// Whether the films lie in folders with a time in their names.
  public var hasTimedFolder: Bool { parts.count > 1 }

  /// The folders after `folder`, and the film's name.
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
  /// - Parameter path: only its last parts count: the name, and the folders from the first one with a time in it on.
  public func matches(_ path: String) -> Bool {
    let names = path.split(separator: "/").suffix(parts.count)
    guard !parts.isEmpty, names.count == parts.count else { return false }
    return zip(parts, names).allSatisfy { NamePiece.match($0[...], Array($1.utf8)[...]) }
  }

  /// Whether a film belongs to the recorder with this output: by the name of its recorder if the folder's catalogue has
  /// it, otherwise by its own name.
  ///
  /// - Parameters:
  ///   - recorder: this recorder's name.
  ///   - owner: the film's recorder, as the catalogue says; `nil` if it does not say.
  public func isOwn(_ path: String, recorder: String, owner: String?) -> Bool {
    owner.map { $0 == recorder } ?? matches(path)
  }
}
