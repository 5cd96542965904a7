/// Whether an open file has still the name by which it is known.
public enum FilePlace: Hashable, Sendable {
  case inPlace
  /// It was given another name since: this path.
  case renamed(String)
  /// No name is left: somebody has deleted it, or has given its name to another file. It lasts as long as it is open.
  case unlinked
  /// Its name leads to nothing or to another file, and nobody can say where it is.
  case unknown
}
