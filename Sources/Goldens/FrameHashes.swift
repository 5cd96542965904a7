public import Frames

/// The hashes of a film's frames, as in a framemd5 file of FFmpeg's or camrec's: one line for each frame with stream,
/// decoding time, presentation time, duration, size and MD5 (libavformat's `framemd5` muxer, versions 1 and 2).
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
  /// `WxH`; `nil` if the file does not have it.
  public let dimensions: String?
  public let pictures: [Picture]
  /// The file's line on the LUT that was baked in; `nil` if it has none.
  public let lut: String?

  public init(timeBase: Rational, dimensions: String?, pictures: [Picture], lut: String? = nil) {
    self.timeBase = timeBase
    self.dimensions = dimensions
    self.pictures = pictures
    self.lut = lut
  }

  /// Reads the text of a framemd5 file of one stream.
  ///
  /// - Parameter path: for error messages.
  /// - Throws: code `input`, with the line, if the text is not such a file, or is cut off.
  public init(text: String, path: String) throws(CamrecError) {
    let file = try FrameMD5Text(text, path: path, noun: "frame")
    self.init(
      timeBase: file.timeBase, dimensions: file.head["dimensions"]?.text.filter { $0 != " " },
      pictures: file.entries.map { Picture(time: $0.time, duration: $0.duration, size: $0.size, hash: $0.hash) },
      lut: file.head["lut"]?.text)
  }

  /// The line for `lut`, to end a file with.
  public static func line(lut: String) -> String { "#lut 0: \(lut)\n" }

  /// The time of a frame in seconds.
  public func seconds(of picture: Int) -> Double { Double(pictures[picture].time) * timeBase.doubleValue }

  /// The end of the last frame in seconds; 0 without one.
  public var seconds: Double { pictures.last.map { Double($0.time + $0.duration) * timeBase.doubleValue } ?? 0 }

  /// Ticks in nanoseconds.
  func nanoseconds(_ ticks: Int64) -> Int64 { (timeBase * Rational(1_000_000_000)).scaling(ticks) }
}
