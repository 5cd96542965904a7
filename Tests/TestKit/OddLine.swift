/// Lines that nobody means: those that somebody could mean, damaged.
public enum OddLine {
  /// - Parameter seeds: one of them is taken, and up to four things happen to it.
  public static func make(from seeds: [String], _ random: inout SplitMix) -> [UInt8] {
    var line = Array((seeds.randomElement(using: &random) ?? "").utf8)
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let place = Int.random(in: 0..<max(1, line.count), using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0 where !line.isEmpty: line.remove(at: place)
      case 1: line.insert(UInt8.random(in: 0...255, using: &random), at: min(place, line.count))
      case 2 where !line.isEmpty: line[place] = UInt8.random(in: 0...255, using: &random)
      case 3: line.append(contentsOf: line.prefix(place))
      case 4: line = (0..<place).map { _ in UInt8.random(in: 0...255, using: &random) }
      case 5 where !line.isEmpty: line.swapAt(place, 0)
      default: break
      }
    }
    return line
  }

  /// How many answers a piece of text is due: one for each line that is not blank.
  public static func requests(in bytes: [UInt8]) -> Int {
    bytes.split(separator: UInt8(ascii: "\n")).count { line in !line.allSatisfy(" \t\r".utf8.contains) }
  }
}
