/// What a decoder says of a track: read independently of the atoms, to be held against them.
public struct StreamFacts: Hashable, Sendable {
  /// Numbers of ITU-T H.273 as the coded pictures themselves carry them; 2 is "not said".
  public struct Color: Hashable, Sendable {
    public var primaries: Int
    public var transfer: Int
    public var matrix: Int
    /// `nil` where the pictures do not say it.
    public var isFullRange: Bool?

    public init(primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool?) {
      self.primaries = primaries
      self.transfer = transfer
      self.matrix = matrix
      self.isFullRange = isFullRange
    }
  }

  /// The number that the track has in its header.
  public var identifier: UInt32
  public var codec: String
  /// Of a decoded picture, in samples; `nil` for sound, and where none could be decoded.
  public var width: Int?
  public var height: Int?
  public var color: Color?
  /// Its pictures are R'G'B'.
  public var isRGB: Bool
  /// Of sound.
  public var sampleRate: Int?
  public var channels: Int?
  /// Samples that the demuxer's index has.
  public var samples: Int
  /// Why the first or the last of it cannot be decoded; `nil` where both can, or where nothing is to be decoded.
  public var damage: String?
  /// From the beginning on every picture decodes, and not from its last key frame on.
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
