/// Whether an open file still has the name by which it is known.
public enum FilePlace: Hashable, Sendable {
  case inPlace
  /// It has been renamed to this path.
  case renamed(String)
  /// It has no name any more: somebody has deleted it, or has given its name to another file. It lasts only while it is
  /// open.
  case unlinked
  /// Its name leads to nothing or to another file, and it cannot be found.
  case unknown
}
