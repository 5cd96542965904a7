import Frames

/// The text of a framemd5 file of one stream of any kind: a head, and a line for each packet (libavformat's `framemd5`
/// muxer, versions 1 and 2).
struct FrameMD5Text {
  struct Entry {
    /// Line of the text, from 1.
    let line: Int
    /// Presentation time and duration in ticks of `timeBase`; the duration is 0 or more.
    let time: Int64
    let duration: Int64
    /// Bytes that were hashed, at least 1.
    let size: Int
    /// In lower-case hexadecimal.
    let hash: String
  }

  let path: String
  /// Seconds of a tick.
  let timeBase: Rational
  /// The values of the head and their lines, by name: for `#dimensions 0: 64x48`, `dimensions` has `64x48`.
  private(set) var head: [String: (line: Int, text: String)] = [:]
  /// In rising order of time.
  private(set) var entries: [Entry] = []

  /// - Parameters:
  ///   - path: for error messages.
  ///   - noun: what a line stands for, in error messages.
  /// - Throws: code `input`, with the line, if the text is not such a file, or is cut off.
  init(_ text: String, path: String, noun: String) throws(CamrecError) {
    self.path = path
    var tick: Rational?
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, bytes) in lines.enumerated() {
      let line = Substring(bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes)
      func refused(_ what: String) -> CamrecError { FrameMD5Text.refusal(path, index + 1, what) }
      if line.hasPrefix("#hash: "), line != "#hash: MD5" {
        throw refused("its hashes are \(line.dropFirst(7)); a golden's are MD5 (ffmpeg -f framemd5)")
      }
      if line.hasPrefix("#tb ") {
        guard let found = FrameMD5Text.rational(line.drop { $0 != ":" }.dropFirst()) else {
          throw refused("this is not a time base; write two numbers, as in '#tb 0: 1/24000'")
        }
        guard tick == nil else { throw refused("a golden has only one stream, and this is a second one") }
        tick = found
      }
      if line.hasPrefix("#") {
        let name = line.dropFirst().prefix { $0 != " " && $0 != ":" }
        head[String(name)] = (index + 1, String(line.drop { $0 != ":" }.dropFirst().drop { $0 == " " }))
      }
      if line.isEmpty || line.hasPrefix("#") { continue }
      guard head["format"]?.text.hasPrefix("frame checksums") == true, let tick else {
        throw refused("a framemd5 file must begin with '#format: frame checksums', and have '#tb' before its \(noun)s")
      }
      guard let entry = FrameMD5Text.entry(line, tick, number: index + 1) else {
        throw refused("this is not a \(noun); write stream, two times, duration, size and MD5, separated by commas")
      }
      if let before = entries.last, entry.time <= before.time {
        throw refused("the \(noun)'s time, \(entry.time), is not after the previous one, \(before.time)")
      }
      entries.append(entry)
    }
    guard let tick else { throw CamrecError(.input, "'\(path)' is not a framemd5 file") }
    // Without its line end, the last line may be incomplete.
    if let last = text.unicodeScalars.last, last != "\n" {
      throw CamrecError(.input, "'\(path)' is incomplete: its last line is cut off")
    }
    timeBase = tick
  }

  /// An error in a line.
  func refusal(line: Int, _ what: String) -> CamrecError { FrameMD5Text.refusal(path, line, what) }

  private static func refusal(_ path: String, _ line: Int, _ what: String) -> CamrecError {
    CamrecError(.input, "'\(path)', line \(line): \(what)")
  }

  private static func rational(_ text: Substring) -> Rational? {
    let parts = text.filter { $0 != " " }.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let numerator = Int64(parts[0]), let denominator = Int64(parts[1]), numerator > 0,
      denominator > 0, max(numerator, denominator) <= Int64(Int32.max)
    else { return nil }
    return Rational(numerator, denominator)
  }

  /// Leaves out the side data that a line of version 2 may have after its hash.
  private static func entry(_ line: Substring, _ timeBase: Rational, number: Int) -> Entry? {
    let fields = line.utf8.split(separator: UInt8(ascii: ","), maxSplits: 6, omittingEmptySubsequences: false).map {
      Substring($0.drop { $0 == UInt8(ascii: " ") })
    }
    guard fields.count >= 6, fields[0] == "0", Int64(fields[1]) != nil, let time = Int64(fields[2]),
      let duration = Int64(fields[3]), let size = Int(fields[4]), duration >= 0,
      max(abs(Double(time)), Double(duration)) * timeBase.doubleValue <= FrameMD5Text.longest, size > 0,
      fields[5].utf8.count == 32,
      fields[5].utf8.allSatisfy({
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
      })
    else { return nil }
    return Entry(line: number, time: time, duration: duration, size: size, hash: String(fields[5]))
  }

  /// Longest time in seconds, in either direction: in nanoseconds, times and their differences stay far below 64 bits.
  private static let longest = 1e9
}
