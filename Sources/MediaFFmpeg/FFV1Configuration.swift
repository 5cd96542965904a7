/// The configuration record of an FFV1 stream from version 3 on (RFC 9043, 4.3).
enum FFV1Configuration {
  /// The field `ec`: 0 for slices without checksums; 1, and 2 in version 4, for slices with them. `nil` if there is no
  /// such record, or none that can be read.
  static func protection(in record: UnsafeBufferPointer<UInt8>) -> Int? {
    // The record's own checksum ends it.
    guard record.count > 6 else { return nil }
    var symbols = FFV1Symbols(UnsafeBufferPointer(rebasing: record.dropLast(4)))
    var states = FFV1Symbols.fresh
    guard symbols.number(&states) > 2 else { return nil }
    _ = symbols.number(&states)  // The minor version.
    if symbols.number(&states) > 1 {  // The coder; from 2 on with a table of transitions.
      for _ in 1..<256 { _ = symbols.number(&states, isSigned: true) }
    }
    for _ in 0..<2 { _ = symbols.number(&states) }  // The colour space, and the bits of a sample.
    _ = symbols.bit(&states[0])  // Whether there is chroma.
    for _ in 0..<2 { _ = symbols.number(&states) }  // How much less of it there is.
    _ = symbols.bit(&states[0])  // Whether there is transparency.
    for _ in 0..<2 { _ = symbols.number(&states) }  // Slices beside and below each other.
    let tables = symbols.number(&states)
    guard tables <= mostTables else { return nil }
    var contexts: [Int] = []
    for _ in 0..<tables {
      guard let count = contextCount(&symbols) else { return nil }
      contexts.append(count)
    }
    var initialStates = [[UInt8]](repeating: FFV1Symbols.fresh, count: FFV1Symbols.fresh.count)
    for count in contexts {
      guard symbols.bit(&states[0]) else { continue }
      for _ in 0..<count {
        for place in initialStates.indices { _ = symbols.number(&initialStates[place], isSigned: true) }
      }
    }
    return symbols.number(&states)
  }

  private static let mostTables = 8
  private static let mostContexts = 32768

  /// Reads the five tables that quantize a sample's neighbours. Returns how many contexts they make; `nil` if those are
  /// too many.
  private static func contextCount(_ symbols: inout FFV1Symbols) -> Int? {
    var count = 1
    for _ in 0..<5 {
      var states = FFV1Symbols.fresh
      var runs = 0, covered = 0
      while covered < 128 {
        covered += symbols.number(&states) + 1
        runs += 1
      }
      count *= 2 * runs - 1
      guard covered == 128, count <= mostContexts else { return nil }
    }
    return (count + 1) / 2
  }
}
