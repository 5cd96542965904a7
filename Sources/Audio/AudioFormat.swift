/// The format of interleaved PCM, as a microphone delivers it and a film stores it.
public struct AudioFormat: Hashable, Sendable {
  /// Audio frames (one sample of each channel) per second.
  public let sampleRate: Int
  public let channels: Int
  public let sample: SampleFormat

  public init(sampleRate: Int, channels: Int, sample: SampleFormat = .s16) {
    precondition(sampleRate > 0 && channels > 0, "sound has a rate and channels")
    self.sampleRate = sampleRate
    self.channels = channels
    self.sample = sample
  }

  public var bytesPerFrame: Int { channels * sample.bytes }

  /// 48 kHz, stereo, 16 bit.
  public static let standard = AudioFormat(sampleRate: 48000, channels: 2)
}

/// Signed little-endian PCM.
public enum SampleFormat: String, Hashable, Sendable, CaseIterable {
  case s16
  /// 24 bits in the high end of 32.
  case s32

  public var bytes: Int { self == .s16 ? 2 : 4 }
}
