import Cameras
import Foundation
import Frames
import MediaFFmpeg
import TestKit
import Testing

/// Clips that are not what they should be.
struct ClipInputTests {
  let clips: ClipMaker

  init() throws { clips = try ClipMaker() }

  private func refusal(_ path: String) -> CamrecError? {
    do throws(CamrecError) {
      _ = try ClipCamera.open(path: path, paced: false)
      return nil
    } catch {
      return error
    }
  }

  private func expectRefusal(_ path: String, _ message: String) {
    let error = refusal(path)
    #expect(error?.message == message)
    #expect(error?.code == .input)
  }

  @Test func whatIsNoFileIsRefused() throws {
    expectRefusal(clips.path("none.mov"), "there is no clip \(clips.path("none.mov"))")
    expectRefusal(clips.folder.path, "\(clips.folder.path) is a folder; name its clips: \(clips.folder.path)/*.mov")
    expectRefusal(
      "/dev/null", "/dev/null is not an ordinary file, as a clip must be: it is read twice, for video and audio")
    let empty = clips.path("empty.mov")
    try Data().write(to: URL(fileURLWithPath: empty))
    expectRefusal(empty, "\(empty) is empty")
  }

  @Test(arguments: ["noise.mov", "noise.txt", "noise", "noise.mp4", "noise.png"])
  func whatIsNoMediaFileIsRefused(name: String) throws {
    var seed: UInt32 = 1
    let noise = Data(
      (0..<20_000).map { _ in
        seed = seed &* 1_664_525 &+ 1_013_904_223
        return UInt8(seed >> 24)
      })
    let path = clips.path(name)
    try noise.write(to: URL(fileURLWithPath: path))
    #expect(refusal(path)?.code == .input)
    try Data("# A text\n\nwith words and lines, but without pictures.\n".utf8).write(to: URL(fileURLWithPath: path))
    let sentence = try #require(refusal(path)?.message)
    #expect(sentence.hasPrefix(path))
  }

  @Test func samplesWithoutAHeaderAreRefusedWithTheWayToWrapThem() throws {
    let path = try clips.make("raw.yuv", ClipMaker.picture, "-c:v rawvideo -f rawvideo")
    expectRefusal(
      path,
      "\(path) holds raw samples without a header that gives their size; wrap it first: "
        + "ffmpeg -f rawvideo -pixel_format nv12 -video_size 1920x1080 -framerate 24 -i \(path) -c copy clip.nut")
  }

  @Test func aClipWithoutPictureIsRefused() throws {
    let path = try clips.make("sound.mov", ClipMaker.sound, "-c:a pcm_s16le")
    expectRefusal(path, "\(path) has no video stream, which a clip needs")
  }

  @Test func samplesThatNothingReadsAreRefusedWithTheWayOut() throws {
    // FFmpeg's scaler does not read packed 4:1:1.
    let planar = try clips.make("planar.yuv", ClipMaker.picture, "-vf format=yuv420p -c:v rawvideo -f rawvideo")
    let path = try clips.make(
      "packed.nut", "-f rawvideo -video_size 160x90 -pixel_format uyyvyy411 -i", planar, "-c copy")
    expectRefusal(
      path,
      "\(path) has the pixel format uyyvyy411, which camrec does not read; "
        + "convert it first: ffmpeg -i \(path) -pix_fmt yuv422p10le …")
  }

  @Test(arguments: ["mkv", "mov", "mp4", "avi", "ts", "webm"])
  func aClipWhoseSoundIsLongerIsWhole(container: String) throws {
    let codecs = container == "webm" ? "-c:v libvpx -c:a libopus" : "-c:v mpeg4 -c:a mp2"
    let path = try clips.make("long.\(container)", ClipMaker.picture, "-f lavfi -i sine=duration=2", codecs)
    let camera = try ClipCamera.open(path: path, paced: false)
    #expect(try ReadClip(camera, keepsSamples: false).times.count == 25)
    #expect(camera.endWarnings == [])
    #expect(!camera.isCutOff)
  }

  /// What a film does not keep of the samples is named, by what the film holds.
  @Test(arguments: [
    ("yuv444p12le", PixelLayout.yuv422p10, "chroma is reduced from 4:4:4 to 4:2:2 and 12 bits become 10" as String?),
    ("yuv444p12le", .yuv420p, "chroma is reduced from 4:4:4 to 4:2:0 and 12 bits become 8"),
    ("yuv422p12le", .yuv422p10, "12 bits become 10"), ("yuv422p", .yuv420p, "chroma is reduced from 4:2:2 to 4:2:0"),
    ("yuv422p", .yuv422p, nil), ("yuv420p", .yuv422p10, nil), ("gray", .yuv420p, nil), ("yuv422p10le", .yuv422p10, nil),
    ("yuva420p", .yuv420p, "transparency is left out"), ("yuv411p", .yuv422p10, nil),
    ("yuv440p", .yuv420p, "chroma is reduced from 4:4:0 to 4:2:0"),
    ("gbrp10le", .yuv422p10, "chroma is reduced from R'G'B' to 4:2:2"),
    ("yuv444p12le", .yuv444p10, "12 bits become 10"), ("gbrp10le", .yuv444p10, nil), ("yuv444p", .yuv444p10, nil),
  ])
  func samplesThatAreReducedAreNamed(format: String, layout: PixelLayout, losses: String?) throws {
    let path = try clips.make("fine.mkv", ClipMaker.picture, "-frames:v 2 -c:v ffv1 -strict -2 -pix_fmt \(format)")
    let clip = try ClipCamera.open(path: path, paced: false)
    #expect(clip.samples.name == format && clip.warnings == [])
    #expect(clip.samples.reduction(to: layout) == losses)
  }

  @Test func moreThanAThousandPicturesASecondAreNamed() throws {
    let path = try clips.make(
      "fast.mov", "-f lavfi -i testsrc2=size=64x36:rate=2000:duration=0.02 -c:v mjpeg -video_track_timescale 2000")
    let camera = try ClipCamera.open(path: path, paced: false)
    #expect(
      camera.warnings == [
        "\(path) has 2000 frames per second, and camrec counts at most 1000; its frames keep their times"
      ])
    #expect(camera.frameRate.rational == Rational(1000))
    #expect(try ReadClip(camera).times.map(\.ticks) == Array(0..<40))
  }

  @Test func aCutByEditListIsWhole() throws {
    let path = try clips.make("whole.mp4", ClipMaker.picture, "-c:v libx264 -pix_fmt yuv420p -bf 2")
    let cut = try clips.make("cut.mp4", "-ss 0.3 -i", path, "-c copy")
    let camera = try ClipCamera.open(path: cut, paced: false)
    let read = try ReadClip(camera)
    #expect((17...18).contains(read.times.count))
    #expect(read.damaged == [])
    #expect(camera.endWarnings == [])
  }

  @Test func aCoverOfASoundFileIsNoClip() throws {
    let cover = try clips.make("cover.png", "-f lavfi -i color=c=red:size=32x32:rate=1:duration=1 -frames:v 1")
    let path = try clips.make(
      "song.m4a", ClipMaker.sound, "-i", cover, "-map 0:a -map 1:v -c:v mjpeg -disposition:v attached_pic -c:a aac")
    expectRefusal(path, "\(path) has no video stream, which a clip needs")
  }

  @Test func aMovieWithoutItsIndexIsRefused() throws {
    let whole = try clips.make("whole.mov", ClipMaker.picture, "-c:v libx264 -pix_fmt yuv420p")
    let path = try clips.cut(whole, to: "cut.mov") { $0 / 2 }
    expectRefusal(
      path,
      "\(path) is not a readable clip: it is no media file, or it was cut off before its index was written")
  }

  @Test(arguments: [
    "-c:v libx264 -pix_fmt yuv420p -bf 0 -movflags +faststart out.mov", "-c:v rawvideo out.avi", "-c:v ffv1 out.mkv"
  ])
  func aClipThatWasCutOffIsReadAsFarAsItGoes(encoding: String) throws {
    let words = encoding.split(separator: " ").map(String.init)
    let whole = try clips.make(
      "whole-" + words[words.count - 1], ClipMaker.picture, words.dropLast().joined(separator: " "))
    let path = try clips.cut(whole, to: "cut-" + words[words.count - 1]) { $0 * 6 / 10 }
    let camera = try ClipCamera.open(path: path, paced: false)
    let read = try ReadClip(camera)
    #expect(read.end == .finished)
    #expect((8..<24).contains(read.times.count))
    #expect(
      read.times.map(\.ticks) == read.times.indices.map { read.times[0].ticks + Int64($0) * read.times[0].duration })
    let last = try #require(camera.endWarnings.last)
    // 25 pictures a second: four hundredths each.
    let hundredths = read.times.count * 4
    #expect(
      last == "\(path) ends at 0.\(hundredths) s, but its header promises 1.00 s: it was cut off; "
        + "the \(read.times.count) frames up to there were read")
    #expect(camera.isCutOff)
  }

  @Test(arguments: ["png", "mjpeg", "libx264 -pix_fmt yuv420p -g 1 -threads 1 -x264-params slices=1", "prores_aw"])
  func aPictureThatDoesNotDecodeIsNamedAndCounted(codec: String) throws {
    let path = try clips.make("damaged.mov", ClipMaker.picture, "-c:v \(codec)")
    try clips.damage(path, picture: 5)
    let camera = try ClipCamera.open(path: path, paced: false)
    let read = try ReadClip(camera)
    #expect(read.times.count == 24)
    #expect(read.damaged == [5])
    #expect(read.sequences == (0..<25).filter { $0 != 5 })
    #expect(camera.endWarnings == ["\(path): 1 frame cannot be decoded and is missing, the first at 0.20 s"])
  }

  /// libavcodec conceals damage in FFV1, and frames up to the next key frame follow from a damaged one.
  @Test(arguments: [
    ("-g 1", 12...12), ("-g 1 -coder 1 -context 1", 12...12), ("-g 10", 12...19), ("-g 10", 20...24), ("-g 10", 0...9),
  ])
  func aSliceOfFFV1ThatDoesNotMatchItsChecksumIsDamaged(options: String, lost: ClosedRange<Int>) throws {
    for name in ["damaged.mkv", "damaged.mov", "damaged.avi"] {
      let path = try clips.make(
        name, ClipMaker.picture, "-pix_fmt yuv422p10le -c:v ffv1 -level 3 -slices 4 -slicecrc 1", options)
      try SpoiledPacket.alter(path, packet: lost.lowerBound)
      let camera = try ClipCamera.open(path: path, paced: false)
      let read = try ReadClip(camera, keepsSamples: false)
      #expect(read.damaged == lost.map { UInt64($0) }, "\(name)")
      #expect(read.sequences == (0..<25).filter { !lost.contains($0) }.map { UInt64($0) }, "\(name)")
      let warnings = camera.endWarnings
      #expect(warnings.count == 1 && warnings[0].contains(" cannot be decoded ") && !camera.isCutOff, "\(warnings)")
    }
  }

  /// Without checksums nothing tells of the damage, but the frame has nothing of those before it.
  @Test(arguments: ["-level 0", "-level 3 -slices 4 -slicecrc 0"])
  func damageInFFV1WithoutChecksumsIsTheSameEachTime(options: String) throws {
    let path = try clips.make(
      "damaged.mov", "-f lavfi -i testsrc2=size=160x90:rate=25:duration=2 -pix_fmt yuv420p -c:v ffv1 -g 1", options)
    try clips.damage(path, picture: 45)
    let cut = try clips.make("cut.mov", "-ss 1.8 -i", path, "-c copy")
    let whole = try ReadClip(ClipCamera.open(path: path, paced: false))
    let rest = try ReadClip(ClipCamera.open(path: cut, paced: false))
    #expect(whole.times.count == 50 && rest.times.count == 5)
    #expect(whole.samples.suffix(rest.samples.count) == rest.samples)
  }

  /// Packets come in the order of decoding, frames in that of their times. In H.264, frame 8 is packet 5: frames 5, 6
  /// and 7 refer to it, and so do those behind it.
  @Test(arguments: [
    ("damaged.mp4", ClipMaker.groups, 1), ("damaged.mp4", ClipMaker.groups, 5), ("damaged.mp4", ClipMaker.groups, 8),
    ("damaged.mp4", "-pix_fmt yuv420p -c:v mpeg4 -bf 2 -g 12", 4),
    ("damaged.mov", "-pix_fmt yuv420p -c:v mpeg2video -bf 2 -g 12", 5),
    ("damaged.mp4", "-pix_fmt yuv420p -c:v libvpx-vp9 -b:v 300k -g 12", 5),
    ("damaged.mp4", "-pix_fmt yuv420p -c:v libx265 " + Self.groupsOfHEVC, 5),
  ])
  func damageReachesTheFramesUpToTheNextKeyFrame(name: String, encoding: String, packet: Int) throws {
    let path = try clips.make(name, ClipMaker.picture, encoding)
    let lost = try SpoiledPacket.reach(path, of: packet)
    try #require((4...16).contains(lost.count))
    try clips.erase(path, picture: packet)
    let camera = try ClipCamera.open(path: path, paced: false)
    let read = try ReadClip(camera, keepsSamples: false)
    #expect(read.damaged == lost.map { UInt64($0) })
    #expect(read.sequences == (0..<25).filter { !lost.contains($0) }.map { UInt64($0) })
    let warnings = camera.endWarnings
    #expect(warnings.count == 1 && warnings[0].contains(": \(lost.count) frames cannot be decoded and "), "\(warnings)")
  }

  private static let groupsOfHEVC =
    "-x265-params keyint=12:min-keyint=12:bframes=3:b-adapt=0:scenecut=0:open-gop=0:log-level=none"

  /// libavcodec conceals the damage, and shows the frame with a mark.
  @Test(arguments: [ClipMaker.groups, "-pix_fmt yuv420p -c:v mpeg4 -bf 2 -g 12"])
  func concealedDamageReachesTheFramesUpToTheNextKeyFrame(encoding: String) throws {
    let path = try clips.make("damaged.mp4", ClipMaker.picture, encoding)
    let lost = try SpoiledPacket.reach(path, of: 4)
    try clips.damage(path, picture: 4)
    let read = try ReadClip(ClipCamera.open(path: path, paced: false), keepsSamples: false)
    #expect(read.damaged == lost.map { UInt64($0) })
    #expect(read.times.count == 25 - lost.count)
  }

  /// A changed byte seldom disturbs the decoding of HEVC. Where the stream has hashes of its frames, they tell.
  @Test func aFrameOfHEVCThatDiffersFromItsHashIsDamaged() throws {
    let path = try clips.make(
      "damaged.mp4", ClipMaker.picture, "-pix_fmt yuv420p -c:v libx265", Self.groupsOfHEVC + ":hash=1")
    #expect(try ReadClip(ClipCamera.open(path: path, paced: false), keepsSamples: false).times.count == 25)
    let lost = try SpoiledPacket.reach(path, of: 5)
    try SpoiledPacket.alter(path, packet: 5)
    let read = try ReadClip(ClipCamera.open(path: path, paced: false), keepsSamples: false)
    #expect(Set(lost.map { UInt64($0) }).isSubset(of: read.damaged), "\(read.damaged)")
    #expect(read.sequences.filter { $0 >= 12 } == Array(12..<25), "\(read.sequences)")
  }

  /// Behind a damaged key frame the decoder delivers frames in another order; none gets the time of another.
  @Test func framesThatComeTooLateAreMissing() throws {
    let path = try clips.make(
      "damaged.mp4", "-f lavfi -i testsrc2=size=160x90:rate=25:duration=4 -pix_fmt yuv420p -c:v libx265 -x265-params",
      "keyint=25:min-keyint=25:bframes=3:b-adapt=0:scenecut=0:open-gop=0:repeat-headers=1:log-level=none")
    try clips.erase(path, picture: 25)
    let read = try ReadClip(ClipCamera.open(path: path, paced: false), keepsSamples: false)
    let ticks = read.times.map(\.ticks)
    #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $0 < $1 }, "\(ticks)")
    #expect(ticks.allSatisfy { $0 % 512 == 0 } && (60..<97).contains(ticks.count), "\(ticks)")
    let count = UInt64(read.sequences.count + read.damaged.count)
    #expect(count <= 100 && (read.sequences + read.damaged).sorted() == Array(0..<count), "\(read.damaged)")
  }

  @Test func aClipThatWasCutOffInItsLastFrameLacksThatOne() throws {
    let whole = try clips.make("whole.mp4", ClipMaker.picture, ClipMaker.reordered, "-movflags +faststart")
    let path = try clips.cut(whole, to: "cut.mp4") { $0 - 20 }
    let place = try SpoiledPacket.placeOfLast(whole)
    let read = try ReadClip(ClipCamera.open(path: path, paced: false), keepsSamples: false)
    #expect(read.damaged == [UInt64(place)])
    #expect(read.sequences == (0..<25).filter { $0 != UInt64(place) })
  }

  /// Frame 16 is packet 13, in front of 14, 13 and 15; frame 24 is packet 21, in front of 22, 21 and 23.
  @Test(arguments: [(14, [13, 14, 15]), (15, [13, 15]), (16, [15]), (17, [Int]()), (22, [21, 22, 23]), (23, [21, 23])])
  func whatIsShownBeforeTheLastFrameOfACutClipIsMissing(packets: Int, lost: [Int]) throws {
    let whole = try clips.make("whole.mp4", ClipMaker.picture, ClipMaker.reordered, "-movflags +faststart")
    let end = try SpoiledPacket.position(whole, packet: packets)
    let path = try clips.cut(whole, to: "cut.mp4") { _ in end }
    let camera = try ClipCamera.open(path: path, paced: false)
    let read = try ReadClip(camera, keepsSamples: false)
    #expect(read.damaged == lost.map { UInt64($0) })
    let last = packets < 18 ? 16 : 24
    #expect(read.sequences == (0...last).filter { !lost.contains($0) }.map { UInt64($0) })
    let duration = read.times[0].duration
    #expect(read.times.map(\.ticks) == read.sequences.map { read.times[0].ticks + Int64($0) * duration })
    #expect(last == 24 || camera.isCutOff)
  }

  @Test func oneFrameThatWasReadIsOne() throws {
    let whole = try clips.make(
      "whole.avi", "-f lavfi -i testsrc2=size=64x36:rate=25:duration=1 -c:v rawvideo -pix_fmt yuv420p")
    // Behind the first frame, of 3456 bytes, and within the second.
    let camera = try ClipCamera.open(path: try clips.cut(whole, to: "cut.avi") { _ in 11_000 }, paced: false)
    #expect(try ReadClip(camera).times.count == 1)
    let last = try #require(camera.endWarnings.last)
    #expect(last.hasSuffix(": it was cut off; the 1 frame up to there was read"), "\(last)")
  }

  @Test func aClipThatChangesItsSizeEnds() throws {
    let small = try clips.make(
      "a.ts", "-f lavfi -i testsrc2=size=64x36:rate=25:duration=0.2 -c:v libx264 -pix_fmt yuv420p -bf 0")
    let large = try clips.make(
      "b.ts", "-f lavfi -i testsrc2=size=128x72:rate=25:duration=0.2 -c:v libx264 -pix_fmt yuv420p -bf 0")
    let path = clips.path("both.ts")
    try (Data(contentsOf: URL(fileURLWithPath: small)) + Data(contentsOf: URL(fileURLWithPath: large)))
      .write(to: URL(fileURLWithPath: path))
    let camera = try ClipCamera.open(path: path, paced: false)
    #expect(try ReadClip(camera, limit: 5).times.count == 5)
    let error = CamrecError(
      .input,
      "the frames of \(path) change from 64x36 yuv420p to 128x72 yuv420p at 0.20 s, "
        + "after 5 frames; cut the clip there, and use each part by itself")
    #expect(throws: error) { try ReadClip(camera) }
    #expect(camera.endWarnings == [])
    #expect(!camera.isCutOff)
  }
}
