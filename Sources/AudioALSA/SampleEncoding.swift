package import Audio
import CALSA

/// The memory layout of a device's samples, and their conversion to those of an `AudioFormat`.
package enum SampleEncoding: Hashable, Sendable, CaseIterable {
  /// 16 bits.
  case s16
  /// 32 bits.
  case s32
  /// 24 bits in the low end of 32.
  case s24in32
  /// 24 bits in three bytes.
  case s24in24

  /// The resulting format.
  package var sample: SampleFormat { self == .s16 ? .s16 : .s32 }

  package var bytes: Int {
    switch self {
    case .s16: 2
    case .s24in24: 3
    case .s32, .s24in32: 4
    }
  }

  var alsaFormat: snd_pcm_format_t {
    switch self {
    case .s16: SND_PCM_FORMAT_S16_LE
    case .s32: SND_PCM_FORMAT_S32_LE
    case .s24in32: SND_PCM_FORMAT_S24_LE
    case .s24in24: SND_PCM_FORMAT_S24_3LE
    }
  }

  /// Converts the device's `count` samples at the beginning of `bytes` to `sample`, in place.
  ///
  /// - Precondition: `bytes` has room for them.
  package func expand(_ bytes: UnsafeMutableRawBufferPointer, count: Int) {
    switch self {
    case .s16, .s32:
      return
    case .s24in32:
      for index in 0..<count {
        let value = bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
        bytes.storeBytes(of: value << 8, toByteOffset: index * 4, as: UInt32.self)
      }
    case .s24in24:
      // From last to first, because the result is longer.
      for index in stride(from: count - 1, through: 0, by: -1) {
        let low = UInt32(bytes[index * 3]), middle = UInt32(bytes[index * 3 + 1]), high = UInt32(bytes[index * 3 + 2])
        bytes.storeBytes(of: low << 8 | middle << 16 | high << 24, toByteOffset: index * 4, as: UInt32.self)
      }
    }
  }
}
