import Foundation
import TestKit
import Testing

/// `camrec compare` on clips of the simulated camera, against FFmpeg's own measures.
@Suite(.serialized) struct CompareTests {
  private let camrec: CamrecBinary
  private let folder: TemporaryFolder

  /// A clip of 24 pictures whose numbers can be read, and the same behind an encoder.
  init() throws {
    camrec = try CamrecBinary.find()
    folder = try TemporaryFolder()
    let clip = try camrec.run(
      [
        "--camera", "sim:pace=pulled", "--size", "320x180", "--fps", "24", "--frames", "24", "--codec", "ffv1",
        "--microphone", "none", "--no-sidecar", "--output", "a.mkv",
      ], in: folder.url)
    #expect(clip.exitCode == 0, "\(clip.standardError)")
    let lossy = try camrec.run(["bake", "a.mkv", "--quality", "30", "--output", "b.mov"], in: folder.url)
    #expect(lossy.exitCode == 0, "\(lossy.standardError)")
  }

  private func compare(_ arguments: String...) throws -> (status: Int32, said: String, error: String) {
    let outcome = try camrec.run(["compare"] + arguments, in: folder.url)
    return (outcome.exitCode, outcome.standardOutput, outcome.standardError)
  }

  private func ffmpeg(_ line: String) throws {
    try Tool.run(
      ["ffmpeg", "-v", "error", "-y"]
        + line.split(separator: " ").map { $0.hasPrefix("@") ? folder.path(String($0.dropFirst())) : String($0) })
  }

  @Test func equalClipsAreEqual() throws {
    let found = try compare("a.mkv", "a.mkv")
    #expect(found.status == 0 && found.said == "24 frames in both, by number\nall of them are equal\n", "\(found)")
  }

  /// As in every JSON of camrec, a member without a value is left out; the help says so.
  @Test func equalFramesHaveNoPSNR() throws {
    let found = try compare("--json", "a.mkv", "a.mkv")
    let report = try JSONSerialization.jsonObject(with: Data(found.said.utf8)) as? [String: Any]
    let frames = try #require(report?["frames"] as? [[String: Any]])
    #expect(frames.count == 24 && frames.allSatisfy { $0["psnr"] == nil && $0["ssim"] as? Double == 1 }, "\(found)")
    let overall = try #require(report?["overall"] as? [String: Any])
    #expect(overall["psnr"] == nil && overall["ssim"] as? Double == 1, "\(overall)")
    let help = try compare("--help").said.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(help.contains("psnr (left out if all samples are equal)"), "\(help)")
    for member in (report ?? [:]).keys { #expect(help.contains(member), "\(member) is not in the help") }
  }

  @Test func measuresAreThoseOfFFmpeg() throws {
    let found = try compare("--json", "out.json", "--plot", "out.png", "a.mkv", "b.mov")
    #expect(found.status == 0, "\(found)")
    struct Report: Decodable {
      struct Frame: Decodable {
        let first: Int
        let second: Int
        let psnr: Double
        let ssim: Double
        let deltaE: Double
      }
      let format: String
      let alignment: String
      let frames: [Frame]
    }
    let report = try JSONDecoder().decode(
      Report.self, from: Data(contentsOf: folder.url.appendingPathComponent("out.json")))
    #expect(report.format == "camrec-compare" && report.alignment == "number" && report.frames.count == 24)
    for filter in ["psnr", "ssim"] {
      try ffmpeg(
        "-i @b.mov -i @a.mkv -lavfi [0:v]setpts=N/24/TB[x];[1:v]setpts=N/24/TB[y];"
          + "[x][y]\(filter)=stats_file=\(folder.path(filter)) -f null -"
      )
    }
    func values(_ name: String, _ key: String) throws -> [Double] {
      try String(contentsOfFile: folder.path(name), encoding: .utf8).split(separator: "\n").compactMap { line in
        line.split(separator: " ").first { $0.hasPrefix(key) }.flatMap { Double($0.dropFirst(key.count)) }
      }
    }
    let psnr = try values("psnr", "psnr_avg:")
    let ssim = try values("ssim", "All:")
    #expect(psnr.count == 24 && ssim.count == 24)
    for (index, frame) in report.frames.enumerated() {
      #expect(frame.first == index && frame.second == index)
      #expect(abs(frame.psnr - psnr[index]) < 0.006 && abs(frame.ssim - ssim[index]) < 2e-6, "\(frame)")
      #expect(frame.deltaE > 0 && frame.deltaE < 5)
    }
    let png = try Data(contentsOf: folder.url.appendingPathComponent("out.png"))
    #expect(png.prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
    let again = try compare("--plot", "out.png", "a.mkv", "b.mov")
    #expect(again.status == 74 && again.error.contains("out.png"), "\(again)")
  }

  /// The samples of B are brought to the range of A.
  @Test func clipsOfTwoRangesAreMeasuredInThatOfTheFirst() throws {
    try ffmpeg("-f lavfi -i testsrc2=size=320x180:rate=24 -frames:v 12 -pix_fmt yuv420p -c:v ffv1 @limited.mkv")
    try ffmpeg("-i @limited.mkv -c:v mjpeg -pix_fmt yuvj420p -q:v 2 @full.avi")
    struct Report: Decodable {
      struct Frame: Decodable { let psnr: Double, ssim: Double, deltaE: Double }
      let frames: [Frame]
    }
    for (first, second, from, to) in [
      ("limited.mkv", "full.avi", "full", "limited"), ("full.avi", "limited.mkv", "limited", "full"),
    ] {
      let found = try compare("--align", "frame", "--json", first, second)
      #expect(found.status == 0, "\(found)")
      let frames = try JSONDecoder().decode(Report.self, from: Data(found.said.utf8)).frames
      func measured(_ filter: String, _ key: String) throws -> [Double] {
        try ffmpeg(
          "-i @\(second) -i @\(first) -lavfi "
            + "[0:v]settb=1/24,setpts=N,scale=in_range=\(from):out_range=\(to),format=yuv420p[x];"
            + "[1:v]settb=1/24,setpts=N,scale=in_range=\(to):out_range=\(to),format=yuv420p[y];"
            + "[x][y]\(filter)=stats_file=\(folder.path(filter)) -f null -")
        let lines = try String(contentsOfFile: folder.path(filter), encoding: .utf8).split(separator: "\n")
        return lines.compactMap { line in
          line.split(separator: " ").first { $0.hasPrefix(key) }.flatMap { Double($0.dropFirst(key.count)) }
        }
      }
      let psnr = try measured("psnr", "psnr_avg:"), ssim = try measured("ssim", "All:")
      #expect(psnr.count == 12 && ssim.count == 12 && frames.count == 12)
      for (index, frame) in frames.enumerated() {
        #expect(abs(frame.psnr - psnr[index]) < 0.05 && frame.psnr > 45, "\(first) \(frame) \(psnr[index])")
        #expect(abs(frame.ssim - ssim[index]) < 5e-4 && frame.deltaE < 1, "\(first) \(frame) \(ssim[index])")
      }
    }
  }

  /// Whatever happened to a picture, its neighbours are held against their own likes.
  @Test func picturesThatAreMissingOrThereTwice() throws {
    try ffmpeg("-i @a.mkv -map 0:v -vf select='not(eq(n,5))',setpts=N/24/TB -c:v ffv1 @gap.mkv")
    let gap = try compare("a.mkv", "gap.mkv")
    #expect(
      gap.status == 5
        && gap.said
          == "23 frames in both, by number\nmissing from 'gap.mkv': frame 5 of 'a.mkv'\n"
            + "from frame 6 on, 'gap.mkv' shows its frames 42 ms earlier\nall of them are equal\n",
      "\(gap)")
    let added = try compare("gap.mkv", "a.mkv")
    #expect(added.status == 5 && added.said.contains("\nnot in 'gap.mkv': frame 5 of 'a.mkv'\n"), "\(added)")
    try ffmpeg("-i @a.mkv -map 0:v -vf loop=loop=1:size=1:start=5,setpts=N/24/TB -c:v ffv1 @twice.mkv")
    let twice = try compare("a.mkv", "twice.mkv")
    #expect(
      twice.status == 5 && twice.said.contains("\nrepeated: frame ")
        && twice.said.hasSuffix("all of them are equal\n"), "\(twice)")
    let inFirst = try compare("twice.mkv", "a.mkv")
    #expect(
      inFirst.status == 5 && inFirst.said.contains(" of 'twice.mkv'\n") && !inFirst.said.contains("missing"),
      "\(inFirst)")
    // One whose number cannot be read belongs where it stands.
    try ffmpeg("-i @a.mkv -map 0:v -vf drawbox=c=black:t=fill:enable='eq(n,0)+eq(n,10)' -c:v ffv1 @black.mkv")
    let black = try compare("a.mkv", "black.mkv")
    #expect(
      black.status == 0 && black.said.hasPrefix("24 frames in both, by number\n22 of them are equal\n"), "\(black)")
    // By time what is behind the gap is another picture.
    let timed = try compare("--align", "time", "a.mkv", "gap.mkv")
    #expect(timed.status == 5 && timed.said.contains("\nmissing from 'gap.mkv': frame 23 of 'a.mkv'\n"), "\(timed)")
    #expect(!timed.said.contains("all of them are equal"))
  }

  /// Of the frames at a higher rate, those belong to the other clip's that show at the same time.
  @Test(arguments: [
    (2, "repeated: frames 1, 3, 5, "), (3, "repeated: frames 1 to 2, 4 to 5, "),
    (5, "repeated: frames 1 to 4, 6 to 9, "),
  ])
  func aHigherRateIsComparedByTime(times: Int, repeated: String) throws {
    try ffmpeg("-f lavfi -i testsrc2=size=96x64:rate=25:duration=1 -pix_fmt yuv420p -c:v ffv1 @slow.mkv")
    try ffmpeg("-i @slow.mkv -vf fps=\(25 * times) -c:v ffv1 @fast.mkv")
    let found = try compare("--align", "time", "slow.mkv", "fast.mkv")
    #expect(found.status == 5, "\(found)")
    #expect(found.said.hasPrefix("25 frames in both, by time\n" + repeated), "\(found)")
    #expect(found.said.hasSuffix("\nall of them are equal\n"), "\(found)")
    // The last ones show while the other clip's last frame does.
    #expect(!found.said.contains("not in "), "\(found)")
    let turned = try compare("--align", "time", "fast.mkv", "slow.mkv")
    #expect(turned.said.hasPrefix("25 frames in both, by time\n"), "\(turned)")
    #expect(turned.said.hasSuffix("\nall of them are equal\n"), "\(turned)")
  }

  /// Nothing moves: frames of a higher rate are repeated ones, and none shows later than it should.
  @Test(arguments: [25, 30]) func aStillShotAtTwoRates(rate: Int) throws {
    try ffmpeg("-f lavfi -i testsrc2=size=96x64:rate=25 -frames:v 1 -pix_fmt rgb24 @still.png")
    try ffmpeg("-loop 1 -framerate \(rate) -i @still.png -frames:v 20 -pix_fmt yuv420p -c:v ffv1 @slow.mkv")
    try ffmpeg("-i @slow.mkv -vf fps=\(2 * rate) -c:v ffv1 @fast.mkv")
    let odd = (0..<20).map { String(2 * $0 + 1) }.joined(separator: ", ")
    let said = "20 frames in both, by content\nrepeated: frames \(odd) of 'fast.mkv'\nall of them are equal\n"
    let found = try compare("slow.mkv", "fast.mkv")
    #expect(found.status == 5 && found.said == said, "\(found)")
    let turned = try compare("fast.mkv", "slow.mkv")
    #expect(turned.status == 5 && turned.said == said, "\(turned)")
  }

  /// The frames of the clip, each by its number, in another order.
  private func shuffle(_ name: String, _ order: [Int]) throws {
    let places = order.map(String.init).joined(separator: "|")
    try ffmpeg("-i @a.mkv -map 0:v -vf shuffleframes=\(places) -c:v ffv1 @\(name)")
  }

  /// Of two neighbours that have changed places, one has moved; neither is missing or added, or shows at another time.
  @Test(arguments: ["number", "content"]) func framesInAnotherOrder(alignment: String) throws {
    try shuffle("swap.mkv", [0, 2, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    let swapped = try compare("--align", alignment, "a.mkv", "swap.mkv")
    #expect(
      swapped.status == 5
        && swapped.said
          == "24 frames in both, by \(alignment)\n2 frames in another order: frames 1, 13 of 'a.mkv'\n"
            + "all of them are equal\n",
      "\(swapped)")
    struct Report: Decodable {
      let missing: [Int]
      let added: [Int]
      let reordered: [Int]
    }
    let printed = try compare("--json", "--align", alignment, "a.mkv", "swap.mkv")
    let report = try JSONDecoder().decode(Report.self, from: Data(printed.said.utf8))
    #expect(report.missing.isEmpty && report.added.isEmpty && report.reordered == [1, 13], "\(printed)")
  }

  /// However frames are matched, those that only make room have not moved, and are not called late.
  @Test(arguments: ["number", "content"]) func aFrameThatHasMovedFar(alignment: String) throws {
    try shuffle("far.mkv", Array(0..<4) + [18] + Array(4..<18) + Array(19..<24))
    let far = try compare("--align", alignment, "a.mkv", "far.mkv")
    #expect(
      far.status == 5
        && far.said
          == "24 frames in both, by \(alignment)\n1 frame in another order: frame 18 of 'a.mkv'\n"
            + "all of them are equal\n",
      "\(far)")
  }

  @Test(arguments: ["number", "content"]) func framesThatHaveChangedPlacesFarApart(alignment: String) throws {
    try shuffle("far.mkv", Array(0..<4) + [18] + Array(5..<18) + [4] + Array(19..<24))
    let far = try compare("--align", alignment, "a.mkv", "far.mkv")
    #expect(
      far.status == 5
        && far.said
          == "24 frames in both, by \(alignment)\n2 frames in another order: frames 4, 18 of 'a.mkv'\n"
            + "all of them are equal\n",
      "\(far)")
    try shuffle("turned.mkv", Array((0..<24).reversed()))
    let turned = try compare("--align", alignment, "a.mkv", "turned.mkv")
    #expect(
      turned.said
        == "24 frames in both, by \(alignment)\n23 frames in another order: frames 0 to 22 of 'a.mkv'\n"
        + "all of them are equal\n",
      "\(turned)")
    // Times are whole milliseconds; the rounding of many steps does not add up to a shift.
    try shuffle("half.mkv", Array(0..<12) + Array((12..<24).reversed()))
    let half = try compare("--align", alignment, "a.mkv", "half.mkv")
    #expect(
      half.said
        == "24 frames in both, by \(alignment)\n11 frames in another order: frames 12 to 22 of 'a.mkv'\n"
        + "all of them are equal\n",
      "\(half)")
  }

  /// Frozen, replaced and exchanged frames of a clip without numbers: what the other clip shows elsewhere is not a
  /// changed frame, though neighbours look much alike.
  @Test(arguments: ["-c:v ffv1", "-c:v libx264 -crf 18"]) func framesInPlaceOfOthers(codec: String) throws {
    try ffmpeg("-f lavfi -i testsrc2=size=320x180:rate=24 -frames:v 24 -pix_fmt yuv420p -c:v ffv1 @t.mkv")
    func freeze(_ name: String, _ values: String) throws -> (status: Int32, said: String, error: String) {
      try ffmpeg("-i @t.mkv -i @t.mkv -lavfi [0:v][1:v]freezeframes=\(values) \(codec) @\(name)")
      return try compare("t.mkv", name)
    }
    let frozen = try freeze("frozen.mkv", "first=10:last=12:replace=9")
    #expect(
      frozen.status == 5
        && frozen.said.hasPrefix(
          "21 frames in both, by content\nmissing from 'frozen.mkv': frames 10 to 12 of 't.mkv'\n"
            + "repeated: frames 10 to 12 of 'frozen.mkv'\n"),
      "\(frozen)")
    if codec.contains("ffv1") { #expect(frozen.said.hasSuffix("\nall of them are equal\n"), "\(frozen)") }
    let turned = try compare("frozen.mkv", "t.mkv")
    #expect(
      turned.status == 5
        && turned.said.contains(
          "\nrepeated: frames 10 to 12 of 'frozen.mkv'\nnot in 'frozen.mkv': frames 10 to 12 of 't.mkv'\n"),
      "\(turned)")
    let old = try freeze("old.mkv", "first=10:last=10:replace=4")
    #expect(
      old.status == 5
        && old.said.hasPrefix(
          "23 frames in both, by content\nmissing from 'old.mkv': frame 10 of 't.mkv'\n"
            + "repeated: frame 10 of 'old.mkv'\n"),
      "\(old)")
    let order = (Array(0..<4) + [9] + Array(5..<9) + [4] + Array(10..<24)).map(String.init).joined(separator: "|")
    try ffmpeg("-i @t.mkv -vf shuffleframes=\(order) \(codec) @swap.mkv")
    let swap = try compare("t.mkv", "swap.mkv")
    #expect(
      swap.status == 5
        && swap.said.hasPrefix("24 frames in both, by content\n2 frames in another order: frames 4, 9 of 't.mkv'\n"),
      "\(swap)")
  }

  /// A test card, and a still under a moving camera, behind an encoder: most frames are elsewhere, and all are found.
  @Test(arguments: [
    "-f lavfi -i testsrc2=size=320x180:rate=24",
    "-f lavfi -i mandelbrot=size=640x360:rate=24 -vf loop=loop=-1:size=1,crop=320:180:n*4:90",
  ])
  func mostFramesAreElsewhereBehindAnEncoder(source: String) throws {
    try ffmpeg("\(source) -frames:v 24 -pix_fmt yuv420p -c:v ffv1 @m.mkv")
    for (name, filter, moved) in [("back", "reverse", 23), ("threes", "shuffleframes=2|1|0", 16)] {
      try ffmpeg("-i @m.mkv -vf \(filter) -c:v libx264 -crf 10 @\(name).mkv")
      let found = try compare("m.mkv", "\(name).mkv")
      let said = "24 frames in both, by content\n\(moved) frames in another order: frames "
      #expect(found.status == 5 && found.said.hasPrefix(said), "\(found)")
    }
    for quality in [28, 40] {
      try ffmpeg("-i @m.mkv -c:v libx264 -crf \(quality) @coarse.mkv")
      let found = try compare("m.mkv", "coarse.mkv")
      #expect(found.status == 0 && found.said.hasPrefix("24 frames in both, by content\nPSNR"), "\(found)")
    }
  }

  /// Frames in another order are measured like the others: they count for the limits, too.
  @Test func damagedFramesInAnotherOrder() throws {
    let order = (Array(0..<4) + [18] + Array(4..<18) + Array(19..<24)).map(String.init).joined(separator: "|")
    try ffmpeg(
      "-i @a.mkv -map 0:v -vf shuffleframes=\(order),drawbox=x=0:y=100:w=320:h=40:c=black:t=fill:enable='eq(n,4)'"
        + " -c:v ffv1 @far.mkv")
    let far = try compare("--psnr", "40", "--report", "far.json", "a.mkv", "far.mkv")
    #expect(
      far.status == 5 && far.said.contains("\n1 frame in another order: frame 18 of 'a.mkv'\n")
        && far.said.contains("\n23 of them are equal\n")
        && far.said.firstMatch(of: /\nframe 18 \([0-9.]+ s\) has a PSNR of [0-9.]+ dB, less than 40.0 dB\n/) != nil,
      "\(far)")
    struct Report: Decodable {
      struct Frame: Decodable {
        let first: Int
        let second: Int
        let psnr: Double?
      }
      let frames: [Frame]
      let reordered: [Int]
      let findings: [String]
    }
    let report = try JSONDecoder().decode(
      Report.self, from: Data(contentsOf: folder.url.appendingPathComponent("far.json")))
    #expect(report.frames.map(\.first) == Array(0..<24) && report.reordered == [18] && report.findings.count == 1)
    #expect(report.frames[18].second == 4 && report.frames.filter { $0.psnr != nil }.map(\.first) == [18])
  }

  @Test func framesThatShowLater() throws {
    try ffmpeg("-i @a.mkv -map 0:v -vf setpts='PTS+gte(N,15)*2/24/TB' -c:v ffv1 @late.mkv")
    let late = try compare("a.mkv", "late.mkv")
    #expect(
      late.status == 0
        && late.said
          == "24 frames in both, by number\nfrom frame 15 on, 'late.mkv' shows its frames 83 ms later\n"
            + "all of them are equal\n",
      "\(late)")
    struct Report: Decodable {
      struct Shift: Decodable {
        let frame: Int
        let seconds: Double
      }
      let shifts: [Shift]
    }
    let printed = try compare("--json", "a.mkv", "late.mkv")
    let shifts = try JSONDecoder().decode(Report.self, from: Data(printed.said.utf8)).shifts
    #expect(shifts.map(\.frame) == [15] && abs((shifts.first?.seconds ?? 0) - 0.083) < 0.002, "\(shifts)")
    let same = try compare("--json", "a.mkv", "a.mkv")
    #expect(try JSONDecoder().decode(Report.self, from: Data(same.said.utf8)).shifts.isEmpty)
  }

  /// A clip without the other's beginning is earlier from its first frame on, and behind a gap by both together.
  @Test(arguments: ["number", "content"]) func aShiftCountsFromTheClipsBeginnings(alignment: String) throws {
    try ffmpeg("-i @a.mkv -map 0:v -vf select='gte(n,6)*not(eq(n,12))',setpts=N/24/TB -c:v ffv1 @tail.mkv")
    let tail = try compare("--align", alignment, "a.mkv", "tail.mkv")
    #expect(
      tail.status == 5
        && tail.said
          == "17 frames in both, by \(alignment)\nmissing from 'tail.mkv': frames 0 to 5, 12 of 'a.mkv'\n"
            + "from frame 6 on, 'tail.mkv' shows its frames 250 ms earlier\n"
            + "from frame 13 on, 'tail.mkv' shows its frames 292 ms earlier\nall of them are equal\n",
      "\(tail)")
    let turned = try compare("--align", alignment, "tail.mkv", "a.mkv")
    #expect(
      turned.status == 5
        && turned.said
          == "17 frames in both, by \(alignment)\nnot in 'tail.mkv': frames 0 to 5, 12 of 'a.mkv'\n"
            + "from frame 0 on, 'a.mkv' shows its frames 250 ms later\n"
            + "from frame 6 on, 'a.mkv' shows its frames 292 ms later\nall of them are equal\n",
      "\(turned)")
  }

  @Test func aPictureThatDoesNotDecodeHasItsPlace() throws {
    try ffmpeg("-i @a.mkv -map 0:v -c:v png @damaged.mov")
    var bytes = try Data(contentsOf: folder.url.appendingPathComponent("damaged.mov"))
    let half = try #require(bytes.range(of: Data("IDAT".utf8), in: (bytes.count / 2)..<bytes.count))
    for index in half.upperBound..<(half.upperBound + 64) { bytes[index] ^= 0x5A }
    _ = try folder.write(bytes, to: "damaged.mov")
    let found = try compare("a.mkv", "damaged.mov")
    #expect(found.status == 65, "\(found)")
    let place = /a frame of 'damaged.mov' cannot be decoded, after frame [0-9]+ \([0-9]\.[0-9]{3} s\)/
    #expect(found.error.firstMatch(of: place) != nil, "\(found)")
  }

  /// A clip of anybody's, whose pictures have no numbers: what is behind the gap is held against its own likes.
  @Test(arguments: ["-c:v ffv1", "-c:v libx264 -crf 30"])
  func clipsOfOthersAreKnownByTheirContent(codec: String) throws {
    try ffmpeg("-f lavfi -i mandelbrot=size=320x180:rate=24 -frames:v 120 -pix_fmt yuv420p -c:v ffv1 @m.mkv")
    func take(_ name: String, _ filter: String) throws {
      try ffmpeg("-i @m.mkv -vf \(filter),setpts=N/24/TB \(codec) @\(name).mkv")
    }
    try take("gap", "select='not(eq(n,40))'")
    let gap = try compare("m.mkv", "gap.mkv")
    #expect(gap.status == 5, "\(gap)")
    #expect(
      gap.said.hasPrefix("119 frames in both, by content\nmissing from 'gap.mkv': frame 40 of 'm.mkv'\n"), "\(gap)")
    if codec.contains("ffv1") { #expect(gap.said.hasSuffix("\nall of them are equal\n"), "\(gap)") }
    let turned = try compare("gap.mkv", "m.mkv")
    #expect(turned.said.contains("\nnot in 'gap.mkv': frame 40 of 'm.mkv'\n"), "\(turned)")
    try take("twice", "loop=loop=1:size=1:start=70")
    let twice = try compare("m.mkv", "twice.mkv")
    #expect(
      twice.status == 5
        && twice.said.hasPrefix("120 frames in both, by content\nrepeated: frame 70 of 'twice.mkv'\n"),
      "\(twice)")
    try take("late", "select='gte(n,30)'")
    let late = try compare("m.mkv", "late.mkv")
    #expect(late.said.hasPrefix("90 frames in both, by content\nmissing from 'late.mkv': frames 0 to 29 of"), "\(late)")
    try take("black", "drawbox=c=black:t=fill:enable='eq(n,0)+eq(n,50)'")
    let black = try compare("m.mkv", "black.mkv")
    #expect(black.status == 0 && black.said.hasPrefix("120 frames in both, by content\n"), "\(black)")
  }

  /// Two films that have nothing in common are called that, with the figure; the same film after any encoder, grade or
  /// small crop is not.
  @Test func clipsThatShowNothingInCommon() throws {
    try ffmpeg("-f lavfi -i mandelbrot=size=320x180:rate=24 -frames:v 40 -pix_fmt yuv420p -c:v ffv1 @m.mkv")
    try ffmpeg("-f lavfi -i testsrc2=size=320x180:rate=24 -frames:v 40 -pix_fmt yuv420p -c:v ffv1 @t.mkv")
    let found = try compare("--json", "out.json", "m.mkv", "t.mkv")
    #expect(
      found.status == 5
        && found.said.hasPrefix("no frame of 't.mkv' looks like one of 'm.mkv': are these the same clip? (likeness 0.")
        && found.said.firstMatch(of: /\(likeness 0\.[0-3][0-9], below 0\.4;/) != nil
        && found.said.hasSuffix(", below 0.4; --align time compares them anyway)\n"), "\(found)")
    struct Report: Decodable {
      let alignment: String
      let likeness: Double
      let missing: [Int]
      let added: [Int]
    }
    let report = try JSONDecoder().decode(
      Report.self, from: Data(contentsOf: folder.url.appendingPathComponent("out.json")))
    #expect(report.alignment == "none" && report.likeness < 0.4)
    #expect(report.missing == Array(0..<40) && report.added == Array(0..<40))
    #expect(try compare("--align", "time", "m.mkv", "t.mkv").said.hasPrefix("40 frames in both, by time\n"))
    for (name, how) in [
      ("worst", "-c:v libx264 -crf 51"), ("graded", "-vf eq=gamma=1.8:contrast=1.3 -c:v ffv1"),
      ("negative", "-vf negate -c:v ffv1"), ("cropped", "-vf crop=288:162,scale=320:180 -c:v ffv1"),
      ("part", "-vf trim=start_frame=30,setpts=N/24/TB -c:v ffv1"),
    ] {
      try ffmpeg("-i @m.mkv \(how) @\(name).mkv")
      let alike = try compare("m.mkv", "\(name).mkv")
      #expect(alike.said.contains(" frames in both, by content\n"), "\(name): \(alike)")
    }
  }

  /// As if their content had been compared: no error, and programs get their object.
  @Test func clipsWhoseLabelsOrNumbersDoNotOverlapHaveNothingInCommon() throws {
    for (name, label, filter) in [
      ("early", "10:00:00:00", "select='lt(n,10)'"), ("late", "11:00:00:00", "select='gte(n,12)'"),
    ] {
      try ffmpeg(
        "-i @a.mkv -map 0:v -vf \(filter),setpts=N/24/TB -c:v prores_ks -profile:v 3 -timecode \(label) @\(name).mov")
    }
    struct Report: Decodable {
      struct Frame: Decodable {}
      struct Quality: Decodable {}
      let alignment: String
      let missing: [Int]
      let added: [Int]
      let frames: [Frame]
      let overall: Quality?
      let findings: [String]
    }
    for way in ["timecode", "number", "auto"] {
      let found = try compare("--align", way, "--report", "\(way).json", "--psnr", "90", "early.mov", "late.mov")
      let shown = way == "auto" ? "number" : way
      #expect(
        found.status == 5 && found.error.isEmpty
          && found.said == "no frame of 'late.mov' matches one of 'early.mov' by \(shown); try another --align\n",
        "\(found)")
      let report = try JSONDecoder().decode(
        Report.self, from: Data(contentsOf: folder.url.appendingPathComponent("\(way).json")))
      #expect(report.alignment == "none" && report.missing == Array(0..<10) && report.added == Array(0..<12))
      #expect(report.frames.isEmpty && report.overall == nil && report.findings.isEmpty)
    }
    let help = try compare("--help").said.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      help.contains(
        "also if the clips have nothing in common; 64 if FFmpeg's filters are not installed; 65 if a clip cannot be "
          + "read or lacks the timecode or the numbers that --align needs, or if the clips differ in size, or, with "
          + "--align timecode, in frame rate."), "\(help)")
  }

  /// Four pictures of sixty are the same ones.
  @Test func clipsWithAShortPartInCommonAreNotCalledStrangers() throws {
    try ffmpeg("-f lavfi -i mandelbrot=size=320x180:rate=24 -frames:v 60 -pix_fmt yuv420p -c:v ffv1 @m.mkv")
    try ffmpeg(
      "-f lavfi -i testsrc2=size=320x180:rate=24 -i @m.mkv -filter_complex overlay=enable='between(n,20,23)'"
        + " -frames:v 60 -pix_fmt yuv420p -c:v ffv1 @part.mkv")
    let found = try compare("m.mkv", "part.mkv")
    #expect(found.said.hasPrefix("60 frames in both, by content\n"), "\(found)")
  }

  @Test func clipsThatShowNothingAreNotCalledStrangers() throws {
    try ffmpeg("-f lavfi -i color=black:size=320x180:rate=24 -frames:v 10 -pix_fmt yuv420p -c:v ffv1 @black.mkv")
    try ffmpeg("-f lavfi -i color=gray:size=320x180:rate=24 -frames:v 10 -pix_fmt yuv420p -c:v ffv1 @grey.mkv")
    #expect(try compare("black.mkv", "grey.mkv").said.hasPrefix("10 frames in both, by content\n"))
  }

  @Test func labelsAlignWhatBeginsLater() throws {
    for (name, from, label) in [("long", 0, "10:00:00:00"), ("short", 6, "10:00:00:06")] {
      try ffmpeg(
        "-i @a.mkv -map 0:v -vf crop=96:64:100:100,select='gte(n,\(from))',setpts=N/24/TB -c:v prores_ks -profile:v 3"
          + " -timecode \(label) @\(name).mov"
      )
    }
    let found = try compare("long.mov", "short.mov")
    #expect(
      found.status == 5 && found.said.hasPrefix("18 frames in both, by content\n")
        && found.said.contains(
          "missing from 'short.mov': frames 0 to 5 of 'long.mov'\n"
            + "from frame 6 on, 'short.mov' shows its frames 250 ms earlier\nall of them are equal\n"),
      "\(found)")
  }

  /// After 23:59:59:23 comes 00:00:00:00.
  @Test func labelsGoOnAtMidnight() throws {
    for (name, from, label) in [("evening", 0, "23:59:59:12"), ("night", 12, "00:00:00:00")] {
      try ffmpeg(
        "-i @a.mkv -map 0:v -vf select='gte(n,\(from))',setpts=N/24/TB -c:v prores_ks -profile:v 3 -timecode \(label)"
          + " @\(name).mov")
    }
    let found = try compare("--align", "timecode", "evening.mov", "night.mov")
    #expect(
      found.status == 5
        && found.said
          == "12 frames in both, by timecode\nmissing from 'night.mov': frames 0 to 11 of 'evening.mov'\n"
            + "all of them are equal\n",
      "\(found)")
    let turned = try compare("--align", "timecode", "night.mov", "evening.mov")
    #expect(turned.said.contains("\nnot in 'night.mov': frames 0 to 11 of 'evening.mov'\n"), "\(turned)")
  }

  @Test func limitsDecide() throws {
    #expect(try compare("--psnr", "20", "--clip-ssim", "0.5", "a.mkv", "b.mov").status == 0)
    let poor = try compare("--delta-e", "0.01", "a.mkv", "b.mov")
    #expect(
      poor.status == 5 && poor.said.contains(", more than 0.01; the worst of 24 frames\n"), "\(poor)")
  }

  @Test func whatCannotBeCompared() throws {
    try ffmpeg("-i @a.mkv -map 0:v -map_metadata -1 -vf scale=160:90 -c:v ffv1 @small.mkv")
    let small = try compare("a.mkv", "small.mkv")
    #expect(
      small.status == 65
        && small.error
          == "Error: 'small.mkv' is 160x90, and 'a.mkv' is 320x180; scale one of them to the size of the other"
          + " first\n",
      "\(small)")
    #expect(try compare("a.mkv", "none.mkv").status == 65)
    let unlabelled = try compare("--align", "timecode", "small.mkv", "small.mkv")
    #expect(
      unlabelled.status == 65 && unlabelled.error.contains("'small.mkv' has no timecode; align by time or by position"),
      "\(unlabelled)")
    let unnumbered = try compare("--align", "number", "small.mkv", "small.mkv")
    #expect(
      unnumbered.error.contains("no frame at the beginning of 'small.mkv' has a number from the simulated camera"),
      "\(unnumbered)")
    try ffmpeg("-i @a.mkv -map 0:v -r 48 -c:v prores_ks -timecode 10:00:00:00 @fast.mov")
    try ffmpeg("-i @a.mkv -map 0:v -c:v prores_ks -timecode 10:00:00:00 @label.mov")
    let rates = try compare("--align", "timecode", "label.mov", "fast.mov")
    #expect(rates.status == 65 && rates.error.contains("the clips have 24 and 48 frames a second"), "\(rates)")
    #expect(try compare("--psnr", "x", "a.mkv", "b.mov").status == 64)
    #expect(try compare("--plot", "x.jpg", "a.mkv", "b.mov").status == 64)
  }

  /// On standard output, or in a file; as it was once, `--json FILE` is the file, too.
  @Test func programsReadWhatWasFound() throws {
    let printed = try compare("--json", "a.mkv", "b.mov")
    #expect(printed.status == 0 && printed.said.hasPrefix("{") && printed.said.hasSuffix("}\n"), "\(printed)")
    #expect(printed.said.split(separator: "\n").count == 1)
    #expect(try compare("--report", "new.json", "a.mkv", "b.mov").said.hasPrefix("24 frames in both"))
    #expect(try compare("a.mkv", "b.mov", "--json", "old.json").said.hasPrefix("24 frames in both"))
    #expect(try compare("--json=older.json", "a.mkv", "b.mov").said.hasPrefix("24 frames in both"))
    let files = try ["new.json", "old.json", "older.json"].map {
      try String(contentsOfFile: folder.path($0), encoding: .utf8)
    }
    #expect(files[0] == files[1] && files[0] == files[2] && files[0].contains("\"camrec-compare\""))
  }

  /// --overwrite means another report, and never a recording.
  @Test func noRecordingIsReplacedByAReport() throws {
    let hashes = try camrec.run(
      ["--camera", "sim:pace=pulled", "--size", "64x48", "--frames", "3", "--output", "h.framemd5"], in: folder.url)
    #expect(hashes.exitCode == 0, "\(hashes.standardError)")
    let film = try camrec.run(
      ["--camera", "sim:pace=pulled", "--size", "64x48", "--frames", "3", "--output", "s.mov"], in: folder.url)
    #expect(film.exitCode == 0, "\(film.standardError)")
    for (name, kind) in [
      ("h.framemd5", "a hash recording"), ("a.mkv", "a film"), ("b.mov", "a film"),
      ("s.mov.camrec", "a film's sidecar"),
    ] {
      let url = folder.url.appendingPathComponent(name), before = try Data(contentsOf: url)
      let found = try compare("--json", name, "--overwrite", "a.mkv", "b.mov")
      #expect(
        found.status == 74
          && found.error.contains("'\(name)' is \(kind), and is not overwritten; choose another name"))
      #expect(try Data(contentsOf: url) == before, "\(name)")
    }
    _ = try folder.write("{}".utf8, to: "out.json")
    #expect(try compare("--json", "out.json", "--overwrite", "a.mkv", "a.mkv").status == 0)
  }
}
