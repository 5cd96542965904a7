/// The error that the parser of an option's value threw.
///
/// ArgumentParser wraps it in an error of its own, whose type is not public, and passes on a sentence for people. The
/// original error is found there by its place and its type, not by the words around it.
struct RefusedValue {
  /// The original sentence, without the option's name.
  let reason: String

  /// - Parameter error: what parsing a command threw.
  /// - Returns: `nil` if no single value was refused: an option is unknown, or two options contradict each other.
  init?(_ error: any Error) {
    guard let parsing = Mirror(reflecting: error).descendant("parserError"),
      let (label, payload) = Mirror(reflecting: parsing).children.first, label == "unableToParseValue"
    else { return nil }
    let thrown = Mirror(reflecting: payload).descendant("originalError") as? any Error
    reason = thrown.map { "\($0)" } ?? "this value cannot be read"
  }
}
