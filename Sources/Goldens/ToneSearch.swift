public import Audio

/// Finds where sound begins after a tenth of a second of silence, in PCM that comes in pieces.
///
/// Silence is quieter than a twelfth of full scale (−22 dB) in every channel.
public struct ToneSearch: Sendable {
  private let format: AudioFormat
  /// Sample frames of silence, at least.
  private let pause: Int
  private var silent = 0
  private var place: Int64 = 0
  /// The sample frames at which sound begins, from 0, rising.
  public private(set) var beginnings: [Int64] = []

  public init(_ format: AudioFormat) {
    self.format = format
    pause = format.sampleRate / 10
  }

  /// Takes the next bytes: interleaved, little-endian PCM, whole sample frames.
  public mutating func update(_ bytes: RawSpan) {
    var frame = 0
    while frame + format.bytesPerFrame <= bytes.byteCount {
      if isSilent(bytes, frame) {
        silent += 1
      } else {
        if silent >= pause { beginnings.append(place) }
        silent = 0
      }
      place += 1
      frame += format.bytesPerFrame
    }
  }

  private func isSilent(_ bytes: RawSpan, _ frame: Int) -> Bool {
    for channel in 0..<format.channels {
      let place = frame + channel * format.sample.bytes
      // Marked unsafe: every pattern of bits is a number, and the place is checked.
      let isLoud: Bool =
        switch format.sample {
        case .s16: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: place, as: Int16.self).magnitude > UInt16.max / 24
        case .s32: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: place, as: Int32.self).magnitude > UInt32.max / 24
        }
      if isLoud { return false }
    }
    return true
  }
}
