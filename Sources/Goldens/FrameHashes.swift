public import Frames

/// The hashes of a film's pictures as a framemd5 file says them, FFmpeg's or camrec's: one line for each picture with
/// stream, decoding time, presentation time, duration, size and MD5 (libavformat's `framemd5` muxer, versions 1 and 2).
public struct FrameHashes: Hashable, Sendable {
  public struct Picture: Hashable, Sendable {
    /// Presentation time and duration in ticks of `timeBase`.
    public let time: Int64
    public let duration: Int64
    /// Bytes that were hashed.
    public let size: Int
    /// In lower-case hexadecimal.
    public let hash: String

    public init(time: Int64, duration: Int64, size: Int, hash: String) {
      self.time = time
      self.duration = duration
      self.size = size
      self.hash = hash
    }
  }

  /// Seconds of a tick.
  public let timeBase: Rational
  /// `WxH`; `nil` where the file does not say it.
  public let dimensions: String?
  public let pictures: [Picture]

  public init(timeBase: Rational, dimensions: String?, pictures: [Picture]) {
    self.timeBase = timeBase
    self.dimensions = dimensions
    self.pictures = pictures
  }

  /// Reads the text of a framemd5 file of one stream.
  ///
  /// - Parameter path: for what is said of it.
  /// - Throws: code `input` with the line where the text is no such file, or breaks off.
  public init(text: String, path: String) throws(CamrecError) {
    var timeBase: Rational?
    var dimensions: String?
    var pictures: [Picture] = []
    var isFrameMD5 = false
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, bytes) in lines.enumerated() {
      let line = Substring(bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes)
      func refused(_ what: String) -> CamrecError { CamrecError(.input, "'\(path)', line \(index + 1): \(what)") }
      if line.hasPrefix("#format: frame checksums") { isFrameMD5 = true }
      if line.hasPrefix("#hash: "), line != "#hash: MD5" {
        throw refused("its hashes are \(line.dropFirst(7)), and goldens are MD5 (ffmpeg -f framemd5)")
      }
      if line.hasPrefix("#tb ") {
        guard let tick = FrameHashes.rational(line.drop { $0 != ":" }.dropFirst()) else {
          throw refused("this is no time base; it has two numbers, as in '#tb 0: 1/24000'")
        }
        guard timeBase == nil else { throw refused("a golden has one stream, and this is another") }
        timeBase = tick
      }
      if line.hasPrefix("#dimensions ") { dimensions = line.drop { $0 != ":" }.dropFirst().filter { $0 != " " } }
      if line.isEmpty || line.hasPrefix("#") { continue }
      guard isFrameMD5, let timeBase else {
        throw refused("a framemd5 file begins with '#format: frame checksums', and has '#tb' before its pictures")
      }
      guard let picture = FrameHashes.picture(line, timeBase) else {
        throw refused("this is no picture; it has stream, two times, duration, size and MD5, with commas between them")
      }
      if let before = pictures.last, picture.time <= before.time {
        throw refused("the picture's time, \(picture.time), is not behind the one before, \(before.time)")
      }
      pictures.append(picture)
    }
    guard let timeBase else { throw CamrecError(.input, "'\(path)' is no framemd5 file") }
    // A line is written in one piece; one that breaks off is not whole.
    if let last = text.unicodeScalars.last, last != "\n" {
      throw CamrecError(.input, "'\(path)' breaks off in its last line; it was not written to its end")
    }
    self.init(timeBase: timeBase, dimensions: dimensions, pictures: pictures)
  }

  private static func rational(_ text: Substring) -> Rational? {
    let parts = text.filter { $0 != " " }.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let numerator = Int64(parts[0]), let denominator = Int64(parts[1]), numerator > 0,
      denominator > 0, max(numerator, denominator) <= Int64(Int32.max)
    else { return nil }
    return Rational(numerator, denominator)
  }

  /// Side data, which a line of version 2 may have behind its hash, is left out.
  private static func picture(_ line: Substring, _ timeBase: Rational) -> Picture? {
    let fields = line.utf8.split(separator: UInt8(ascii: ","), maxSplits: 6, omittingEmptySubsequences: false).map {
      Substring($0.drop { $0 == UInt8(ascii: " ") })
    }
    guard fields.count >= 6, fields[0] == "0", Int64(fields[1]) != nil, let time = Int64(fields[2]),
      let duration = Int64(fields[3]), let size = Int(fields[4]), duration >= 0,
      max(abs(Double(time)), Double(duration)) * timeBase.doubleValue <= FrameHashes.longest, size > 0,
      fields[5].utf8.count == 32,
      fields[5].utf8.allSatisfy({
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
      })
    else { return nil }
    return Picture(time: time, duration: duration, size: size, hash: String(fields[5]))
  }

  /// Seconds of a film, in either direction: in nanoseconds its times and their differences are far from the ends of 64
  /// bits.
  private static let longest = 1e9

  /// When a picture shows, in seconds.
  func seconds(of picture: Int) -> Double { Double(pictures[picture].time) * timeBase.doubleValue }

  /// Ticks in nanoseconds.
  func nanoseconds(_ ticks: Int64) -> Int64 { (timeBase * Rational(1_000_000_000)).scaling(ticks) }
}
