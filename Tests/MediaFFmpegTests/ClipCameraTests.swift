import Cameras
import Foundation
import Frames
import MediaFFmpeg
import Movies
import Platform
import TestKit
import Testing

struct ClipCameraTests {
  let clips: ClipMaker

  init() throws { clips = try ClipMaker() }

  private func open(_ path: String, paced: Bool = false, frames: Int = 8) throws -> ClipCamera {
    try ClipCamera.open(path: path, paced: paced, frames: frames)
  }

  /// What FFmpeg's own program decodes of `clip`.
  private func decoded(_ clip: String, as format: String) throws -> Data {
    try Tool.run([
      "ffmpeg", "-v", "error", "-noautorotate", "-i", clip, "-map", "0:v:0", "-fps_mode", "passthrough",
      "-f", "rawvideo", "-pix_fmt", format, "-"
    ])
  }

  /// Every fifth frame is missing; only QuickTime lists the others.
  @Test(arguments: [("mov", 20), ("mkv", nil)] as [(String, Int?)])
  func framesThatAreMissingAreNotListed(_ kind: String, _ listed: Int?) throws {
    let clip = try clips.make(
      "clip.\(kind)", ClipMaker.picture, "-vf select='not(eq(mod(n\\,5)\\,4))' -fps_mode passthrough -c:v ffv1")
    let camera = try open(clip)
    #expect(camera.frameRate.framesPerSecond == 25 && camera.listedFrames == listed)
    #expect(camera.expectedFrames ?? 0 >= 24, "by its length")
  }

  @Test(arguments: [
    ("nv12", PixelLayout.nv12), ("nv21", .nv21), ("yuv420p", .yuv420p), ("yuyv422", .yuyv), ("uyvy422", .uyvy),
    ("yuv422p", .yuv422p), ("yuv420p10le", .yuv420p10), ("yuv422p10le", .yuv422p10)
  ])
  func aRawClipComesOutByteForByte(format: String, layout: PixelLayout) throws {
    let clip = try clips.make(
      "raw.nut",
      "-f lavfi -i testsrc2=size=160x90:rate=25:duration=0.2 -vf scale=161:91 -c:v rawvideo -pix_fmt \(format)")
    let camera = try open(clip)
    #expect(camera.format.image == .raw(layout))
    #expect(camera.format.width == 161 && camera.format.height == 91)
    let read = try ReadClip(camera)
    #expect(read.end == .finished)
    #expect(read.sequences == [0, 1, 2, 3, 4])
    #expect(read.samples == (try decoded(clip, as: format)))
    #expect(camera.endWarnings == [])
  }

  @Test(arguments: [
    "-c:v libx264 -bf 2 -pix_fmt yuv420p out.mp4",
    "-c:v libx265 -x265-params log-level=none -pix_fmt yuv420p10le out.mov",
    "-c:v prores_aw -pix_fmt yuv422p10le out.mov", "-c:v mpeg2video -pix_fmt yuv420p out.mkv",
    "-c:v mpeg4 -pix_fmt yuv420p out.avi", "-c:v libvpx-vp9 -pix_fmt yuv420p out.webm",
    "-c:v ffv1 -pix_fmt yuv422p out.mkv",
    "-c:v mjpeg -pix_fmt yuvj422p out.avi"
  ])
  func aCodedClipDecodesAsFFmpegDecodesIt(encoding: String) throws {
    let words = encoding.split(separator: " ").map(String.init)
    let clip = try clips.make(words[words.count - 1], ClipMaker.picture, words.dropLast().joined(separator: " "))
    let camera = try open(clip)
    let read = try ReadClip(camera)
    #expect(read.times.count == 25)
    #expect(read.samples == (try decoded(clip, as: words[words.count - 2])))
    #expect(camera.endWarnings == [])
    #expect(camera.frameRate.rational == Rational(25))
  }

  @Test func framesKeepTheTimesOfAVariableRate() throws {
    // Pictures 0, 1, 4, 9, 16 and 25 of 30 a second, with pictures that refer to later ones.
    let clip = try clips.make(
      "vfr.mov", "-f lavfi -i testsrc2=size=160x90:rate=30:duration=1", "-vf select='eq(mod(sqrt(n)\\,1)\\,0)'",
      "-fps_mode passthrough -video_track_timescale 90000 -c:v libx264 -bf 2")
    let camera = try open(clip)
    let read = try ReadClip(camera)
    #expect(camera.format.isClip && camera.format.timeBase == Rational(1, 90000))
    #expect(read.times.map(\.ticks) == [0, 1, 4, 9, 16, 25].map { $0 * 3000 })
    #expect(read.times.dropLast().map(\.duration) == [1, 3, 5, 7, 9].map { $0 * 3000 })
    #expect(read.captureTimes == [0, 1, 4, 9, 16, 25].map { Int64((Double($0) / 30 * 1e9).rounded()) })
  }

  @Test(arguments: [
    ("24000/1001", Rational(24000, 1001)), ("30000/1001", Rational(30000, 1001)), ("12.5", Rational(25, 2)),
    ("60", Rational(60)), ("60000/1001", Rational(60000, 1001)),
  ])
  func theRateIsExact(rate: String, expected: Rational) throws {
    for name in ["rate.mov", "rate.mkv", "rate.avi"] {
      let clip = try clips.make(name, "-f lavfi -i testsrc2=size=64x36:rate=\(rate):duration=1 -c:v mjpeg")
      #expect(try open(clip).frameRate.rational == expected, "\(name)")
    }
  }

  /// Matroska rounds times to milliseconds, and MPEG-TS counts in 90 kHz.
  @Test(arguments: ["24000/1001", "24", "30000/1001", "30", "60000/1001", "60", "120"], ["rate.mkv", "rate.ts"])
  func framesOfAConstantRateHaveExactTimes(rate: String, name: String) throws {
    let clip = try clips.make(
      name, "-f lavfi -i testsrc2=size=64x36:rate=\(rate):duration=4 -vf select='not(between(n\\,30\\,32))'",
      "-fps_mode passthrough -c:v mpeg2video -bf 0 -strict -2")
    let camera = try open(clip)
    let read = try ReadClip(camera), timeBase = try #require(camera.format.timeBase)
    let frame = try #require(FrameRate(parsing: rate)).frameDuration * timeBase.inverse
    try #require(frame.denominator == 1 && read.times.count > 90)
    let start = read.times[0].ticks
    let places = (0..<Int64(read.times.count)).map { $0 < 30 ? $0 : $0 + 3 }
    #expect(read.times.map { $0.ticks - start } == places.map { $0 * frame.numerator })
    let durations = places.map { ($0 == 29 ? 4 : 1) * frame.numerator }
    #expect(read.times.map(\.duration) == durations)
  }

  /// Every other frame comes 5 ms late, or all do from frame 40 on; up to there, rounding may explain the times.
  @Test(arguments: [("mod(N\\,2)", 0), ("gte(N\\,40)", 40)])
  func framesBesideAConstantRateKeepTheirTimes(late: String, first: Int) throws {
    let clip = try clips.make(
      "variable.mkv", "-f lavfi -i testsrc2=size=64x36:rate=24:duration=2",
      "-vf settb=1/1000,setpts=round(N*1000/24)+5*\(late) -fps_mode passthrough -enc_time_base 1/1000 -c:v mjpeg")
    let camera = try open(clip)
    #expect(camera.frameRate.rational == Rational(24) && camera.format.timeBase == Rational(1, 3000))
    let times = try ReadClip(camera).times.map(\.ticks)
    let own = (0..<48).map { number in
      let isLate = first == 0 ? number % 2 == 1 : number >= first
      return Int64((Double(number) * 1000 / 24).rounded() + (isLate ? 5 : 0)) * 3
    }
    #expect(times.dropFirst(first) == own.dropFirst(first))
    #expect(times.count == own.count && zip(times, own).allSatisfy { abs($0 - $1) <= 3 })
  }

  /// Pictures 10 to 12 of 48 are missing. Where times lie beside the grid, the timecode's rate tells.
  @Test(arguments: [("", ""), ("+37*mod(N\\,2)", "-timecode 10:00:00:23")])
  func lostPicturesLeaveTheRateAsItIs(jitter: String, timecode: String) throws {
    let clip = try clips.make(
      "lost.mov", "-f lavfi -i testsrc2=size=64x36:rate=24:duration=2",
      "-vf settb=1/24000,select='not(between(n\\,10\\,12))',setpts=N*1000+3000*gt(N\\,9)\(jitter)",
      "-fps_mode passthrough -enc_time_base 1/24000 -c:v mjpeg", timecode)
    #expect(try open(clip).frameRate.rational == Rational(24))
  }

  /// Frames 6 to 35 of 48 are missing: the mean rate is lower by more than half, and timecode and grid agree.
  @Test func theTimecodeTellsTheRateWhereMostFramesAreLost() throws {
    let clip = try clips.make(
      "most.mov", "-f lavfi -i testsrc2=size=64x36:rate=24:duration=2",
      "-vf settb=1/24000,select='not(between(n\\,6\\,35))',setpts=N*1000+30000*gt(N\\,5)",
      "-fps_mode passthrough -enc_time_base 1/24000 -c:v mjpeg -timecode 10:00:00:23")
    #expect(try open(clip).frameRate.rational == Rational(24))
  }

  /// Its timecode track counts at the camera's rate; the mean is 25 · 2/5, or exactly half.
  @Test(arguments: [Array(0..<28) + Array(88..<100), Array(stride(from: 0, to: 100, by: 2)), [0]] as [[Int]])
  func aFilmOfCamrecKeepsItsRateWhateverWasLost(numbers: [Int]) throws {
    let directory = try MovieDirectory(), rate = try #require(FrameRate(Rational(25)))
    let settings = MovieTake.settings(
      directory.path("lost.mov"), width: 96, height: 64, rate: rate,
      timecode: try Timecode(parsing: "11:06:32:22", rate: rate),
      metadata: [MetadataEntry("software", "camrec 0.2.0")])
    let take = MovieTake(settings, times: numbers.map { Int64($0) * 1000 }, endTime: 100_000)
    try take.record()
    let camera = try open(settings.path)
    #expect(camera.frameRate == rate)
    #expect(camera.tags.timecode == "11:06:32:22")
    let first = try #require(numbers.first), last = try #require(numbers.last)
    #expect(camera.filledFrames(of: numbers.count, upTo: 10) == last - first + 1)
    #expect(camera.filledFrames(of: numbers.count, upTo: 0.01) == numbers.count)
    #expect(camera.filledFrames(of: numbers.count + 1, upTo: 10) == nil)
    let frame = try #require(camera.format.timeBase).inverse.scaling(1) / 25
    #expect(try ReadClip(camera, keepsSamples: false).times.map { Int($0.ticks / frame) } == numbers)
  }

  @Test(arguments: [
    ("yuv444p", PixelLayout.yuv422p, "yuv422p"), ("rgb24", .yuv422p, "yuv422p"), ("gray", .yuv422p, "yuv422p"),
    ("bgra", .yuv422p, "yuv422p"), ("yuv420p12le", .yuv420p10, "yuv420p10le"), ("gbrp10le", .yuv422p10, "yuv422p10le"),
    ("yuv444p16le", .yuv422p10, "yuv422p10le"), ("yuv411p", .yuv422p, "yuv422p"), ("yuva420p", .yuv420p, "yuv420p"),
    ("yuv444p", .yuv444p, "yuv444p"), ("rgb24", .yuv444p, "yuv444p"), ("gbrp10le", .yuv444p10, "yuv444p10le"),
    ("yuv444p12le", .yuv444p10, "yuv444p10le"), ("yuva444p", .yuv444p, "yuv444p")
  ])
  func otherFormatsComeInTheNearestLayout(format: String, layout: PixelLayout, name: String) throws {
    let clip = try clips.make(
      "other.nut", "-f lavfi -i color=c=0x4080c0:size=64x36:rate=25:duration=0.12 -c:v rawvideo -pix_fmt \(format)")
    let camera = try ClipCamera.open(path: clip, paced: false, keepsFullChroma: layout.chroma == .yuv444)
    #expect(camera.format.image == .raw(layout))
    let range = format == "gray" ? "full" : "limited",
      matrix = camera.format.color.matrix == .rec709 ? "bt709" : "smpte170m"
    let expected = try Tool.run([
      "ffmpeg", "-v", "error", "-i", clip, "-vf",
      "scale=in_range=\(range):out_range=\(range):in_color_matrix=\(matrix):out_color_matrix=\(matrix)"
        + ":flags=bicubic+accurate_rnd+bitexact",
      "-f", "rawvideo", "-pix_fmt", name, "-"
    ])
    let read = try ReadClip(camera)
    #expect(read.times.count == 3)
    #expect(read.samples.count == expected.count)
    #expect(read.samples.largestDifference(from: expected, bytesPerSample: layout.bytesPerSample) <= 1)
    #expect(camera.format.color.range == (format == "gray" ? .full : .limited))
    #expect(camera.format.color.matrix == (["rgb24", "bgra", "gbrp10le"].contains(format) ? .rec709 : .rec601))
  }

  @Test func coloursAreTheTagsElseByTheNumberOfLines() throws {
    let size = { (size: String) in
      "-f lavfi -i testsrc2=size=\(size):rate=25:duration=0.04 -c:v libx264 -pix_fmt yuv420p"
    }
    #expect(try open(clips.make("small.mov", size("64x718"))).format.color == .rec601)
    #expect(try open(clips.make("large.mov", size("64x720"))).format.color == .rec709)
    let tagged = try clips.make(
      "tagged.mov", size("64x36"),
      "-vf setparams=colorspace=bt2020nc:color_primaries=bt2020:color_trc=arib-std-b67:range=tv")
    #expect(
      try open(tagged).format.color
        == ColorDescription(matrix: .rec2020, range: .limited, transfer: .hlg, primaries: .rec2020))
    let log = try clips.make("log.mov", size("64x36"), "-vf setparams=colorspace=bt2020nc:color_primaries=bt2020")
    #expect(try open(log).format.color.transfer == .unspecified)
    let full = try clips.make(
      "full.avi", "-f lavfi -i testsrc2=size=64x36:rate=25:duration=0.04 -c:v mjpeg -pix_fmt yuvj420p")
    #expect(try open(full).format.color.range == .full)
  }

  /// As after `ffmpeg -c copy -color_trc …`, which does not change the frames.
  @Test(arguments: ["mov", "mkv"]) func theContainerSaysTheColoursThatFramesDoNotSay(ending: String) throws {
    let picture = "-f lavfi -i testsrc2=size=64x36:rate=25:duration=0.2 -pix_fmt yuv420p -c:v libx265 -x265-params"
    let tags = "-c copy -movflags write_colr -color_primaries bt2020 -color_trc arib-std-b67 -colorspace bt2020nc"
    let silent = try clips.make("silent.mov", picture + " log-level=none")
    let told = try open(clips.make("told.\(ending)", "-i \(silent)", tags))
    #expect(
      told.format.color
        == ColorDescription(matrix: .rec2020, range: .limited, transfer: .hlg, primaries: .rec2020))
    #expect(told.saysItsColor && told.missingColorTags == [])
    // The frames come first.
    let own = try clips.make("own.mov", picture + " log-level=none:colorprim=bt709:transfer=bt709:colormatrix=bt709")
    #expect(try open(clips.make("other.\(ending)", "-i \(own)", tags)).format.color == .rec709)
    // Numbers for which camrec has no colours leave it a guess.
    let unknown = "-c copy -movflags write_colr -color_primaries film -color_trc gamma22 -colorspace smpte240m"
    let guessed = try open(clips.make("unknown.\(ending)", "-i \(silent)", unknown))
    #expect(guessed.format.color == .rec601)
    #expect(!guessed.saysItsColor && guessed.missingColorTags == ["transfer", "primaries", "matrix"])
    // The others count.
    let some = "-c copy -movflags write_colr -color_primaries bt709 -color_trc gamma22 -colorspace bt709"
    let partly = try open(clips.make("partly.\(ending)", "-i \(silent)", some))
    #expect(partly.format.color == .rec709)
    #expect(!partly.saysItsColor && partly.missingColorTags == ["transfer"])
  }

  @Test(arguments: [(0, Rotation.none), (-90, .quarter), (180, .half), (90, .threeQuarters)])
  func theDisplayMatrixIsTheRotation(counterclockwise: Int, rotation: Rotation) throws {
    let plain = try clips.make("plain.mov", ClipMaker.picture, "-c:v libx264 -pix_fmt yuv420p")
    // Patches the track's matrix: a, b, c, d of its 16.16 fields.
    var data = try Data(contentsOf: URL(fileURLWithPath: plain))
    let identity = Data([0, 1, 0, 0]) + Data(count: 12) + Data([0, 1, 0, 0]) + Data(count: 12) + Data([0x40, 0, 0, 0])
    let one = Data([0, 1, 0, 0]), minusOne = Data([0xFF, 0xFF, 0, 0]), zero = Data(count: 4)
    let (a, b, c, d): (Data, Data, Data, Data) =
      switch rotation {
      case .none: (one, zero, zero, one)
      case .quarter: (zero, one, minusOne, zero)
      case .half: (minusOne, zero, zero, minusOne)
      case .threeQuarters: (zero, minusOne, one, zero)
      }
    let turned = a + b + zero + c + d + Data(count: 12) + Data([0x40, 0, 0, 0])
    let last = try #require(data.range(of: identity, options: .backwards))
    data.replaceSubrange(last, with: turned)
    let path = clips.path("turned.mov")
    try data.write(to: URL(fileURLWithPath: path))
    let camera = try open(path)
    #expect(camera.format.rotation == rotation)
    #expect(camera.tags.rotation == rotation)
    #expect(camera.warnings == [])
    if rotation != .none {
      let probe = try Tool.run([
        "ffprobe", "-v", "error", "-show_entries", "stream_side_data=rotation", "-of", "csv=p=0", path
      ])
      #expect(
        abs(Int(String(decoding: probe, as: UTF8.self).filter { $0.isNumber || $0 == "-" }) ?? 0)
          == abs(counterclockwise))
    }
  }

  @Test func tagsAndTimecodeAreRead() throws {
    let clip = try clips.make(
      "tags.mov", "-f lavfi -i testsrc2=size=64x36:rate=30000/1001:duration=0.2 -c:v libx264 -timecode 01:02:03;04",
      "-metadata creation_time=2024-05-06T07:08:09Z -metadata title=Dawn -metadata artist=Somebody")
    let tags = try open(clip).tags
    #expect(tags.timecode == "01:02:03;04")
    #expect(tags.creationTime == 1_714_979_289)
    #expect(Set(tags.entries) == [MetadataEntry("title", "Dawn"), MetadataEntry("artist", "Somebody")])
    let slow = try clips.make(
      "slow.mov", "-f lavfi -i testsrc2=size=64x36:rate=10:duration=0.2 -c:v libx264 -timecode 01:02:03:04")
    #expect(try open(slow).tags.timecode == "01:02:03:04")
    let bare = try open(clips.make("bare.nut", ClipMaker.picture, "-c:v rawvideo -fflags +bitexact")).tags
    #expect(bare.timecode == nil)
    #expect(bare.creationTime == nil)
    #expect(bare.entries == [])
  }

  @Test func anInterlacedClipIsNamed() throws {
    let clip = try clips.make(
      "fields.mov", ClipMaker.picture,
      "-c:v prores_ks -flags +ildct -field_order tt -vf setfield=tff,scale=interl=1 -top 1")
    #expect(try open(clip).warnings == ["\(clip) is interlaced; camrec takes each pair of fields as one frame"])
  }

  static let shared = ProcessInfo.processInfo.environment["CAMREC_SHARED"] ?? "../shared"
  static let bunny = shared + "/clips/bigbuckbunny.mp4"

  @Test(.enabled(if: FileManager.default.fileExists(atPath: Self.bunny), "the shared clips are not here"))
  func aRealClipKeepsItsTimesAndPictures() throws {
    let camera = try open(Self.bunny)
    #expect(camera.frameRate.rational == Rational(25))
    #expect(camera.format.width == 1280 && camera.format.height == 720)
    #expect(camera.format.color == .rec709)
    let few = try ReadClip(camera, limit: 10)
    let expected = try Tool.run([
      "ffmpeg", "-v", "error", "-i", Self.bunny, "-frames:v", "10", "-fps_mode", "passthrough", "-f", "rawvideo", "-"
    ])
    #expect(few.samples == expected)
    let whole = try ReadClip(try open(Self.bunny), keepsSamples: false)
    let frames = try Tool.run([
      "ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "frame=pts", "-of", "csv=p=0", Self.bunny
    ])
    let times = String(decoding: frames, as: UTF8.self).split(whereSeparator: \.isNewline).compactMap {
      Int64($0.prefix { $0 != "," })
    }
    #expect(times.count == 132)
    #expect(whole.times.map(\.ticks) == times)
  }

  @Test func pacedFramesComeNoEarlierThanTheirTime() throws {
    let clip = try clips.make("paced.nut", "-f lavfi -i testsrc2=size=64x36:rate=50:duration=0.2 -c:v rawvideo")
    let camera = try open(clip, paced: true)
    let before = MonotonicTime.now().nanoseconds
    let read = try ReadClip(camera)
    let took = MonotonicTime.now().nanoseconds - before
    #expect(took >= 180_000_000)
    #expect(read.captureTimes.count == 10)
    #expect(read.captureTimes[0] >= before)
    for (index, time) in read.captureTimes.enumerated() {
      #expect(time - read.captureTimes[0] == Int64(index) * 20_000_000)
    }
  }

  @Test func aClipWaitsWhileAllItsFramesAreOut() throws {
    let clip = try clips.make("wait.nut", "-f lavfi -i testsrc2=size=64x36:rate=50:duration=1 -c:v rawvideo")
    let camera = try open(clip, frames: 1)
    try camera.start()
    var out = FixedRing<CapturedFrame>(capacity: 50)
    while case .frame(let frame) = try camera.next() { out.append(frame) }
    #expect((1...4).contains(out.count))
    let taken = out.count
    while let frame = out.popFirst() { _ = consume frame }
    let rest = try ReadClip(camera)
    #expect(rest.times.count + taken == 50)
    #expect(rest.end == .finished)
  }
}

extension Data {
  /// The largest difference of two samples; of the whole range where the sizes differ.
  func largestDifference(from other: Data, bytesPerSample: Int) -> Int {
    guard count == other.count else { return .max }
    if bytesPerSample == 1 { return zip(self, other).reduce(0) { Swift.max($0, abs(Int($1.0) - Int($1.1))) } }
    return withUnsafeBytes { a in
      other.withUnsafeBytes { b in
        zip(a.bindMemory(to: UInt16.self), b.bindMemory(to: UInt16.self)).reduce(0) {
          Swift.max($0, abs(Int($1.0) - Int($1.1)))
        }
      }
    }
  }
}
