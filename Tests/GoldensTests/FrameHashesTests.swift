import Frames
import Goldens
import Testing

/// Texts of framemd5, FFmpeg's and broken ones.
@Suite struct FrameHashesTests {
  static let head = """
    #format: frame checksums
    #version: 2
    #hash: MD5
    #software: Lavf61.7.100
    #tb 0: 1/24000
    #media_type 0: video
    #codec_id 0: rawvideo
    #dimensions 0: 64x48
    #sar 0: 1/1
    #stream#, dts,        pts, duration,     size, hash

    """
  static let hash = "d41d8cd98f00b204e9800998ecf8427e"

  private func refusal(_ text: String) -> String? {
    do throws(CamrecError) {
      _ = try FrameHashes(text: text, path: "a.framemd5")
      return nil
    } catch { return error.code == .input ? error.description : "another code" }
  }

  @Test func whatFFmpegWritesIsRead() throws {
    let hashes = try FrameHashes(
      text: Self.head + "0,          0,          0,     1000,     4608, \(Self.hash)\n"
        + "0,       1000,       1001,     1000,     4608, \(Self.hash), S=1,       12\n", path: "a")
    #expect(hashes.timeBase == Rational(1, 24000) && hashes.dimensions == "64x48")
    #expect(hashes.pictures.map(\.time) == [0, 1001] && hashes.pictures[1].duration == 1000)
    #expect(hashes.pictures[0].size == 4608 && hashes.pictures[0].hash == Self.hash)
    let windows = try FrameHashes(text: "#format: frame checksums\r\n#tb 0: 1/25\r\n", path: "a")
    #expect(windows.timeBase == Rational(1, 25) && windows.pictures.isEmpty && windows.dimensions == nil)
  }

  @Test func whatIsWrongIsSaidWithItsLine() {
    let line = "0, 0, 0, 1000, 4608, \(Self.hash)\n"
    #expect(refusal("") == "'a.framemd5' is not a framemd5 file")
    #expect(refusal("moov")?.contains("line 1: a framemd5 file must begin with '#format: frame checksums'") == true)
    #expect(refusal("#format: frame checksums\n" + line)?.contains("line 2: a framemd5 file must begin with") == true)
    #expect(
      refusal(Self.head + line.dropLast()) == "'a.framemd5' is incomplete: its last line is cut off")
    #expect(
      refusal(Self.head + line + line)
        == "'a.framemd5', line 12: the frame's time, 0, is not after the previous one, 0")
    #expect(refusal(Self.head.replacing("1/24000", with: "1/0"))?.contains("line 5: this is not a time base") == true)
    #expect(refusal(Self.head.replacing("MD5", with: "SHA256"))?.contains("line 3: its hashes are SHA256") == true)
    #expect(refusal(Self.head + "#tb 1: 1/48000\n")?.contains("line 11: a golden has only one stream") == true)
    for wrong in [
      "1, 0, 0, 1000, 4608, \(Self.hash)\n", "0, 0, 0, 1000, 4608, \(Self.hash.dropLast())\n",
      "0, 0, 0, 1000, 0, \(Self.hash)\n", "0, 0, 9223372036854775807, 1000, 4608, \(Self.hash)\n",
      "0, 0, 0, -1, 4608, \(Self.hash)\n", "0, 0, 0, 1000\n", ", , , , ,\n",
      "0, 0, 0, 1000, 4608, \(Self.hash.uppercased())\n",
    ] { #expect(refusal(Self.head + wrong)?.contains("line 11: this is not a frame") == true, "\(wrong)") }
  }
}
