public import Audio
import Foundation
import Frames

/// The hashes of a film's audio, block by block, as in a framemd5 file of PCM of FFmpeg's or camrec's (libavformat's
/// `framemd5` muxer, version 2).
///
/// A block is a tenth of a second; the last may be shorter. Audio counts from the presentation time 0, in sample frames
/// (one sample of each channel), and has no gaps. FFmpeg makes the same text of a clip whose audio begins there, with N
/// sample frames in a tenth of a second:
///
///     ffmpeg -i clip.mov -map 0:a:0 -af asetnsamples=n=N:p=0 -c:a pcm_s16le -flags:a +bitexact -fflags +bitexact
///       -f framemd5 clip.framemd5
///
/// and of any other clip with `aresample=async=1:first_pts=0,` before `asetnsamples`.
public struct SoundHashes: Hashable, Sendable {
  public struct Block: Hashable, Sendable {
    /// The first sample frame.
    public let start: Int64
    /// Sample frames.
    public let count: Int
    /// MD5 of its bytes, interleaved and little-endian, in lower-case hexadecimal.
    public let hash: String
  }

  public let format: AudioFormat
  /// The channels as FFmpeg calls them: `stereo`, `5.1(side)`.
  public let layout: String
  /// Each begins where the one before ends, the first at 0; all but the last have `blockLength` sample frames.
  public let blocks: [Block]
  /// Integrated, in LUFS (EBU R 128); `nil` if it was not measured. A comment to FFmpeg.
  public var loudness: Double?
  /// The sync with the frames; `nil` if it was not measured. A comment to FFmpeg, too.
  public var sync: SoundSync?

  init(format: AudioFormat, layout: String, blocks: [Block]) {
    self.format = format
    self.layout = layout
    self.blocks = blocks
  }

  /// Sample frames of a whole block: those of a tenth of a second, at least 1.
  public var blockLength: Int { SoundHashes.blockLength(sampleRate: format.sampleRate) }

  /// Sample frames in all.
  public var length: Int64 { blocks.last.map { $0.start + Int64($0.count) } ?? 0 }

  /// The text of a framemd5 file, as FFmpeg writes it with its bit-exact flags.
  public var text: String {
    let head = """
      #format: frame checksums
      #version: 2
      #hash: MD5
      #tb 0: 1/\(format.sampleRate)
      #media_type 0: audio
      #codec_id 0: \(format.sample.codecName)
      #sample_rate 0: \(format.sampleRate)
      #channel_layout_name 0: \(layout)\(comments)
      #stream#, dts,        pts, duration,     size, hash

      """
    return blocks.reduce(into: head) { text, block in
      let size = block.count * format.bytesPerFrame
      text += String(format: "0, %10ld, %10ld, %8ld, %8ld, ", Int(block.start), Int(block.start), block.count, size)
      text += block.hash + "\n"
    }
  }

  private var comments: String {
    (loudness.map { String(format: "\n#loudness 0: %.1f LUFS", $0) } ?? "")
      + (sync.map { "\n#sync 0: \($0.text)" } ?? "")
  }

  /// FFmpeg's default layout name for a number of channels.
  public static func layoutName(channels: Int) -> String {
    layoutNames.indices.contains(channels - 1) ? layoutNames[channels - 1] : "\(channels) channels"
  }

  static func blockLength(sampleRate: Int) -> Int { max(1, sampleRate / 10) }

  /// For one channel, two, and so on (libavutil's `av_channel_layout_default`).
  static let layoutNames = ["mono", "stereo", "2.1", "4.0", "5.0", "5.1", "6.1", "7.1"]
}

extension SampleFormat {
  /// FFmpeg's name.
  var codecName: String {
    switch self {
    case .s16: "pcm_s16le"
    case .s32: "pcm_s32le"
    }
  }
}
