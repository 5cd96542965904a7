/// Measures of a full-resolution frame and of the audio, as a message of kind `measures` carries them.
public struct MeasuresPayload: Hashable, Sendable {
  /// The level of the audio in dBFS; minus infinity is silence.
  public struct Level: Hashable, Sendable {
    /// The peak; it falls by 20 dB in 1.7 s.
    public var peak: Float
    /// The highest peak of the last two seconds.
    public var held: Float

    public init(peak: Float, held: Float) {
      self.peak = peak
      self.held = held
    }
  }

  /// Bits of a code, 8 to 16: each table has two to this power counts.
  public var bitDepth: Int
  /// How many pixels have each code. `luma` counts the codes in the frame; the others those of R'G'B' in full range.
  public var luma, red, green, blue: [UInt32]
  /// One for all channels together; empty without audio.
  public var levels: [Level]

  public static let bitDepths = 8...16
  private static let tables = 4
  private static let headerLength = 8

  /// - Precondition: `bitDepth` is in `bitDepths`, and every table has two to that power counts.
  public init(bitDepth: Int, luma: [UInt32], red: [UInt32], green: [UInt32], blue: [UInt32], levels: [Level] = []) {
    precondition(MeasuresPayload.bitDepths.contains(bitDepth))
    precondition([luma, red, green, blue].allSatisfy { $0.count == 1 << bitDepth })
    self.bitDepth = bitDepth
    self.luma = luma
    self.red = red
    self.green = green
    self.blue = blue
    self.levels = levels
  }

  /// As it is sent.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(MeasuresPayload.headerLength + 4 * MeasuresPayload.tables << bitDepth + 8 * levels.count)
    for number in [bitDepth, MeasuresPayload.tables, levels.count, 0] {
      bytes.append(littleEndian: UInt16(clamping: number))
    }
    for table in [luma, red, green, blue] {
      for count in table { bytes.append(littleEndian: count) }
    }
    for level in levels.prefix(Int(UInt16.max)) {
      bytes.append(littleEndian: level.peak.bitPattern)
      bytes.append(littleEndian: level.held.bitPattern)
    }
    return bytes
  }

  /// Passes over tables that a later version has besides, and over what follows the levels.
  ///
  /// - Returns: `nil` if these are no measures.
  public init?(bytes: some Collection<UInt8>) {
    var reading = LittleEndianReading(bytes)
    let bitDepth = Int(reading.next(UInt16.self)), tables = Int(reading.next(UInt16.self))
    let channels = Int(reading.next(UInt16.self))
    _ = reading.next(UInt16.self)
    guard MeasuresPayload.bitDepths.contains(bitDepth), tables >= MeasuresPayload.tables,
      bytes.count >= MeasuresPayload.headerLength + (4 * tables) << bitDepth + 8 * channels
    else { return nil }
    var read: [[UInt32]] = []
    for _ in 0..<MeasuresPayload.tables { read.append((0..<1 << bitDepth).map { _ in reading.next(UInt32.self) }) }
    for _ in 0..<(tables - MeasuresPayload.tables) << bitDepth { _ = reading.next(UInt32.self) }
    self.init(
      bitDepth: bitDepth, luma: read[0], red: read[1], green: read[2], blue: read[3],
      levels: (0..<channels).map { _ in
        Level(peak: Float(bitPattern: reading.next(UInt32.self)), held: Float(bitPattern: reading.next(UInt32.self)))
      })
  }
}
