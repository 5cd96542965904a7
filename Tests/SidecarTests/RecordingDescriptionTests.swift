import Foundation
import Frames
import RecorderAPI
import Sidecar
import Testing

/// What one description of a film says in its several places.
@Suite struct RecordingDescriptionTests {
  private let description = RecordingDescription(
    identity: RecordingIdentity(), camera: "camera", microphone: "microphone", width: 1920, height: 1080,
    frameRate: FrameRate(parsing: "24000/1001").unsafelyUnwrapped, pixelFormat: "nv12", colorIn: "apple-log",
    colorOut: "rec709", lut: LUTIdentity(title: "title", sha256: "0a"),
    look: LookIdentity(name: "portra-400", version: 1, seed: .max), bakedOn: "a GPU", codec: "hevc",
    output: "films/take.mov")

  @Test func aSidecarsHead() {
    let start = Date(timeIntervalSince1970: 1_700_000_000)
    let head = SidecarHead(
      description, software: "camrec 0", timeBase: Rational(1, 24000), sampleRate: 48000, start: start,
      timecode: "22:13:20:00")
    let expected = SidecarHead(
      software: "camrec 0", film: "take.mov", camera: "camera", width: 1920, height: 1080, pixelFormat: "nv12",
      frameRate: description.frameRate, timeBase: Rational(1, 24000), colorIn: "apple-log", colorOut: "rec709",
      lutTitle: "title", lutSHA256: "0a", look: description.look, bakedOn: "a GPU", codec: "hevc",
      microphone: "microphone", sampleRate: 48000, start: start, timecode: "22:13:20:00",
      identity: description.identity)
    #expect(head == expected)
  }

  @Test func aStatesSource() {
    let expected = RecorderState.Source(
      camera: "camera", width: 1920, height: 1080, frameRate: "24000/1001", pixelFormat: "nv12")
    #expect(RecorderState.Source(description) == expected)
  }

  /// Events and reports have these names.
  @Test func lutAndLookInJSON() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(description.lut), as: UTF8.self) == #"{"sha256":"0a","title":"title"}"#)
    #expect(
      String(decoding: try encoder.encode(description.look), as: UTF8.self)
        == #"{"name":"portra-400","seed":18446744073709551615,"version":1}"#)
    #expect(String(decoding: try encoder.encode(LUTIdentity(sha256: "0a")), as: UTF8.self) == #"{"sha256":"0a"}"#)
  }
}
