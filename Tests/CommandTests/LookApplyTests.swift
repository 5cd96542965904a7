import Foundation
import TestKit
import Testing

/// `camrec look apply` as a person uses it, with FFmpeg as the independent reader.
@Suite struct LookApplyTests {
  private static let looks = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Looks")

  /// A folder with the shipped look, and the same without grain as `plain`.
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder(), own = folder.url.appending(path: "camrec/looks")
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
    for name in ["portra-400.yaml", "portra-400.cube"] {
      try FileManager.default.createSymbolicLink(
        at: own.appending(path: name), withDestinationURL: Self.looks.appending(path: name))
    }
    let text = try String(contentsOf: Self.looks.appending(path: "portra-400.yaml"), encoding: .utf8)
    try text.replacing("name: portra-400", with: "name: plain").replacing("intensity: 0.04", with: "intensity: 0")
      .write(to: own.appending(path: "plain.yaml"), atomically: true, encoding: .utf8)
    return folder
  }

  private func apply(_ arguments: String..., in folder: TemporaryFolder) throws -> CamrecBinary.Outcome {
    try CamrecBinary.find().run(
      ["look", "apply"] + arguments, in: folder.url,
      environment: ["XDG_CONFIG_HOME": folder.url.path, "CAMREC_PROGRESS": "none"], timeout: 300)
  }

  private func picture(
    _ name: String, _ format: String, size: String = "160x90", _ options: String..., in folder: TemporaryFolder
  ) throws {
    let command = ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=\(size)", "-frames:v", "1"]
    try Tool.run(command + ["-pix_fmt", format] + options + [folder.path(name)])
  }

  /// RGB, 0 to 1.
  private func pixels(_ name: String, filter: String = "null", in folder: TemporaryFolder) throws -> [Double] {
    let data = try Tool.run([
      "ffmpeg", "-v", "error", "-i", folder.path(name), "-vf", filter, "-f", "rawvideo", "-pix_fmt", "rgb48le", "-",
    ])
    return data.withUnsafeBytes { raw in
      (0..<raw.count / 2).map { Double(raw.loadUnaligned(fromByteOffset: 2 * $0, as: UInt16.self)) / 65535 }
    }
  }

  private func probe(_ name: String, _ entries: String, in folder: TemporaryFolder) throws -> String {
    let command = ["ffprobe", "-v", "error", "-show_entries", entries, "-of", "default=nk=1:nw=1", folder.path(name)]
    return String(decoding: try Tool.run(command), as: UTF8.self).split(separator: "\n").joined(separator: " ")
  }

  private func greatest(_ a: [Double], _ b: [Double]) -> Double {
    zip(a, b).map { abs($0 - $1) }.max() ?? 1
  }

  // MARK: What comes out

  /// The look's own .cube file, applied by FFmpeg, gives the same colours.
  @Test func coloursAreThoseOfTheExportedLook() throws {
    let folder = try folder()
    try picture("in.png", "rgb48be", in: folder)
    let outcome = try apply("plain", "in.png", "out.png", in: folder)
    #expect(outcome.exitCode == 0 && outcome.standardOutput.isEmpty)
    #expect(outcome.standardError == "Note: 'in.png' has no colour profile; assuming sRGB\n")
    #expect(try probe("out.png", "stream=codec_name,width,height,pix_fmt", in: folder) == "png 160 90 rgb48be")
    _ = try CamrecBinary.find().run(
      ["look", "export", "plain", "--from", "srgb", "--to", "srgb", "plain.cube"], in: folder.url,
      environment: ["XDG_CONFIG_HOME": folder.url.path], timeout: 300)
    let cube = "format=gbrpf32le,lut3d=\(folder.path("plain.cube")):interp=tetrahedral"
    let expected = try pixels("in.png", filter: cube, in: folder)
    #expect(greatest(try pixels("out.png", in: folder), expected) * 255 < 1)
  }

  @Test func formatsDepthsAndColoursAreAsAskedFor() throws {
    let folder = try folder()
    try picture("wide.png", "rgb48be", in: folder)
    try picture("narrow.jpg", "yuvj444p", "-q:v", "2", in: folder)
    for (input, output, expected) in [
      ("wide.png", "a.tif", "tiff 160 90 rgb48le"), ("wide.png", "b.jpg", "mjpeg 160 90 yuvj444p"),
      ("narrow.jpg", "c.png", "png 160 90 rgb24"), ("narrow.jpg", "d.tiff", "tiff 160 90 rgb24"),
    ] {
      #expect(try apply("portra-400", input, output, in: folder).exitCode == 0)
      #expect(try probe(output, "stream=codec_name,width,height,pix_fmt", in: folder) == expected)
    }
    #expect(try apply("portra-400", "wide.png", "low.jpg", "--quality", "60", in: folder).exitCode == 0)
    #expect(try probe("low.jpg", "stream=pix_fmt", in: folder) == "yuvj420p")
    // Display P3, which is then read as such, and is the default for a picture that has it.
    #expect(try apply("plain", "wide.png", "p3.png", "--to", "display-p3", in: folder).exitCode == 0)
    let again = try apply("plain", "p3.png", "p3-again.png", in: folder)
    let note = "Note: 'p3.png' already has the look plain, version 1, grain seed 1, so the result has two looks\n"
    #expect(again.exitCode == 0 && again.standardError == note, "\(again)")
    for name in ["p3.png", "p3-again.png"] {
      let words = try probe(name, "frame_side_data=name", in: folder) + " "
        + String(decoding: try Data(contentsOf: folder.url.appending(path: name)).prefix(64), as: UTF8.self)
      #expect(words.contains("ICC profile") || words.contains("iCCP"))
    }
  }

  /// Which profile a JPEG has, by its description.
  private func profile(_ name: String, in folder: TemporaryFolder) throws -> String? {
    let bytes = try Data(contentsOf: folder.url.appending(path: name))
    return ["sRGB", "Display P3"].first { bytes.range(of: Data($0.utf16.flatMap { [0, UInt8($0)] })) != nil }
  }

  /// Grey has no more colours than sRGB, whatever its profile.
  @Test func aPictureGetsDisplayP3OnlyForItsColours() throws {
    let folder = try folder()
    for (isGrey, profile, expected) in [
      (true, HandMade.profile(space: "GRAY"), "sRGB"), (true, HandMade.profile(), "sRGB"),
      (false, HandMade.profile(), "Display P3"),
    ] {
      var image = HandMade.TIFF(width: 30, height: 20, photometric: isGrey ? 1 : 2, samples: isGrey ? 1 : 3)
      image.others = [(34675, 1, profile)]
      _ = try folder.write(image.bytes, to: "in.tif")
      let outcome = try apply("plain", "in.tif", "out.jpg", "--overwrite", in: folder)
      #expect(outcome.exitCode == 0 && outcome.standardError.isEmpty, "\(outcome)")
      #expect(try self.profile("out.jpg", in: folder) == expected)
      #expect(try apply("plain", "in.tif", "p3.jpg", "--to", "display-p3", "--overwrite", in: folder).exitCode == 0)
      #expect(try self.profile("p3.jpg", in: folder) == "Display P3")
    }
  }

  @Test func theSeedTheFrameAndNothingElseDecideOnTheGrain() throws {
    let folder = try folder()
    try picture("in.png", "rgb24", in: folder)
    func bytes(_ name: String, _ options: String...) throws -> Data {
      let outcome = try CamrecBinary.find().run(
        ["look", "apply", "portra-400", "in.png", name] + options, in: folder.url,
        environment: ["XDG_CONFIG_HOME": folder.url.path, "CAMREC_PROGRESS": "none"], timeout: 300)
      #expect(outcome.exitCode == 0, "\(outcome.standardError)")
      return try Data(contentsOf: folder.url.appending(path: name))
    }
    let first = try bytes("a.png")
    #expect(try bytes("b.png", "--grain-seed", "1", "--frame", "0") == first)
    let other = try bytes("c.png", "--grain-seed", "2"), next = try bytes("d.png", "--frame", "1")
    #expect(other != first && next != first && other != next)
    #expect(try bytes("e.png", "--ev", "1") != first)
    #expect(try bytes("f.png", "--ev", "0") == first)
  }

  /// Twice the light, as the look's own exposure would give it.
  @Test func exposureIsThatOfTheLook() throws {
    let folder = try folder()
    try picture("in.png", "rgb48be", in: folder)
    try LookFiles.writeOwn(to: folder, [("exposure: 0.0", "exposure: 1.0")])
    #expect(try apply("own.yaml", "in.png", "own.png", in: folder).exitCode == 0)
    #expect(try apply("portra-400", "in.png", "ev.png", "--ev", "1", in: folder).exitCode == 0)
    #expect(try apply("portra-400", "in.png", "plain.png", in: folder).exitCode == 0)
    let brighter = try pixels("ev.png", in: folder)
    #expect(try pixels("own.png", in: folder) == brighter)
    #expect(greatest(try pixels("plain.png", in: folder), brighter) > 0.1)
  }

  /// How much of the grain is left: its sigma, and the part that is the grain that went in.
  @Test func aJPEGOfQuality85KeepsTheGrain() throws {
    let folder = try folder()
    try picture("in.png", "rgb24", size: "480x270", "-vf", "gblur=sigma=4", in: folder)
    func grain(_ name: String, _ quality: String) throws -> [Double] {
      let found = try ["plain", "portra-400"].map { look -> [Double] in
        let outcome = try apply(look, "in.png", "\(look)-\(name)", "--quality", quality, in: folder)
        #expect(outcome.exitCode == 0, "\(outcome.standardError)")
        return lumas(try pixels("\(look)-\(name)", in: folder))
      }
      return zip(found[0], found[1]).map { $1 - $0 }
    }
    let whole = try grain("whole.png", "92"), power = whole.reduce(0) { $0 + $1 * $1 }
    func kept(_ quality: String) throws -> (sigma: Double, itself: Double) {
      let left = try grain("\(quality).jpg", quality)
      let itself = zip(left, whole).reduce(0) { $0 + $1.0 * $1.1 } / power
      return ((left.reduce(0) { $0 + $1 * $1 } / power).squareRoot(), itself)
    }
    let good = try kept("85"), bad = try kept("40")
    #expect(good.sigma > 0.88 && good.sigma < 1.12 && good.itself > 0.88, "\(good)")
    #expect(bad.itself < 0.88, "\(bad)")
  }

  /// Writes the picture of a frame of 8 bits in limited range, by the definition of BT.709.
  ///
  /// - Parameters:
  ///   - planes: luma, Cb and Cr, without gaps.
  ///   - block: pixels on a side that share a chroma sample.
  private func write(
    _ planes: ArraySlice<UInt8>, width: Int, height: Int, block: Int, to name: String, in folder: TemporaryFolder
  ) throws {
    let planes = Array(planes), columns = width / block, chroma = columns * (height / block)
    var picture = Array("P6 \(width) \(height) 65535\n".utf8)
    for at in 0..<width * height {
      let place = width * height + at / width / block * columns + at % width / block
      let y = (Double(planes[at]) - 16) / 219
      let b = (Double(planes[place]) - 128) / 224, r = (Double(planes[place + chroma]) - 128) / 224
      let red = y + 1.5748 * r, blue = y + 1.8556 * b, green = (y - 0.2126 * red - 0.0722 * blue) / 0.7152
      for value in [red, green, blue] {
        let code = Int((min(max(value, 0), 1) * 65535).rounded())
        picture += [UInt8(code >> 8), UInt8(code & 255)]
      }
    }
    _ = try folder.write(picture, to: "frame.ppm")
    try Tool.run(["ffmpeg", "-v", "error", "-i", folder.path("frame.ppm"), "-pix_fmt", "rgb48be", folder.path(name)])
  }

  /// The lumas of a picture, as codes of a film of 8 bits.
  private func lumas(_ picture: [Double]) -> [Double] {
    stride(from: 0, to: picture.count, by: 3).map { (first: Int) -> Double in
      let red = 0.2126 * picture[first], green = 0.7152 * picture[first + 1], blue = 0.0722 * picture[first + 2]
      return 16 + 219 * (red + green + blue)
    }
  }

  /// A frame of a film that is baked with the look, and a picture of that frame: the same colours within a code, and
  /// the same grain. The film holds luma in whole codes before the grain and after it, so that the two may differ by
  /// another one.
  @Test(arguments: [("plain", 1.0), ("portra-400", 2.0)]) func aPictureOfAFrameLooksLikeTheFilm(
    look: String, limit: Double
  ) throws {
    let folder = try folder()
    let environment = ["XDG_CONFIG_HOME": folder.url.path, "CAMREC_PROGRESS": "none"]
    try Tool.run([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x90:rate=25", "-frames:v", "1", "-vf",
      "gblur=sigma=2,lutyuv=y='clip(val,40,210)':u='(val-128)/3+128':v='(val-128)/3+128'", "-pix_fmt", "yuv444p",
      "-c:v", "ffv1", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
      folder.path("clip.mkv"),
    ])
    let baked = try CamrecBinary.find().run(
      ["bake", "clip.mkv", "--look", look, "--codec", "ffv1", "--output", "film.mkv", "--color-in", "rec709"],
      in: folder.url, environment: environment, timeout: 300)
    #expect(baked.exitCode == 0, "\(baked.standardError)")
    func planes(_ name: String) throws -> [UInt8] {
      let command = ["ffmpeg", "-v", "error", "-i", folder.path(name), "-f", "rawvideo", "-pix_fmt", "yuv444p", "-"]
      return Array(try Tool.run(command))
    }
    let film = try planes("film.mkv")
    try write(try planes("clip.mkv")[...], width: 160, height: 90, block: 1, to: "frame.png", in: folder)
    #expect(try apply(look, "frame.png", "out.png", in: folder).exitCode == 0)
    let differences = zip(lumas(try pixels("out.png", in: folder)), film).map { abs($0 - Double($1)) }
    #expect(differences.count == 160 * 90 && (differences.max() ?? 9) <= limit, "\(differences.max() ?? 9) codes")
  }

  /// The third frame of a recording, and a picture of what the camera delivered. The film has a chroma sample for four
  /// pixels, which is the mean of their colours with the look; and it holds whole codes.
  @Test func aPictureOfARecordedFrameLooksLikeTheRecording() throws {
    let folder = try folder(), width = 320, height = 180, count = width * height
    func recorded(_ name: String, _ look: String...) throws -> ArraySlice<UInt8> {
      let camera = ["record", "--camera", "sim:pace=pulled", "--microphone", "none", "--pixel-format", "nv12"]
      let outcome = try CamrecBinary.find().run(
        camera + ["--size", "\(width)x\(height)", "--frames", "3", "--codec", "ffv1", "--output", name] + look,
        in: folder.url, environment: ["XDG_CONFIG_HOME": folder.url.path], timeout: 300)
      #expect(outcome.exitCode == 0, "\(outcome.standardError)")
      let frames = Array(
        try Tool.run(["ffmpeg", "-v", "error", "-i", folder.path(name), "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"]))
      #expect(frames.count == 3 * count * 3 / 2)
      return frames.suffix(count * 3 / 2)
    }
    try write(try recorded("none.mkv"), width: width, height: height, block: 2, to: "frame.png", in: folder)
    func applied(_ look: String) throws -> [Double] {
      let outcome = try apply(look, "frame.png", "\(look).png", "--frame", "2", "--grain-seed", "7", in: folder)
      #expect(outcome.exitCode == 0, "\(outcome.standardError)")
      return try pixels("\(look).png", in: folder)
    }
    // The colours.
    let film = Array(try recorded("plain.mkv", "--look", "plain")), picture = try applied("plain")
    let luma = lumas(picture)
    #expect(zip(luma, film).allSatisfy { abs($0 - Double($1)) <= 1 })
    var worst = 0.0
    for block in 0..<count / 4 {
      let first = block / (width / 2) * 2 * width + block % (width / 2) * 2
      let pixels = [first, first + 1, first + width, first + width + 1]
      func mean(_ channel: Int) -> Double { pixels.reduce(0) { $0 + picture[3 * $1 + channel] } / 4 }
      let y = pixels.reduce(0) { $0 + (luma[$1] - 16) / 219 } / 4
      let blue = 128 + 224 * (mean(2) - y) / 1.8556, red = 128 + 224 * (mean(0) - y) / 1.5748
      worst = max(worst, abs(blue - Double(film[count + block])), abs(red - Double(film[count + count / 4 + block])))
    }
    #expect(worst <= 1, "\(worst) codes")
    // The grain. It takes some colours to the end of a channel, where a picture is held and a film is not.
    let grained = Array(try recorded("grain.mkv", "--look", "portra-400", "--grain-seed", "7"))
    let rough = try applied("portra-400"), roughLuma = lumas(rough)
    var compared = 0, greatest = 0.0
    for at in 0..<count where rough[3 * at..<3 * at + 3].allSatisfy({ $0 > 0 && $0 < 1 }) {
      let grain = Double(grained[at]) - Double(film[at])
      #expect(abs(roughLuma[at] - luma[at] - grain) <= 1)
      greatest = max(greatest, abs(grain))
      compared += 1
    }
    #expect(compared > count / 2 && greatest > 5)
  }

  // MARK: Metadata

  @Test func exifIsKeptAndNamesTheLook() throws {
    let folder = try folder()
    try picture("plain.jpg", "yuvj444p", "-q:v", "2", in: folder)
    let image = Array(try Data(contentsOf: folder.url.appending(path: "plain.jpg")))
    let exif = (number: 1, bytes: Array("Exif\0\0".utf8) + HandMade.exif)
    _ = try folder.write(HandMade.jpeg(image, with: [exif]), to: "in.jpg")
    let outcome = try apply("portra-400", "in.jpg", "out.jpg", "--grain-seed", "7", in: folder)
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    let bytes = try Data(contentsOf: folder.url.appending(path: "out.jpg"))
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains(", look portra-400, version 1, grain seed 7\0"))
    #expect(text.contains("Cam\0") && !text.contains("old\0"))
    #expect(try probe("out.jpg", "frame_tags=Orientation,Make", in: folder).contains("Cam"))
    #expect(try probe("out.jpg", "frame_tags=Orientation", in: folder).trimmingCharacters(in: .whitespaces) == "6")
    // A PNG holds it, too, and a TIFF.
    #expect(try apply("portra-400", "in.jpg", "out.png", in: folder).exitCode == 0)
    let png = String(decoding: try Data(contentsOf: folder.url.appending(path: "out.png")), as: UTF8.self)
    #expect(png.contains("eXIf") && png.contains("look portra-400, version 1, grain seed 1"))
    #expect(try apply("portra-400", "in.jpg", "out.tif", in: folder).exitCode == 0)
    #expect(try apply("portra-400", "out.tif", "back.jpg", in: folder).exitCode == 0)
    #expect(try probe("back.jpg", "frame_tags=Orientation", in: folder).trimmingCharacters(in: .whitespaces) == "6")
  }

  /// Only a graded snapshot has the look.
  @Test(arguments: ["jpg", "png"]) func anUngradedSnapshotNamesNoLook(kind: String) throws {
    let folder = try folder(), graded = "graded.\(kind)", ungraded = "ungraded.\(kind)"
    // Frames may be old: the machine may be slow.
    let words = ["snapshot", "--camera", "sim", "--look", "plain", "--size", "160", "--stale"]
    for more in [[graded], ["--ungraded", ungraded]] {
      let taken = try CamrecBinary.find().run(
        words + more, in: folder.url, environment: ["XDG_CONFIG_HOME": folder.url.path], timeout: 300)
      #expect(taken.exitCode == 0, "\(taken)")
    }
    func text(_ name: String) throws -> String {
      String(decoding: try Data(contentsOf: folder.url.appending(path: name)), as: UTF8.self)
    }
    let look = "look plain, version 1, grain seed 1"
    #expect(try text(graded).contains(", \(look)\0"))
    #expect(try text(ungraded).contains("camrec ") && !text(ungraded).contains(", look "))
    let twice = try apply("plain", graded, "twice.\(kind)", in: folder)
    #expect(twice.exitCode == 0 && twice.standardError.contains("already has the \(look), so "), "\(twice)")
    let once = try apply("plain", ungraded, "once.\(kind)", in: folder)
    #expect(once.exitCode == 0 && !once.standardError.contains("already has"), "\(once)")
  }

  /// A camera's Adobe RGB without a profile: its EXIF says so.
  @Test func adobeRGBIsTakenFromTheEXIF() throws {
    let folder = try folder()
    try picture("plain.jpg", "yuvj444p", "-q:v", "2", in: folder)
    let image = try bytes("plain.jpg", in: folder)
    let exif = HandMade.exif(isBig: false).bytes.replacing(Array("R98".utf8), with: Array("R03".utf8))
    let segment = (number: 1, bytes: Array("Exif\0\0".utf8) + exif)
    _ = try folder.write(HandMade.jpeg(image, with: [segment]), to: "exif.jpg")
    _ = try folder.write(HandMade.jpeg(image, with: [HandMade.segment(profile: HandMade.profile())]), to: "icc.jpg")
    for name in ["exif", "icc"] {
      let outcome = try apply("plain", "\(name).jpg", "\(name).png", in: folder)
      #expect(outcome.exitCode == 0 && outcome.standardError.isEmpty, "\(outcome)")
    }
    #expect(try apply("plain", "plain.jpg", "plain.png", "--to", "display-p3", in: folder).exitCode == 0)
    let said = try pixels("exif.png", in: folder)
    // The profile's numbers have 16 bits behind the point.
    #expect(greatest(said, try pixels("icc.png", in: folder)) * 255 < 1.01)
    #expect(greatest(said, try pixels("plain.png", in: folder)) * 255 > 20)
  }

  /// Read by FFmpeg: what the camera said of the picture, and what the look makes of it.
  @Test(arguments: [("srgb", "1"), ("display-p3", "65535")])
  func otherProgramsReadTheEXIF(output: String, colorSpace: String) throws {
    let folder = try folder()
    try picture("plain.jpg", "yuvj444p", "-q:v", "2", in: folder)
    let segment = (number: 1, bytes: Array("Exif\0\0".utf8) + HandMade.exif(isBig: true).bytes)
    _ = try folder.write(HandMade.jpeg(try bytes("plain.jpg", in: folder), with: [segment]), to: "in.jpg")
    #expect(try apply("portra-400", "in.jpg", "out.jpg", "--to", output, in: folder).exitCode == 0)
    for (tag, value) in [
      ("Make", "Cam"), ("Model", "A model"), ("ExposureTime", "1:125"), ("DateTimeOriginal", "2026:01:02 03:04:05"),
      ("ColorSpace", colorSpace), ("CustomRendered", "1"),
    ] {
      let found = try probe("out.jpg", "frame_tags=\(tag)", in: folder).trimmingCharacters(in: .whitespaces)
      #expect(found == value, "\(tag)")
    }
    let software = try probe("out.jpg", "frame_tags=Software", in: folder)
    #expect(software.hasSuffix(", look portra-400, version 1, grain seed 1"), "\(software)")
  }

  /// Red, green and blue, adapted to D50 by Bradford's transform, as ICC publishes them for sRGB and Apple for
  /// Display P3.
  private static let primaries: [String: [[Double]]] = [
    "srgb": [[0.4361, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7141]],
    "display-p3": [[0.5151, 0.2412, -0.0011], [0.2920, 0.6922, 0.0419], [0.1571, 0.0666, 0.7841]],
  ]

  /// The profile of the result, read byte by byte (ICC.1:2022, 7.3 and 10.31).
  @Test(arguments: ["srgb", "display-p3"]) func profileHasThePrimariesOfItsColours(output: String) throws {
    let folder = try folder()
    try picture("in.png", "rgb24", in: folder)
    #expect(try apply("plain", "in.png", "out.jpg", "--to", output, in: folder).exitCode == 0)
    let file = try bytes("out.jpg", in: folder)
    let segment = try #require(file.firstRange(of: Array("ICC_PROFILE\0".utf8)))
    // Behind the name are the number of the part and of parts.
    let profile = Array(file[(segment.upperBound + 2)...])
    func number(_ place: Int) -> Int { profile[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    #expect(profile[12..<24].elementsEqual("mntrRGB XYZ ".utf8))
    let expected = try #require(Self.primaries[output])
    for (name, primary) in zip(["rXYZ", "gXYZ", "bXYZ"], expected) {
      let entries = (0..<number(128)).map { 132 + 12 * $0 }
      let entry = try #require(entries.first { profile[$0..<$0 + 4].elementsEqual(name.utf8) })
      let place = number(entry + 4)
      #expect(profile[place..<place + 4].elementsEqual("XYZ ".utf8))
      for (component, value) in primary.enumerated() {
        let found = Double(Int32(truncatingIfNeeded: number(place + 8 + 4 * component))) / 65536
        #expect(abs(found - value) < 0.0003, "\(name): \(found), not \(value)")
      }
    }
  }

  /// From format to format: what the camera says stays, and Software is the only text that changes.
  @Test(arguments: [false, true]) func exifGoesThroughATIFF(isBig: Bool) throws {
    let folder = try folder(), exif = HandMade.exif(isBig: isBig)
    let segment = (number: 1, bytes: Array("Exif\0\0".utf8) + exif.bytes)
    _ = try folder.write(HandMade.jpeg(HandMade.progressiveJPEG, with: [segment]), to: "in.jpg")
    for (input, output) in [("in.jpg", "a.tif"), ("a.tif", "b.jpg"), ("b.jpg", "c.tif")] {
      #expect(try apply("plain", input, output, in: folder).exitCode == 0)
    }
    for name in ["a.tif", "c.tif"] {
      var values = HandMade.values(inTIFF: try bytes(name, in: folder))
      let software = String(decoding: values.removeValue(forKey: 0x131) ?? [], as: UTF8.self)
      #expect(software.hasSuffix(", look plain, version 1, grain seed 1\0"), "\(software)")
      // Custom rendering: a number of 16 bits.
      #expect(values[0xA401] == (isBig ? [0, 1] : [1, 0]))
      // The interoperability index goes, because the colours are new ones.
      for (tag, value) in exif.values where tag != 0x131 && tag != 1 {
        #expect(values[tag] == value, "\(name): \(tag)")
      }
    }
  }

  @Test func longXMPIsKeptOrItsLossIsSaid() throws {
    let folder = try folder()
    try picture("plain.png", "rgb24", in: folder)
    var image = HandMade.PNG(reading: try bytes("plain.png", in: folder))
    image.append([HandMade.PNG.xmp(String(repeating: "x", count: 70_000))])
    _ = try folder.write(image.bytes, to: "in.png")
    let guess = "Note: 'in.png' has no colour profile; assuming sRGB\n"
    for output in ["a.png", "a.tif"] {
      #expect(try apply("plain", "in.png", output, in: folder).standardError == guess)
      #expect(try bytes(output, in: folder).count > 70_000)
    }
    let outcome = try apply("plain", "in.png", "a.jpg", in: folder)
    #expect(outcome.exitCode == 0)
    let sentence = "Note: the XMP of 'in.png' is left out, because it is longer than a JPEG holds (64 KiB)\n"
    #expect(outcome.standardError == guess + sentence)
    // A JPEG whose XMP goes on beyond its first segment.
    let start = (number: 1, bytes: Array("http://ns.adobe.com/xap/1.0/\0<x/>".utf8))
    let rest = [UInt8](repeating: 65, count: 90)
    let more = (number: 1, bytes: Array("http://ns.adobe.com/xmp/extension/\0".utf8) + rest)
    _ = try folder.write(HandMade.jpeg(HandMade.progressiveJPEG, with: [start, more]), to: "in.jpg")
    let extended = try apply("plain", "in.jpg", "b.jpg", in: folder)
    #expect(extended.exitCode == 0)
    #expect(
      extended.standardError == guess.replacing("in.png", with: "in.jpg")
        + "Note: a part of the XMP of 'in.jpg' is left out (extended XMP, beyond 64 KiB)\n")
    let text = String(decoding: try bytes("b.jpg", in: folder), as: UTF8.self)
    #expect(text.contains("<x/>") && !text.contains("xmp/extension"))
  }

  // MARK: Several

  /// Once for all that are small.
  @Test func grainOfAPixelIsSaid() throws {
    let folder = try folder()
    for name in ["a.png", "b.png"] { try picture(name, "rgb24", in: folder) }
    let words =
      "Note: in photographs with a shorter side below 3000 pixels, the grain's sigma is 1 pixel, the smallest\n"
    let outcome = try apply("portra-400", "a.png", "b.png", "--output", "out", in: folder)
    #expect(outcome.exitCode == 0 && outcome.standardError.components(separatedBy: words).count == 2, "\(outcome)")
    #expect(try !apply("plain", "a.png", "none.png", in: folder).standardError.contains("grain"))
    let text = try String(contentsOf: Self.looks.appending(path: "portra-400.yaml"), encoding: .utf8)
    try text.replacing("name: portra-400", with: "name: coarse").replacing("size: 1/3000", with: "size: 1/100")
      .write(to: folder.url.appending(path: "camrec/looks/coarse.yaml"), atomically: true, encoding: .utf8)
    #expect(try apply("coarse", "a.png", "small.png", in: folder).standardError.contains(" side below 100 pixels, "))
    try picture("large.png", "rgb24", size: "200x100", in: folder)
    #expect(try !apply("coarse", "large.png", "out.png", in: folder).standardError.contains("grain"))
  }

  @Test func severalPicturesGoIntoAFolder_andABadOneStopsNoOther() throws {
    let folder = try folder()
    for name in ["a.png", "b.png"] { try picture(name, "rgb24", in: folder) }
    _ = try folder.write(Array("no picture".utf8), to: "c.png")
    let outcome = try apply("portra-400", "a.png", "c.png", "b.png", "--output", "out", "--jobs", "2", in: folder)
    #expect(outcome.exitCode == 65)
    #expect(
      outcome.standardError.contains(
        "Error: 'c.png' is not a JPEG, PNG or TIFF file; convert it to one of them\n"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).sorted() == ["a.png", "b.png"])
    let again = try apply("portra-400", "a.png", "--output", "out", in: folder)
    #expect(again.exitCode == 74)
    #expect(again.standardError.contains("'out/a.png' exists already; choose another name or allow replacing it"))
    #expect(try apply("portra-400", "a.png", "--output", "out", "--overwrite", in: folder).exitCode == 0)
  }

  // MARK: Refusals

  @Test func wrongWordsAreRefused() throws {
    let folder = try folder()
    try picture("in.png", "rgb24", in: folder)
    for (arguments, status, sentence) in [
      (["portra-400", "in.png", "out.heic"], 64, "'out.heic' must end in .jpg, .png or .tif"),
      (["portra-400", "in.png", "in.png"], 64, "'in.png' is the photograph itself; choose another name"),
      (["portra-400", "in.png"], 64, "give a photograph and the file to write, or photographs and --output FOLDER"),
      (["portra-401", "in.png", "out.png"], 64, "there is no look 'portra-401'; did you mean portra-400?"),
      (["portra-400", "none.png", "out.png"], 65, "there is no photograph 'none.png'"),
      (["portra-400", ".", "out.png"], 65, "'.' is a folder; name a photograph in it"),
      (["portra-400", "in.png", "out.png", "--ev", "11"], 64, "the exposure is -10 to 10 EV"),
      (["portra-400", "in.png", "out.png", "--quality", "0"], 64, "the quality is 1 to 100"),
      (["portra-400", "in.png", "out.png", "--jobs", "2"], 64, "--jobs is for several photographs, with --output"),
      (
        ["portra-400", "in.png", "--output", "out.png"], 64,
        "--output is a folder; to name the file to write, leave out --output"
      ),
      (["portra-400", "in.png", "./in.png", "--output", "out"], 64, "would both become 'out/in.png'; use two folders"),
      (["portra-400", "in.png", "none/out.png"], 74, "none/out.png' cannot be written"),
    ] {
      let outcome = try CamrecBinary.find().run(
        ["look", "apply"] + arguments, in: folder.url,
        environment: ["XDG_CONFIG_HOME": folder.url.path, "CAMREC_PROGRESS": "none"], timeout: 300)
      #expect(outcome.exitCode == status && outcome.standardError.contains(sentence), "\(outcome.standardError)")
    }
    #expect(try folder.names == ["camrec", "in.png"])
  }

  private func bytes(_ name: String, in folder: TemporaryFolder) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.url.appending(path: name)))
  }

  /// Each with one sentence and the status of a file that is not the expected one; nothing is left.
  @Test func picturesThatCannotBeRead() throws {
    let folder = try folder()
    try picture("whole.png", "rgb24", in: folder)
    let png = try bytes("whole.png", in: folder), jpeg = HandMade.progressiveJPEG, tiff = HandMade.TIFF().bytes
    try FileManager.default.removeItem(atPath: folder.path("whole.png"))
    var animated = HandMade.PNG(reading: png), spoiled = png
    animated.insert([("acTL", [0, 0, 0, 1, 0, 0, 0, 0])])
    spoiled[png.count / 2] ^= 0x55
    func tagged(_ profile: [UInt8]) -> [UInt8] { HandMade.jpeg(jpeg, with: [HandMade.segment(profile: profile)]) }
    let damaged = "is damaged or cut off; take it from a copy", profile = "the colour profile of 'in' "
    let broken = "\(profile)is broken; assign another one, such as sRGB's, in an editor"
    let cases: [([UInt8], String)] = [
      (HandMade.cmykJPEG, "'in' has the colours of a printer (CMYK); convert it to RGB"),
      (animated.bytes, "'in' is animated; save one of its pictures by itself"),
      (HandMade.TIFF(samples: 4).bytes, "'in' has transparency, which a look does not keep; save it without"),
      (Array(jpeg.prefix(jpeg.count - 60)), "'in' \(damaged)"), (Array(jpeg.prefix(100)), "'in' \(damaged)"),
      (Array(png.prefix(png.count - 20)), "'in' \(damaged)"), (spoiled, "'in' \(damaged)"),
      (Array(tiff.prefix(tiff.count - 30)), "'in' \(damaged)"),
      (HandMade.resized(jpeg, width: 20_000, height: 20_000), "'in' is a progressive JPEG of over 1 GiB"),
      (tagged([1, 2, 3]), broken), (tagged(Array(HandMade.profile().prefix(200))), broken),
      (tagged(HandMade.profile(kind: "link")), broken),
      (tagged(HandMade.profile(hasTable: true)), "\(profile)is a table, and camrec reads those with primaries"),
      (tagged(HandMade.profile(space: "CMYK")), "\(profile)is for colours other than the picture's; convert"),
    ]
    for (image, sentence) in cases {
      _ = try folder.write(image, to: "in")
      let outcome = try apply("plain", "in", "out.png", in: folder)
      let lines = outcome.standardError.split(separator: "\n")
      #expect(outcome.exitCode == 65 && lines.count == 1, "\(outcome)")
      #expect(lines.first?.hasPrefix("Error: \(sentence)") == true, "\(outcome)")
      #expect(try folder.names == ["camrec", "in"])
    }
  }

  /// By its head, which asks for 972 MB: such a picture takes no memory.
  @Test func aPictureWithoutEnoughMemoryIsRefused() throws {
    let folder = try folder(), side = HandMade.big(18_000, 4)
    var image = HandMade.PNG(reading: [])
    image.chunks = [("IHDR", side + side + [8, 2, 0, 0, 1]), ("IDAT", [0]), ("IEND", [])]
    _ = try folder.write(image.bytes, to: "in.png")
    let shell = CamrecBinary(url: URL(fileURLWithPath: "/bin/sh")), program = try CamrecBinary.find().url.path
    let outcome = try shell.run(
      ["-c", "ulimit -v 900000; exec '\(program)' look apply plain in.png out.png"], in: folder.url,
      environment: ["XDG_CONFIG_HOME": folder.url.path, "CAMREC_PROGRESS": "none"], timeout: 300)
    let sentence =
      "Error: there is not enough memory for 'in.png'; free some, or save it in the plain form (not interlaced, not "
      + "progressive, without tiles)\n"
    #expect(outcome.exitCode == 65 && outcome.standardError == sentence, "\(outcome)")
    #expect(try folder.names == ["camrec", "in.png"])
  }

  /// Depth and grey, from a PNG and from a TIFF of the same picture.
  @Test(arguments: [
    ("rgb24", "rgb24", "rgb24"), ("rgb48be", "rgb48le", "rgb48be"), ("gray", "gray", "rgb24"),
    ("gray16be", "gray16le", "rgb48be"),
  ]) func aTIFFAndAPNGOfAPictureBecomeTheSame(png: String, tiff: String, result: String) throws {
    let folder = try folder()
    try picture("in.png", png, in: folder)
    try Tool.run(["ffmpeg", "-v", "error", "-i", folder.path("in.png"), "-pix_fmt", tiff, folder.path("in.tif")])
    for (input, output) in [("in.png", "a.png"), ("in.tif", "b.png")] {
      #expect(try apply("portra-400", input, output, in: folder).exitCode == 0)
      #expect(try probe(output, "stream=pix_fmt", in: folder) == result)
    }
    #expect(try pixels("a.png", in: folder) == pixels("b.png", in: folder))
  }

  /// The second of three pictures is held when its file has just been made: what is written stays, and nothing else.
  @Test(arguments: [SIGINT, SIGTERM]) func aStopLeavesNoPartOfAPicture(signal: Int32) throws {
    let folder = try folder()
    for name in ["a.png", "b.png", "c.png"] { try picture(name, "rgb24", in: folder) }
    let gate = try FileGate(path: folder.path("gate"), call: .mode, ofFile: "/out/.b.png")
    let environment = try gate.environment().merging(["XDG_CONFIG_HOME": folder.url.path]) { $1 }
    let running = try CamrecBinary.find().start(
      ["look", "apply", "portra-400", "a.png", "b.png", "c.png", "--output", "out", "--jobs", "1"], in: folder.url,
      environment: environment)
    try gate.awaitSomebody()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).count == 2)
    running.send(signal: signal)
    running.awaitRest()
    gate.open()
    let outcome = running.wait(timeout: 300)
    #expect(outcome.exitCode == 130 && !outcome.endedBySignal && !outcome.timedOut, "\(outcome)")
    let sentence = "Error: stopped before the end: 1 of 3 photographs is written\n"
    #expect(outcome.standardError.hasSuffix(sentence), "\(outcome)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("out")) == ["a.png"])
  }

  /// Some cameras write such photographs, too.
  @Test func aJPEGThatMayBeDamagedIsSaid() throws {
    let folder = try folder(), image = HandMade.progressiveJPEG
    let junk = (1...48).map { UInt8($0) }
    _ = try folder.write(Array(image.dropLast(2)) + junk + Array(image.suffix(2)), to: "in.jpg")
    let outcome = try apply("plain", "in.jpg", "out.png", in: folder)
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(
      outcome.standardError.hasSuffix(
        "Note: 'in.jpg' may be damaged: some of its data belongs to no pixel; look at 'out.png', and if it is damaged, "
          + "use a copy of the photograph\n"), "\(outcome)")
  }

  /// A picture that ends in the middle leaves nothing behind, and keeps what was there.
  @Test func aPictureThatIsCutOffLeavesNothing() throws {
    let folder = try folder()
    try picture("whole.png", "rgb24", size: "640x360", in: folder)
    let bytes = Array(try Data(contentsOf: folder.url.appending(path: "whole.png")))
    _ = try folder.write(bytes.prefix(bytes.count * 3 / 4), to: "in.png")
    _ = try folder.write(Array("old".utf8), to: "out.jpg")
    let outcome = try apply("portra-400", "in.png", "out.jpg", "--overwrite", in: folder)
    #expect(outcome.exitCode == 65)
    #expect(outcome.standardError.contains("Error: 'in.png' is damaged or cut off; take it from a copy"))
    #expect(try folder.names == ["camrec", "in.png", "out.jpg", "whole.png"])
    #expect(try Data(contentsOf: folder.url.appending(path: "out.jpg")) == Data("old".utf8))
  }
}
