/// A track as a decoder reads it, independently of the atoms, to be compared with them.
public struct StreamFacts: Hashable, Sendable {
  /// Numbers of ITU-T H.273 from the coded frames themselves; 2 means unspecified.
  public struct Color: Hashable, Sendable {
    public var primaries: Int
    public var transfer: Int
    public var matrix: Int
    /// `nil` if the frames do not say.
    public var isFullRange: Bool?

    public init(primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool?) {
      self.primaries = primaries
      self.transfer = transfer
      self.matrix = matrix
      self.isFullRange = isFullRange
    }
  }

  /// The track's number in its header.
  public var identifier: UInt32
  public var codec: String
  /// Of a decoded frame, in samples; `nil` for sound, and if none could be decoded.
  public var width: Int?
  public var height: Int?
  public var color: Color?
  /// Whether its frames are R'G'B'.
  public var isRGB: Bool
  /// Of sound.
  public var sampleRate: Int?
  public var channels: Int?
  /// Number of samples in the demuxer's index.
  public var samples: Int
  /// Why its first or last sample cannot be decoded; `nil` if both can, or if there is nothing to decode.
  public var damage: String?
  /// Every frame decodes from the beginning, but not from the last key frame.
  public var isDamagedBehindJump = false

  public init(
    identifier: UInt32, codec: String, width: Int? = nil, height: Int? = nil, color: Color? = nil, isRGB: Bool = false,
    sampleRate: Int? = nil, channels: Int? = nil, samples: Int, damage: String? = nil
  ) {
    self.identifier = identifier
    self.codec = codec
    self.width = width
    self.height = height
    self.color = color
    self.isRGB = isRGB
    self.sampleRate = sampleRate
    self.channels = channels
    self.samples = samples
    self.damage = damage
  }
}
