import Cameras
import Foundation
import Frames
import MediaFFmpeg
import TestKit
import Testing

/// Clips that are read from a later picture on.
struct ClipRangeTests {
  let clips: ClipMaker

  init() throws { clips = try ClipMaker() }

  @Test(arguments: ["libx264 -pix_fmt yuv420p -bf 2 -g 8", "ffv1"]) func theRestIsThatOfTheWhole(codec: String) throws {
    let path = try clips.make("clip.mkv", ClipMaker.picture, "-c:v \(codec)")
    let whole = try ReadClip(ClipCamera.open(path: path, paced: false))
    for skipped in [0, 1, 7, 24] {
      let camera = try ClipCamera.open(path: path, paced: false, skipping: skipped)
      let rest = try ReadClip(camera)
      #expect(rest.times == Array(whole.times.dropFirst(skipped)))
      #expect(rest.captureTimes == Array(whole.captureTimes.dropFirst(skipped)))
      #expect(rest.samples == whole.samples.suffix((25 - skipped) * whole.samples.count / 25))
      #expect(rest.sequences == Array(0..<UInt64(25 - skipped)))
      #expect(camera.framesBehindTimecode == skipped)
      #expect(camera.endWarnings == [])
    }
  }

  /// What lies in front is counted by time.
  @Test func variableRate() throws {
    let path = try clips.make("clip.mkv", ClipMaker.picture, "-vf select='mod(n\\,5)' -fps_mode passthrough -c:v ffv1")
    let camera = try ClipCamera.open(path: path, paced: false, skipping: 8)
    // 1 2 3 4, 6 7 8 9, and 11.
    #expect(camera.framesBehindTimecode == 10)
    #expect(try ReadClip(camera).times.count == 12)
  }

  /// Pictures that do not decode are counted in front, and are not missing there.
  @Test func damageInFront() throws {
    let path = try clips.make("damaged.mov", ClipMaker.picture, "-c:v mjpeg")
    try clips.damage(path, picture: 5)
    let behind = try ClipCamera.open(path: path, paced: false, skipping: 8)
    let rest = try ReadClip(behind)
    #expect(rest.times.count == 17 && rest.damaged == [])
    #expect(rest.times.first?.ticks == 8 * (rest.times.first?.duration ?? 0))
    #expect(behind.framesBehindTimecode == 8)
    #expect(behind.endWarnings == [])
    let first = try ClipCamera.open(path: path, paced: false, skipping: 5)
    let damaged = try ReadClip(first)
    #expect(damaged.times.count == 19 && damaged.damaged == [0])
    #expect(first.endWarnings == ["\(path): 1 frame cannot be decoded and is missing, the first at 0.20 s"])
  }

  /// Frames are counted in the order of their times. Packet 5 has frame 8; frames 5 to 7, and those up to the key frame
  /// 12, follow from it.
  @Test func damageAmongReorderedFrames() throws {
    let path = try clips.make("damaged.mp4", ClipMaker.picture, ClipMaker.groups)
    let place = try SpoiledPacket.spoil(path, packet: 5)
    let first = try ReadClip(ClipCamera.open(path: path, paced: false), limit: 1)
    let duration = try #require(first.times.first).duration
    try #require(place == 8)
    let before = try ReadClip(ClipCamera.open(path: path, paced: false, skipping: 3), limit: 2)
    #expect(before.times.map(\.ticks) == [3 * duration, 4 * duration] && before.damaged == [])
    for skipped in 5...11 {
      let there = try ReadClip(ClipCamera.open(path: path, paced: false, skipping: skipped), limit: 1)
      #expect(there.damaged == Array(0..<UInt64(12 - skipped)) && there.times.map(\.ticks) == [12 * duration])
    }
    // The first damaged one of those that are read, not of the clip.
    let behind = try ClipCamera.open(path: path, paced: false, skipping: 9)
    _ = try ReadClip(behind)
    #expect(behind.endWarnings == ["\(path): 3 frames cannot be decoded and are missing, the first at 0.36 s"])
    // A film that ends before its clip lacks only what lies before its end.
    #expect(
      behind.warningsAtEnd(damaged: 1) == ["\(path): 1 frame cannot be decoded and is missing, the first at 0.36 s"])
    #expect(behind.warningsAtEnd(damaged: 0) == [])
  }

  /// The clip begins where its stream does, whatever of it decodes.
  @Test func damageAtTheBeginning() throws {
    let path = try clips.make("damaged.mov", ClipMaker.picture, "-c:v mjpeg -output_ts_offset 1.4")
    try clips.damage(path, picture: 0)
    for skipped in [1, 5] {
      #expect(try ClipCamera.open(path: path, paced: false, skipping: skipped).framesBehindTimecode == skipped)
    }
  }

  /// A .mkv has no timecode track: what camrec's has lost in front of its first frame shows in that one's time.
  @Test(arguments: [("camrec 0.2.0", 50), ("others", 0)])
  func theBeginningOfAMatroskaIsLost(software: String, frames: Int) throws {
    let path = clips.path("clip.mkv"), options = "-c:v ffv1 -output_ts_offset 2 -metadata timecode=01:00:00:00"
    let words = "\(ClipMaker.picture) \(options)".split(separator: " ").map(String.init)
    try Tool.run(["ffmpeg", "-v", "error", "-y"] + words + ["-metadata", "software=\(software)", path])
    for skipped in [0, 3] {
      let camera = try ClipCamera.open(path: path, paced: false, skipping: skipped)
      #expect(camera.tags.timecode == "01:00:00:00" && camera.framesBehindTimecode == frames + skipped)
    }
  }

  private func refusal(_ path: String, skipping skipped: Int) -> CamrecError? {
    do throws(CamrecError) {
      _ = try ClipCamera.open(path: path, paced: false, skipping: skipped)
      return nil
    } catch { return error }
  }

  @Test func thereIsNothingBehindTheEnd() throws {
    let path = try clips.make("clip.mkv", ClipMaker.picture, "-c:v ffv1")
    for skipped in [25, 26, Int.max] {
      #expect(
        refusal(path, skipping: skipped)
          == CamrecError(
            .input, "\(path) has no frame after the first \(skipped)",
            cause: "only 25 of its frames can be decoded"))
    }
    let cut = try clips.cut(path, to: "cut.mkv") { $0 * 6 / 10 }
    let error = try #require(refusal(cut, skipping: 24))
    #expect(error.message == "\(cut) has no frame after the first 24")
    let cause = try #require(error.cause)
    #expect(cause.contains(" s, but its header promises 1.00 s: it was cut off"), "\(cause)")
  }

  @Test func itCanBeEnded() throws {
    let path = try clips.make("clip.mkv", ClipMaker.picture, "-c:v ffv1")
    var count = 0
    let enough = CamrecError(.interrupted, "enough")
    #expect(throws: enough) {
      _ = try ClipCamera.open(path: path, paced: false, skipping: 20) { () throws(CamrecError) in
        count += 1
        if count > 3 { throw enough }
      }
    }
    #expect(count == 4)
  }
}
