import Audio
import Foundation
import Frames
import Goldens
import TestKit
import Testing

/// Texts of sound: FFmpeg's own, the same ones made here, and broken ones.
@Suite struct SoundHashesTests {
  /// A sound of a quarter of a second, and FFmpeg's text of it.
  struct Sample {
    let format: AudioFormat
    let bytes: [UInt8]
    let text: String

    init(_ format: AudioFormat) throws {
      self.format = format
      bytes = SoundHashesTests.noise(format.sampleRate / 4, format, seed: 7)
      let raw = format.sample == .s16 ? "s16le" : "s32le"
      let line =
        "ffmpeg -v error -f \(raw) -ar \(format.sampleRate) -ac \(format.channels) -i - -map 0:a:0"
        + " -af asetnsamples=n=\(format.sampleRate / 10):p=0 -c:a pcm_\(raw) -flags:a +bitexact -fflags +bitexact"
        + " -f framemd5 -"
      let command = line.split(separator: " ").map(String.init)
      text = String(decoding: try Tool.run(command, input: Data(bytes)), as: UTF8.self)
    }

    func hashes(pieces: Int) -> SoundHashes {
      var hashing = SoundHashing(format) { SoundHashesTests.md5($0) }
      for start in stride(from: 0, to: bytes.count, by: pieces) {
        hashing.update(Array(bytes[start..<min(start + pieces, bytes.count)]).span.bytes)
      }
      return hashing.finish()
    }
  }

  static func noise(_ frames: Int, _ format: AudioFormat, seed: UInt64) -> [UInt8] {
    var random = SplitMix(seed: seed)
    let words = (0..<(frames * format.bytesPerFrame + 7) / 8).map { _ in random.next() }
    return Array(words.withUnsafeBytes { Array($0) }.prefix(frames * format.bytesPerFrame))
  }

  /// By coreutils.
  static func md5(_ bytes: RawSpan) -> String {
    let data = bytes.withUnsafeBytes { Data($0) }
    let said = try? Tool.run(["md5sum"], input: data)
    return String(decoding: (said ?? Data()).prefix(32), as: UTF8.self)
  }

  @Test(arguments: [
    AudioFormat(sampleRate: 48000, channels: 2), AudioFormat(sampleRate: 44100, channels: 1),
    AudioFormat(sampleRate: 48000, channels: 1, sample: .s32),
    AudioFormat(sampleRate: 44100, channels: 2, sample: .s32), AudioFormat(sampleRate: 11025, channels: 3),
    AudioFormat(sampleRate: 8000, channels: 6), AudioFormat(sampleRate: 8000, channels: 9),
  ]) func theTextIsFFmpegs(format: AudioFormat) throws {
    let sample = try Sample(format)
    let hashes = sample.hashes(pieces: 4097)
    #expect(hashes.text == sample.text)
    let read = try SoundHashes(text: sample.text, path: "a")
    #expect(read == hashes)
    #expect(read.format == format && read.length == Int64(format.sampleRate / 4))
    #expect(read.blocks.map(\.count) == hashes.blocks.map(\.count) && read.blocks.count == 3)
  }

  @Test(arguments: [1, 3, 4, 19_199, 19_200, 19_201, 1_000_000]) func piecesOfAnySizeGiveTheSame(pieces: Int) {
    let format = AudioFormat(sampleRate: 48000, channels: 2)
    let bytes = Self.noise(10_000, format, seed: 1)
    // Hashes that show which bytes they are of.
    var hashing = SoundHashing(format) { span in
      span.withUnsafeBytes { "\($0.count) from \($0[0]), \($0[1]) to \($0[$0.count - 1])" }
    }
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      hashing.update(Array(bytes[start..<min(start + pieces, bytes.count)]).span.bytes)
    }
    let hashes = hashing.finish()
    let ranges = [0..<19_200, 19_200..<38_400, 38_400..<40_000]
    let expected = ranges.map { range in
      "\(range.count) from \(bytes[range.lowerBound]), \(bytes[range.lowerBound + 1]) to \(bytes[range.upperBound - 1])"
    }
    #expect(hashes.blocks.map(\.hash) == expected)
    #expect(hashes.blocks.map(\.start) == [0, 4800, 9600] && hashes.blocks.map(\.count) == [4800, 4800, 400])
  }

  @Test func noSoundAtAll() throws {
    let hashes = SoundHashing(AudioFormat(sampleRate: 5, channels: 2)) { _ in "" }.finish()
    #expect(hashes.blocks.isEmpty && hashes.length == 0 && hashes.blockLength == 1)
    let read = try SoundHashes(text: hashes.text, path: "a")
    #expect(read == hashes)
  }

  /// The filters that the documentation names.
  @Test func soundThatBeginsLateIsFilledBySilence() throws {
    let format = AudioFormat(sampleRate: 48000, channels: 2)
    let bytes = Self.noise(12_000, format, seed: 3)
    let line =
      "ffmpeg -v error -itsoffset 0.15 -f s16le -ar 48000 -ac 2 -i - -map 0:a:0 -af FILTER -c:a pcm_s16le"
      + " -flags:a +bitexact -fflags +bitexact -f framemd5 -"
    func text(_ filter: String) throws -> String {
      let command = line.split(separator: " ").map { $0 == "FILTER" ? filter : String($0) }
      return String(decoding: try Tool.run(command, input: Data(bytes)), as: UTF8.self)
    }
    let late = try text("asetnsamples=n=4800:p=0")
    #expect(
      refusal(late)?.contains("line 10: the block's time is 7200, not 0; fill a late beginning") == true)
    var hashing = SoundHashing(format) { Self.md5($0) }
    hashing.update([UInt8](repeating: 0, count: 7200 * 4).span.bytes)
    hashing.update(bytes.span.bytes)
    let filled = try text("aresample=async=1:first_pts=0,asetnsamples=n=4800:p=0")
    #expect(hashing.finish().text == filled)
  }

  // MARK: Refusals

  static let head = """
    #format: frame checksums
    #version: 2
    #hash: MD5
    #tb 0: 1/48000
    #media_type 0: audio
    #codec_id 0: pcm_s16le
    #sample_rate 0: 48000
    #channel_layout_name 0: 5.1(side)
    #stream#, dts,        pts, duration,     size, hash

    """
  static let hash = "d41d8cd98f00b204e9800998ecf8427e"

  private func line(_ time: Int, _ count: Int, _ size: Int) -> String {
    "0, \(time), \(time), \(count), \(size), \(Self.hash)\n"
  }

  private func refusal(_ text: String) -> String? {
    do throws(CamrecError) {
      _ = try SoundHashes(text: text, path: "a.framemd5")
      return nil
    } catch { return error.code == .input ? error.description : "another code" }
  }

  @Test func timesBesideTheirPlace() throws {
    let hashes = try SoundHashes(
      text: Self.head + line(-7, 4800, 57600) + line(4808, 4800, 57600) + line(8640, 1, 12), path: "a")
    #expect(hashes.blocks.map(\.start) == [0, 4800, 9600] && hashes.length == 9601)
    #expect(hashes.layout == "5.1(side)" && hashes.format == AudioFormat(sampleRate: 48000, channels: 6))
    #expect(
      refusal(Self.head + line(0, 4800, 57600) + line(5761, 4800, 57600))?.contains(
        "line 11: the block's time is 5761, not 4800") == true)
  }

  @Test func whatIsWrongIsSaidWithItsLine() {
    let head = Self.head
    let block = line(0, 4800, 57600)
    #expect(refusal(head + block) == nil)
    #expect(refusal("") == "'a.framemd5' is not a framemd5 file")
    #expect(refusal("RIFF\n")?.contains("line 1: a framemd5 file must begin with") == true)
    #expect(refusal(head + block.dropLast())?.contains("is incomplete: its last line is cut off") == true)
    #expect(refusal(head + "0, 0, 0, 4800\n")?.contains("line 10: this is not a block; write stream") == true)
    #expect(
      refusal(head + block + block) == "'a.framemd5', line 11: the block's time, 0, is not after the previous one, 0")
    #expect(
      refusal(FrameHashesTests.head)
        == "'a.framemd5', line 6: this is a golden of video, not of audio (ffmpeg -map 0:a:0)")
    #expect(
      refusal(head.replacing("pcm_s16le", with: "pcm_s24le"))?.contains(
        "line 6: its audio is pcm_s24le; a golden's is pcm_s16le or pcm_s32le") == true)
    #expect(
      refusal(head.replacing("rate 0: 48000", with: "rate 0: 0"))?.contains("line 7: this is not a sample") == true)
    #expect(
      refusal(head.replacing("1/48000", with: "1/1000"))
        == "'a.framemd5', line 4: its time base is 1/1000 s; this audio needs 1/48000 s")
    #expect(
      refusal(head.replacing("#codec_id 0: pcm_s16le\n", with: "") + block)?.contains("has no line '#codec_id'")
        == true)
    #expect(refusal(head) == "'a.framemd5' has no audio and no known channel layout")
    // As it is without asetnsamples, and with a short block that is not the last.
    #expect(
      refusal(head + line(0, 1024, 12288) + line(1024, 4800, 57600))
        == "'a.framemd5', line 10: the block has 1024 samples, not the 4800 of a tenth of a second"
        + " (ffmpeg -af asetnsamples=n=4800:p=0)")
    #expect(refusal(head + block + line(4800, 4801, 57612))?.contains("line 11: the block has 4801 samples") == true)
    #expect(refusal(head + line(0, 0, 12))?.contains("line 10: the block has 0 samples") == true)
    #expect(
      refusal(head + block + line(4800, 4800, 57601))
        == "'a.framemd5', line 11: the block has 57601 bytes, which are not 4800 samples of 6 channels in 16 bits")
    #expect(refusal(head + line(0, 4800, 57601))?.contains("line 10: the block has 57601 bytes") == true)
    #expect(refusal(head + line(0, 4800, .max))?.contains("line 10: the block has \(Int.max) bytes") == true)
  }
}
