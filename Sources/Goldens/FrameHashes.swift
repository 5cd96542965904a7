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
  /// What the file says of the LUT that was baked into them; `nil` where it says nothing.
  public let lut: String?

  public init(timeBase: Rational, dimensions: String?, pictures: [Picture], lut: String? = nil) {
    self.timeBase = timeBase
    self.dimensions = dimensions
    self.pictures = pictures
    self.lut = lut
  }

  /// Reads the text of a framemd5 file of one stream.
  ///
  /// - Parameter path: for what is said of it.
  /// - Throws: code `input` with the line where the text is no such file, or breaks off.
  public init(text: String, path: String) throws(CamrecError) {
    let file = try FrameMD5Text(text, path: path, noun: "picture")
    self.init(
      timeBase: file.timeBase, dimensions: file.head["dimensions"]?.text.filter { $0 != " " },
      pictures: file.entries.map { Picture(time: $0.time, duration: $0.duration, size: $0.size, hash: $0.hash) },
      lut: file.head["lut"]?.text)
  }

  /// The line that says `lut`, for the end of a file.
  public static func line(lut: String) -> String { "#lut 0: \(lut)\n" }

  /// When a picture shows, in seconds.
  public func seconds(of picture: Int) -> Double { Double(pictures[picture].time) * timeBase.doubleValue }

  /// When the last picture ends; 0 without one.
  public var seconds: Double { pictures.last.map { Double($0.time + $0.duration) * timeBase.doubleValue } ?? 0 }

  /// Ticks in nanoseconds.
  func nanoseconds(_ ticks: Int64) -> Int64 { (timeBase * Rational(1_000_000_000)).scaling(ticks) }
}
