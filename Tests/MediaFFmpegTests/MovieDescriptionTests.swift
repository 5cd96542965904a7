import Audio
import Foundation
import Frames
import MediaFFmpeg
import Movies
import TestKit
import Testing

/// What the file says of its pictures besides their samples.
struct MovieDescriptionTests {
  /// Records and returns the finished movie and a copy of it in fragments.
  private func files(_ settings: MovieSettings, _ directory: MovieDirectory) throws -> [String] {
    let killed = directory.path("killed.mov")
    let writer = try MovieWriter.open(settings)
    _ = try MovieTake(settings, frames: 40).record(to: writer) { number in
      writer.settle()
      if number == 39 { try FileManager.default.copyItem(atPath: settings.path, toPath: killed) }
    }
    return [settings.path, killed]
  }

  @Test func hevcIsTaggedForApplesPlayers() throws {
    let directory = try MovieDirectory()
    for path in try files(MovieTake.settings(directory.path("take.mov")), directory) {
      let video = try MovieProbe(path).video
      #expect(video["codec_tag_string"] as? String == "hvc1")
      #expect(video["profile"] as? String == "Main")
      #expect(video["field_order"] as? String == "progressive")
      #expect(try FilmBoxes(path).all("moov/trak/mdia/minf/stbl/stsd/hvc1/hvcC").count == 1)
    }
  }

  /// The matrix of QuickTime's track header: exact 0 and ±1, and a translation back into view.
  @Test(
    arguments: [
      (Rotation.none, [1, 0, 0, 1, 0, 0], nil), (.quarter, [0, 1, -1, 0, 128, 0], -90),
      (.half, [-1, 0, 0, -1, 192, 128], -180), (.threeQuarters, [0, -1, 1, 0, 0, 192], 90),
    ] as [(Rotation, [Int32], Int?)])
  func rotationIsAnExactDisplayMatrix(rotation: Rotation, matrix: [Int32], shown: Int?) throws {
    let directory = try MovieDirectory()
    for path in try files(MovieTake.settings(directory.path("take.mov"), rotation: rotation), directory) {
      let header = try #require(try FilmBoxes(path).all("moov/trak/tkhd").first)
      let numbers = (0..<9).map { Int32(truncatingIfNeeded: FilmBoxes.number(header, 40 + 4 * $0, 4)) }
      let one: Int32 = 1 << 16
      #expect(
        numbers == [
          matrix[0] * one, matrix[1] * one, 0, matrix[2] * one, matrix[3] * one, 0, matrix[4] * one, matrix[5] * one,
          1 << 30,
        ])
      let sides = try MovieProbe(path).video["side_data_list"] as? [[String: Any]] ?? []
      #expect(sides.lazy.compactMap { $0["rotation"] as? Int }.first == shown)
    }
  }

  @Test(
    arguments: [
      (VideoCodec.hevc, Container.mov), (.prores, .mov), (.ffv1, .mov), (.hevc, .mkv), (.ffv1, .mkv),
    ] as [(VideoCodec, Container)])
  func pixelsKeepTheirShape(codec: VideoCodec, container: Container) throws {
    let directory = try MovieDirectory()
    let layout = codec == .prores ? PixelLayout.yuv422p10 : .yuv420p
    for isLive in [true, false] {
      var settings = MovieTake.settings(
        directory.path("take-\(isLive).\(container.rawValue)"), container: container, layout: layout,
        encoding: VideoEncoding(codec: codec), isLive: isLive)
      settings.pixelAspect = Rational(4, 3)
      try MovieTake(settings, frames: 12).record()
      #expect(try MovieProbe(settings.path).video["sample_aspect_ratio"] as? String == "4:3")
    }
  }

  /// A player that goes to a chapter shows its frame, not the one before it.
  @Test(arguments: [Container.mov, .mkv], [true, false])
  func aChapterBeginsWithItsFrame(container: Container, isLive: Bool) throws {
    let directory = try MovieDirectory(), marked = [1, 14, 20, 31]
    var settings = MovieTake.settings(
      directory.path("take.\(container.rawValue)"), container: container, isLive: isLive)
    if !isLive { settings.chapters = marked.count }
    let writer = try MovieWriter.open(settings)
    _ = try MovieTake(settings, frames: 40).record(to: writer) { number in
      if marked.contains(number) { writer.mark("\(number)", at: Double(number) / 24) }
    }
    let chapters = try MovieProbe(settings.path, ["-show_chapters"]).json["chapters"] as? [[String: Any]] ?? []
    let starts = chapters.compactMap { ($0["start_time"] as? String).flatMap(Double.init) }
    let probe = try MovieProbe(settings.path, ["-select_streams", "v:0", "-show_entries", "packet=pts_time"])
    let packets = probe.json["packets"] as? [[String: Any]] ?? []
    let times = packets.compactMap { ($0["pts_time"] as? String).flatMap(Double.init) }.sorted()
    try #require(starts.count == marked.count && times.count == 40)
    for (start, number) in zip(starts, marked) {
      #expect(abs(start - times[number]) < 2e-6, "frame \(number) and its chapter at \(start) s")
    }
  }

  /// Of a recording's markers nobody knows in advance how many they will be.
  @Test(arguments: [false, true]) func aMovHasRoomForSoManyChapters(isLive: Bool) throws {
    let directory = try MovieDirectory()
    for count in [255, 256] {
      var settings = MovieTake.settings(directory.path("\(count).mov"), isLive: isLive)
      if !isLive { settings.chapters = count }
      let writer = try MovieWriter.open(settings)
      let report = try MovieTake(settings, frames: 4).record(to: writer) { number in
        guard number == 1 else { return }
        for place in 0..<count { writer.mark("\(place)", at: Double(place) / 1e4) }
      }
      let warning = "'\(settings.path)' keeps the first 255 of 256 chapters: a .mov has no room for more"
      #expect(report.warnings == (count > 255 ? [warning] : []))
      let chapters = try MovieProbe(settings.path, ["-show_chapters"]).json["chapters"] as? [[String: Any]] ?? []
      #expect(chapters.count == 255)
    }
  }

  /// Two markers within one frame, as two commands in a row set them: FFmpeg finds a chapter for each.
  @Test(arguments: [Container.mov, .mkv]) func eachMarkerOfOneFrameIsAChapter(container: Container) throws {
    let directory = try MovieDirectory()
    let settings = MovieTake.settings(directory.path("take.\(container.rawValue)"), container: container)
    let writer = try MovieWriter.open(settings)
    _ = try MovieTake(settings, frames: 40).record(to: writer) { number in
      if number == 20 { for text in ["one", "two", "three"] { writer.mark(text, at: 0.75) } }
    }
    let chapters = try MovieProbe(settings.path, ["-show_chapters"]).json["chapters"] as? [[String: Any]] ?? []
    #expect(chapters.map { ($0["tags"] as? [String: String])?["title"] } == ["one", "two", "three"])
    for chapter in chapters {
      let start = Double(chapter["start_time"] as? String ?? "") ?? -1
      #expect(abs(start - 0.75) < 0.003, "\(chapter)")
    }
  }

  /// A player that follows the matrix shows the left column of the samples on top after a quarter turn clockwise.
  @Test func quarterTurnShowsTheBottomLeftCornerAtTheTopLeft() throws {
    let directory = try MovieDirectory()
    var settings = MovieTake.settings(
      directory.path("take.mov"), encoding: VideoEncoding(codec: .ffv1), rotation: .quarter)
    settings.isLive = false
    try MovieTake(settings, frames: 1).record()
    let stored = TestPicture.bytes(0, settings.format)
    let shown = try Tool.run([
      "ffmpeg", "-v", "error", "-i", settings.path, "-vf", "extractplanes=y", "-f", "rawvideo", "-",
    ])
    #expect(shown.count == 192 * 128)
    // Shown 128 wide: its first row runs up the samples' first column from the bottom.
    let firstRow = (0..<128).map { stored[(127 - $0) * 192] }
    #expect(shown.prefix(128).elementsEqual(firstRow))
  }

  struct ColorCase: Sendable {
    let color: ColorDescription
    let numbers: [UInt64]
    let codec: VideoCodec
    /// Those of the frames.
    let coded: [UInt64]
    init(_ color: ColorDescription, _ numbers: [UInt64], _ codec: VideoCodec = .hevc, coded: [UInt64]? = nil) {
      self.color = color
      self.numbers = numbers
      self.codec = codec
      self.coded = coded ?? numbers
    }
  }

  static let colors = [
    ColorCase(.rec709, [1, 1, 1]), ColorCase(.rec601, [6, 1, 6]), ColorCase(.rec2020, [9, 1, 9]),
    ColorCase(.appleLog, [9, 2, 9]),
    ColorCase(ColorDescription(matrix: .rec709, range: .full, transfer: .srgb, primaries: .rec709), [1, 13, 1]),
    ColorCase(ColorDescription(matrix: .rec2020, range: .limited, transfer: .pq, primaries: .rec2020), [9, 16, 9]),
    ColorCase(ColorDescription(matrix: .rec2020, range: .limited, transfer: .hlg, primaries: .rec2020), [9, 18, 9]),
    ColorCase(
      ColorDescription(matrix: .rec709, range: .limited, transfer: .rec709, primaries: .displayP3), [12, 1, 1]),
    ColorCase(ColorDescription(matrix: .rec601, range: .limited, transfer: .rec709, primaries: .bt470bg), [5, 1, 6]),
    ColorCase(
      ColorDescription(matrix: .rec709, range: .limited, transfer: .slog3, primaries: .sGamut3Cine), [2, 2, 1]),
    ColorCase(.rec709, [1, 1, 1], .prores), ColorCase(.appleLog, [9, 2, 9], .prores),
    // A ProRes frame has no number for sRGB's curve.
    ColorCase(
      ColorDescription(matrix: .rec709, range: .limited, transfer: .srgb, primaries: .rec709), [1, 13, 1], .prores,
      coded: [1, 2, 1]),
    ColorCase(
      ColorDescription(matrix: .rec709, range: .limited, transfer: .srgb, primaries: .displayP3), [12, 13, 1], .prores,
      coded: [12, 2, 1]),
    ColorCase(.rec2020, [9, 1, 9], .ffv1),
  ]

  @Test(arguments: colors)
  func containerAndBitstreamNameTheSameColor(example: ColorCase) throws {
    let directory = try MovieDirectory()
    let encoding = VideoEncoding(codec: example.codec)
    let layout = try MovieWriter.acceptedLayout(for: encoding, container: .mov, input: .nv12)
    let settings = MovieTake.settings(
      directory.path("take.mov"), layout: layout, color: example.color, encoding: encoding)
    let entry = ["hevc": "hvc1", "prores": "apch", "ffv1": "FFV1"][example.codec.rawValue] ?? ""
    for path in try files(settings, directory) {
      let box = try #require(try FilmBoxes(path).all("moov/trak/mdia/minf/stbl/stsd/\(entry)/colr").first)
      #expect(box.count == 10)
      #expect(String(decoding: box.prefix(4), as: UTF8.self) == "nclc")
      #expect((0..<3).map { FilmBoxes.number(box, 4 + 2 * $0, 2) } == example.numbers)
    }
    switch example.codec {
    case .hevc:
      let bare = directory.path("bare.hevc")
      try Tool.run(["ffmpeg", "-v", "error", "-i", settings.path, "-map", "0:v", "-c", "copy", "-f", "hevc", bare])
      let video = try MovieProbe(bare, ["-show_streams"]).video
      let names = ["color_primaries", "color_transfer", "color_space"].map { video[$0] as? String ?? "unknown" }
      #expect(
        names == zip([Self.primaries, Self.transfers, Self.matrices], example.coded).map { $0[$1] ?? "unknown" })
      #expect(video["color_range"] as? String == (example.color.range == .full ? "pc" : "tv"))
      #expect(video["avg_frame_rate"] as? String == "24/1" || video["r_frame_rate"] as? String == "24/1", "VUI timing")
    case .prores:
      // RDD 36, frame header: identifier, header size, version, encoder, size, flags, aspect, then the three.
      let data = try Data(contentsOf: URL(fileURLWithPath: settings.path))
      let start = try #require(data.range(of: Data("icpf".utf8))).upperBound
      #expect((14..<17).map { FilmBoxes.number(data, start + $0, 1) } == example.coded)
    case .ffv1: break
    }
  }

  private static let primaries: [UInt64: String] = [
    1: "bt709", 5: "bt470bg", 6: "smpte170m", 9: "bt2020", 12: "smpte432",
  ]
  private static let transfers: [UInt64: String] = [
    1: "bt709", 13: "iec61966-2-1", 16: "smpte2084", 18: "arib-std-b67",
  ]
  private static let matrices: [UInt64: String] = [1: "bt709", 6: "smpte170m", 9: "bt2020nc"]

  @Test func metadataSurvivesInFragmentsAndInTheEnd() throws {
    let directory = try MovieDirectory()
    let rate = try #require(FrameRate(Rational(24)))
    let entries = [
      MetadataEntry("camrec.version", "1.0.0"), MetadataEntry("camrec.lut.title", "Łog → 709 \"test\""),
      MetadataEntry("camrec.lut.sha256", String(repeating: "0a", count: 32)), MetadataEntry("title", "A take"),
      MetadataEntry("com.apple.quicktime.make", "ACME"),
    ]
    let settings = try MovieTake.settings(
      directory.path("take.mov"), audio: .standard, rotation: .quarter,
      timecode: Timecode(parsing: "01:00:00:00", rate: rate),
      metadata: entries)
    for path in try files(settings, directory) {
      let probe = try MovieProbe(path)
      for entry in entries { #expect(probe.formatTags[entry.key] == entry.value) }
      let created = try #require(probe.formatTags["creation_time"])
      #expect(created.hasPrefix("2026-11-21T10:00:00"))
      for type in ["video", "audio", "data"] {
        let tags = probe.stream(type)["tags"] as? [String: String] ?? [:]
        #expect(tags["creation_time"] == "2026-11-21T10:00:00.000000Z")
      }
      // Seconds since 1904.
      let header = try #require(try FilmBoxes(path).all("moov/mvhd").first)
      #expect(FilmBoxes.number(header, 4, 4) == 1_795_255_200 + 2_082_844_800)
    }
  }

  @Test func matroskaHasTheSameDescription() throws {
    let directory = try MovieDirectory()
    let rate = try #require(FrameRate(Rational(24000, 1001)))
    let settings = try MovieTake.settings(
      directory.path("take.mkv"), container: .mkv, color: .appleLog, rate: rate, audio: .standard,
      timecode: Timecode(parsing: "01:00:00:00", rate: rate), metadata: [MetadataEntry("camrec.version", "1.0.0")])
    let report = try MovieTake(settings, frames: 48).record()
    #expect(report.frames == 48)
    let probe = try MovieProbe(settings.path)
    #expect(probe.video["codec_name"] as? String == "hevc")
    #expect(probe.video["r_frame_rate"] as? String == "24000/1001")
    #expect(probe.video["avg_frame_rate"] as? String == "24000/1001")
    #expect(probe.video["color_primaries"] as? String == "bt2020")
    #expect(probe.video["color_space"] as? String == "bt2020nc")
    #expect(probe.video["color_range"] as? String == "tv")
    #expect(probe.audio["codec_name"] as? String == "pcm_s16le")
    #expect((probe.video["tags"] as? [String: String])?["TIMECODE"] == "01:00:00:00")
    #expect(probe.formatTags["CAMREC.VERSION"] == "1.0.0")
    #expect(probe.formatTags["creation_time"]?.hasPrefix("2026-11-21T10:00:00") == true)
  }

  @Test func rotationThatMatroskaDoesNotHoldIsAWarning() throws {
    let directory = try MovieDirectory()
    let settings = MovieTake.settings(directory.path("take.mkv"), container: .mkv, rotation: .half)
    let report = try MovieTake(settings, frames: 24).record()
    let sides = try MovieProbe(settings.path).video["side_data_list"] as? [[String: Any]] ?? []
    let rotation = sides.lazy.compactMap { $0["rotation"] as? Int }.first
    if rotation == nil {
      #expect(
        report.warnings == [
          "'\(settings.path)' does not store its rotation: this FFmpeg can write it only to .mov"
        ])
    } else {
      #expect(abs(rotation ?? 0) == 180)
      #expect(report.warnings == [])
    }
  }
}
