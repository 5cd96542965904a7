import Frames
import MovieBoxes

extension FilmCheck {
  /// Checks codec, colour, size and matrix of a picture track.
  mutating func checkDescription(ofPicture track: TrackAtoms) {
    if let description = track.descriptions.first, case .picture(let picture) = description.kind {
      checkCodec(description, picture)
      checkColor(track, description, picture)
      checkSize(track, description, picture)
    }
    if track.descriptions.count > 1, let atom = track.atoms[.descriptions] {
      note(
        .warning, atom, "the track has \(track.descriptions.count) descriptions",
        breaks: "many players decode all of it with the first one", remedy: Remedy.constantRate)
    }
    checkMatrix(track)
  }

  private static let tags: [String: (right: String, name: String)] = [
    "hev1": ("hvc1", "HEVC"), "avc3": ("avc1", "H.264"), "dvhe": ("dvh1", "Dolby Vision"),
  ]
  /// Codecs with an atom of their own for what the decoder needs to know.
  private static let configured: Set<String> = ["hvc1", "hev1", "avc1", "avc3", "av01", "vvc1"]
  /// Codecs in which every frame is a key frame.
  private static let intra: Set<String> = [
    "apch", "apcn", "apcs", "apco", "ap4h", "ap4x", "jpeg", "mjpa", "mjpb", "AVdn", "AVdh", "2vuy", "v210", "yuv2",
    "CFHD",
  ]

  private mutating func checkCodec(_ description: SampleDescription, _ picture: SampleDescription.Picture) {
    let format = "\(description.format)"
    if let (right, name) = FilmCheck.tags[format] {
      note(
        .error, description.atom, "\(name) is tagged \(format), which allows parameters within the frames",
        breaks: "QuickTime, Final Cut Pro and iPhones do not play it: they need \(right)", remedy: Remedy.tag(right))
    }
    if FilmCheck.configured.contains(format), !picture.hasConfiguration {
      note(
        .error, description.atom, "has no decoder configuration (hvcC, avcC, av1C)",
        breaks: "players cannot decode the first frame", remedy: Remedy.copyWhole)
    }
  }

  // MARK: Colour

  /// Numbers of H.273 that mean the same: the matrix of BT.601 in its two systems, and one curve in four standards.
  private static let sameMatrix: Set<Int> = [5, 6], sameTransfer: Set<Int> = [1, 6, 14, 15]

  private static func differ(_ said: UInt16, _ coded: Int, same: Set<Int>) -> Bool {
    let said = Int(said)
    // 0 and 2 say nothing.
    guard ![0, 2].contains(said), ![0, 2].contains(coded), said != coded else { return false }
    return !(same.contains(said) && same.contains(coded))
  }

  private mutating func checkColor(
    _ track: TrackAtoms, _ description: SampleDescription, _ picture: SampleDescription.Picture
  ) {
    // JPEG has no such numbers, and its decoder makes some up; with R'G'B' they mean something else.
    let stored = stream(track).flatMap { $0.codec == "mjpeg" || $0.isRGB ? nil : $0.color }
    guard let color = picture.color, let atom = picture.colorAtom else {
      // A damaged one has been reported.
      guard !description.atoms.contains(where: { $0.type == BoxType("colr") }) else { return }
      let numbers = stored.map { "\($0.primaries)-\($0.transfer)-\($0.matrix)" } ?? "nothing"
      missing(
        .warning, "colr", in: description.atom,
        breaks:
          "Apple's players guess the colours from the size; the coded frames say \(numbers) (ITU-T H.273)",
        remedy: "ffmpeg -i FILE -map 0 -map -0:d -c copy -movflags write_colr NEW.mov, with "
          + "-color_primaries, -color_trc and -colorspace if the frames do not say them")
      return
    }
    guard color.hasNumbers else {
      note(.note, atom, "is a profile (\(color.kind)), which was not compared")
      return
    }
    if color.kind == BoxType("nclx"), film.isQuickTime {
      note(.note, atom, "is ISO's nclx in a QuickTime film, where nclc belongs")
    }
    let unsaid = [("primaries", color.primaries), ("transfer", color.transfer), ("matrix", color.matrix)].filter {
      $0.1 == 2
    }.map { $0.0 }
    if !unsaid.isEmpty {
      note(
        .warning, atom, "does not say \(unsaid.joined(separator: " and ")) (\(FilmCheck.text(color)))",
        breaks: "players guess, each in its own way",
        remedy: FilmCheck.remedy(for: unsaid, in: color, stored == nil ? nil : stream(track)))
    }
    guard let stored else { return }
    let pairs: [(String, UInt16, Int, Set<Int>, String)] = [
      ("primaries", color.primaries, stored.primaries, [], "colour_primaries"),
      ("transfer", color.transfer, stored.transfer, FilmCheck.sameTransfer, "transfer_characteristics"),
      ("matrix", color.matrix, stored.matrix, FilmCheck.sameMatrix, "matrix_coefficients"),
    ]
    for (name, said, coded, same, option) in pairs where FilmCheck.differ(said, coded, same: same) {
      note(
        .error, atom, "says \(name) \(said), but the coded frames say \(coded) (ITU-T H.273)",
        breaks: "Apple's players follow the atom, FFmpeg and browsers the frames: the colours differ",
        remedy: "if the atom is right, for HEVC: ffmpeg -i FILE -map 0 -map -0:d -c copy -tag:v hvc1 "
          + "-bsf:v hevc_metadata=\(option)=\(said) NEW.mov; if the frames are right: -movflags write_colr")
    }
    if let said = color.isFullRange, let coded = stored.isFullRange, said != coded {
      note(
        .error, atom,
        "says \(said ? "full" : "limited") range, but the coded frames say \(coded ? "full" : "limited")",
        breaks: "black and white are raised in one player and clipped in another",
        remedy: "if the atom is right, for HEVC: ffmpeg -i FILE -map 0 -map -0:d -c copy -tag:v hvc1 "
          + "-bsf:v hevc_metadata=video_full_range_flag=\(said ? 1 : 0) NEW.mov")
    }
    if color.isFullRange == nil, stored.isFullRange == true {
      note(
        .warning, atom, "cannot say full range, but the coded frames have it",
        breaks: "editors assume limited range, and the picture has too much contrast",
        remedy: "camrec bake FILE --output NEW.mov makes a film in limited range")
    }
  }

  /// A camera's film in log says nothing because there are no numbers for it; only a film for viewing has them. A
  /// ProRes film in sRGB may say nothing because its frames have no number for that.
  ///
  /// - Parameter stream: `nil` if nothing is known of what its frames say.
  private static func remedy(
    for unsaid: [String], in color: SampleDescription.Color, _ stream: StreamFacts?
  ) -> String {
    let copy = "ffmpeg -i FILE -map 0 -map -0:d -c copy -movflags write_colr"
    switch unsaid {
    case ["transfer"]:
      let usual = usualTransfer(ofPrimaries: color.primaries)
      let filter = frameFilter(primaries: nil, transfer: usual.transfer, in: stream)
      var sRGB = ""
      if usual.transfer == "bt709" {
        sRGB = "; if it is sRGB: the same with -color_trc iec61966-2-1"
        if !filter.isEmpty {
          sRGB += stream?.codec == "hevc" ? " and transfer_characteristics=13" : " and without -bsf:v"
        }
      }
      return "camrec info FILE shows its colours from the sidecar; if the film is in log, set its curve, which has no"
        + " number, in the editor; if the film is \(usual.film): \(copy) -color_trc \(usual.transfer)\(filter) NEW.mov"
        + sRGB
    case ["primaries", "transfer"]:
      let usual = usualColors(ofMatrix: color.matrix)
      return "a log curve and its maker's primaries have no numbers: set them in the editor (camrec info FILE shows"
        + " them from the sidecar); if the film is \(usual.film): \(copy) -color_primaries \(usual.primaries)"
        + " -color_trc \(usual.transfer)"
        + frameFilter(primaries: usual.primaries, transfer: usual.transfer, in: stream) + " NEW.mov"
    default: return copy + " -color_primaries … -color_trc … -colorspace … NEW.mov"
    }
  }

  /// Lets the frames say the same: FFmpeg's players follow those of HEVC and ProRes, even if they say nothing.
  ///
  /// ProRes has no number for the transfer functions of Rec. 2020 and sRGB.
  private static func frameFilter(primaries: String?, transfer: String, in stream: StreamFacts?) -> String {
    guard let stream, let stored = stream.color else { return "" }
    let primaries = stored.primaries == 2 ? primaries.flatMap { numbers[$0] } : nil
    let transfer = stored.transfer == 2 ? numbers[transfer] : nil
    let name: String
    let options: [String?]
    switch stream.codec {
    case "hevc":
      name = "hevc_metadata"
      options = [
        primaries.map { "colour_primaries=\($0)" }, transfer.map { "transfer_characteristics=\($0)" },
      ]
    case "prores":
      name = "prores_metadata"
      options = [primaries.map { "color_primaries=\($0)" }, transfer == 1 ? "color_trc=1" : nil]
    default: return ""
    }
    let said = options.compactMap(\.self).joined(separator: ":")
    return said.isEmpty ? "" : " -bsf:v \(name)=\(said)"
  }

  /// In ITU-T H.273, of what FFmpeg calls so.
  private static let numbers = [
    "bt709": 1, "bt470bg": 5, "smpte170m": 6, "bt2020": 9, "iec61966-2-1": 13, "bt2020-10": 14,
  ]

  /// What a film with these primaries is called if it is for viewing, and its transfer by FFmpeg's name.
  private static func usualTransfer(ofPrimaries primaries: UInt16) -> (film: String, transfer: String) {
    switch primaries {
    case 9: ("Rec. 2020", "bt2020-10")
    case 12: ("Display P3", "iec61966-2-1")
    default: ("Rec. 709", "bt709")
    }
  }

  /// The same for a film with this matrix, and its primaries.
  private static func usualColors(ofMatrix matrix: UInt16) -> (film: String, primaries: String, transfer: String) {
    switch matrix {
    case 9: ("Rec. 2020", "bt2020", "bt2020-10")
    case 5: ("Rec. 601 of 50 Hz", "bt470bg", "bt709")
    case 6: ("Rec. 601", "smpte170m", "bt709")
    default: ("Rec. 709", "bt709", "bt709")
    }
  }

  /// FFmpeg puts what frames of HEVC or ProRes say in place of what `colr` says, even if they say nothing.
  mutating func tellOfColor(_ track: TrackAtoms) {
    guard let stream = stream(track), ["hevc", "prores"].contains(stream.codec), let stored = stream.color,
      let description = track.descriptions.first, case .picture(let picture) = description.kind,
      let color = picture.color
    else { return }
    let tags: [(String, UInt16, Int)] = [
      ("-color_primaries", color.primaries, stored.primaries), ("-color_trc", color.transfer, stored.transfer),
      ("-colorspace", color.matrix, stored.matrix),
    ]
    let options = tags.filter { $0.2 == 2 && ![0, 2].contains($0.1) }.map { "\($0.0) \($0.1)" }
    guard !options.isEmpty else { return }
    addToRemedies { remedy in
      "; FFmpeg leaves out what colr says and the frames do not: add "
        + (remedy.contains("-movflags write_colr") ? "" : "-movflags write_colr ") + options.joined(separator: " ")
    }
  }

  static func text(_ color: SampleDescription.Color) -> String {
    "\(color.primaries)-\(color.transfer)-\(color.matrix)"
  }

  // MARK: Geometry

  private mutating func checkSize(
    _ track: TrackAtoms, _ description: SampleDescription, _ picture: SampleDescription.Picture
  ) {
    if picture.width == 0 || picture.height == 0 {
      note(
        .error, description.atom, "has a size of \(picture.width)×\(picture.height)", breaks: "nothing is shown",
        remedy: Remedy.newHeader)
    }
    if let aspect = picture.pixelAspect, aspect.width == 0 || aspect.height == 0 {
      note(
        .warning, description.atom, "its pixels are \(aspect.width) by \(aspect.height)",
        breaks: "players that divide by it show nothing", remedy: Remedy.newHeader)
    }
    if let stream = stream(track), let width = stream.width, let height = stream.height,
      width != Int(picture.width) || height != Int(picture.height)
    {
      note(
        .error, description.atom,
        "says \(picture.width)×\(picture.height), but the coded frames have \(width)×\(height)",
        breaks: "players crop the picture, or scale it", remedy: Remedy.newHeader)
    }
    // Several kinds of apertures say how it is cropped.
    guard let shown = track.shownSize, let header = track.atoms[.trackHeader], track.atoms[BoxType("tapt")] == nil,
      !description.atoms.contains(where: { $0.type == BoxType("clap") })
    else { return }
    let size = (Double(shown.width) / 65536, Double(shown.height) / 65536)
    let aspect = picture.pixelAspect.flatMap { $0.height > 0 ? Double($0.width) / Double($0.height) : nil } ?? 1
    func isShown(_ width: Double) -> Bool { abs(size.0 - width) < 1 && abs(size.1 - Double(picture.height)) < 1 }
    guard !isShown(Double(picture.width) * aspect), !isShown(Double(picture.width)) else { return }
    note(
      .warning, header,
      "is shown at \(FilmCheck.rounded(size.0, 2))×\(FilmCheck.rounded(size.1, 2)), but coded at "
        + "\(picture.width)×\(picture.height)"
        + (aspect == 1 ? "" : " with pixels \(FilmCheck.rounded(aspect, 4)) wide"),
      breaks: "QuickTime scales it, others do not", remedy: Remedy.newHeader)
  }

  /// How many quarter turns clockwise a matrix makes; `nil` if it mirrors, scales or shears.
  static func quarters(_ matrix: [Int32]) -> Int? {
    let one: Int32 = 1 << 16
    guard matrix.count == 9, matrix[2] == 0, matrix[5] == 0, matrix[8] == 1 << 30 else { return nil }
    return [[one, 0, 0, one], [0, one, -one, 0], [-one, 0, 0, -one], [0, -one, one, 0]].firstIndex {
      $0 == [matrix[0], matrix[1], matrix[3], matrix[4]]
    }
  }

  private mutating func checkMatrix(_ track: TrackAtoms) {
    guard let matrix = track.matrix, let header = track.atoms[.trackHeader], let size = track.shownSize else { return }
    guard let quarters = FilmCheck.quarters(matrix) else {
      let numbers = matrix.enumerated().map { Double($0.element) / ($0.offset % 3 == 2 ? 1_073_741_824 : 65536) }
      note(
        .warning, header,
        "its matrix is not a rotation by quarter turns: "
          + numbers.map { "\(FilmCheck.rounded($0, 4))" }.joined(separator: " "),
        breaks: "QuickTime mirrors, scales or shears the picture; most others show it as it is coded",
        remedy: Remedy.newMatrix)
      return
    }
    // A rotation about the corner takes the picture out of view: it is moved back by exactly its own size.
    let (width, height) = (Int64(size.width), Int64(size.height))
    let back = [(0, 0), (height, 0), (width, height), (0, width)][quarters]
    let moved = (Int64(matrix[6]), Int64(matrix[7]))
    guard moved != back else { return }
    func pixels(_ place: (Int64, Int64)) -> String {
      "\(FilmCheck.rounded(Double(place.0) / 65536, 4)), \(FilmCheck.rounded(Double(place.1) / 65536, 4))"
    }
    note(
      .warning, header,
      "rotates the picture by \(quarters * 90)° and moves it by \(pixels(moved)) instead of \(pixels(back))",
      breaks: "players that follow the matrix exactly show the picture outside its window", remedy: Remedy.newMatrix)
  }

  // MARK: Time

  /// Checks that every frame lasts as long as the others, at a rate that editors have.
  mutating func checkRate(_ track: TrackAtoms) {
    guard let atom = track.atoms[.times], let scale = track.timescale, scale > 0, let times = track.times,
      times.usual > 0, track.sampleCount > 1
    else { return }
    let frame = frameTicks(track) ?? times.usual
    let isVariable = times.unusual > 0 || frame != times.usual
    // Where frames last variously, the last one may, too.
    let end = isVariable && !hasGaps(track) ? nil : longEnd(track, frame: frame)
    if isVariable {
      let isRounded = frame == times.usual && times.longest - times.shortest <= 1
      let range = times.shortest == times.longest ? "" : "\(times.shortest) to "
      note(
        .warning, atom,
        "the durations of \(times.count(unlike: frame)) of \(track.sampleCount) frames differ from "
          + "\(frame)/\(scale) s (they are \(range)\(times.longest) ticks)"
          + (end == nil ? "" : ", not counting the last"),
        breaks: isRounded
          ? "the track's \(scale) ticks a second are too coarse for its rate: editors treat it as variable"
          : "the rate is variable: editors shift audio against picture, or conform it",
        remedy: hasGaps(track) ? Remedy.filledGaps : Remedy.constantRate)
    }
    // Behind the one above: goldens compare findings of one atom in their order.
    if let end {
      note(
        .warning, atom,
        "the last frame is shown for \(end.ticks) ticks, as \(end.missing + 1) frames of \(frame)/\(scale) s would be: "
          + "frames are missing behind it",
        breaks: "the rate is variable: editors shift audio against picture, or conform it",
        remedy: Remedy.filledEnd(
          rate: Rational(Int64(scale), Int64(frame)), missing: end.missing, total: end.total))
    }
    guard !isVariable else { return }
    guard let rate = FrameRate(Rational(Int64(scale), Int64(times.usual))) else {
      note(
        .warning, atom, "the rate is \(Double(scale) / Double(times.usual)) fps, more than any editor accepts",
        breaks: "editors refuse it", remedy: Remedy.constantRate)
      return
    }
    guard let exact = FilmCheck.nearRate(rate) else { return }
    note(
      .error, atom,
      "the rate is \(rate) (\(FilmCheck.rounded(rate.framesPerSecond, 5)) fps), close to \(exact) but not equal",
      breaks: "editors refuse the film, or drop a frame every so often",
      remedy: "encode it again: ffmpeg -i FILE -fps_mode cfr -r \(exact) NEW.mov")
  }

  /// How many ticks the last frame is shown for, if that is two frames or more: some are missing behind it. A film may
  /// end in the middle of a frame.
  ///
  /// - Returns: with them, how many frames are missing behind it, and how many the film has with all that are missing.
  private func longEnd(_ track: TrackAtoms, frame: UInt32) -> (ticks: Int, missing: Int, total: Int)? {
    guard let times = track.times, times.isLastKnown, let scale = track.timescale else { return nil }
    var before = Double(times.ticks) - Double(times.last), last = Double(times.last)
    let edits = track.edits.drop(while: \.isEmpty)
    if let edit = edits.first {
      guard edits.count == 1 else { return nil }
      before -= max(0, Double(edit.time) - Double(times.earliest))
      if edit.duration > 0, let movieScale = film.timescale, let shown = shown(track) {
        let hidden = (before + last - (shown.end - shown.start) * Double(scale)).rounded()
        // The duration of an edit is rounded to the movie's ticks.
        if hidden * Double(movieScale) > Double(scale) { last -= hidden }
      }
    }
    guard let ticks = Int(exactly: last), ticks >= 2 * Int(frame),
      let frames = UInt32(exactly: (before / Double(frame)).rounded())
    else { return nil }
    // What ends in the middle of a frame does not count as one.
    let missing = (ticks - Int(frame) / 2 - 1) / Int(frame)
    return (ticks, missing, Int(frames) + 1 + missing)
  }

  /// The television rate that a rate misses only by rounding.
  static func nearRate(_ rate: FrameRate) -> FrameRate? {
    let television = [24, 30, 48, 60, 120].map { Rational($0 * 1000, 1001) }
    let exact = television + [24, 25, 30, 48, 50, 60, 100, 120].map { Rational($0) }
    return exact.compactMap(FrameRate.init).first { $0 != rate && abs(rate.partsPerMillion(from: $0)) < 200 }
  }

  /// Checks when the first frame is shown, and whether it can be decoded.
  mutating func checkFirstPicture(_ track: TrackAtoms) {
    guard let format = track.descriptions.first.map({ "\($0.format)" }), let times = track.times else { return }
    if track.syncs == nil, !FilmCheck.intra.contains(format), !track.offsets.isEmpty {
      missing(
        .error, "mdia/minf/stbl/stss", in: track.atom,
        breaks: "players take every frame for a key frame: jumping shows garbage",
        remedy: Remedy.newHeader)
    }
    if let first = track.syncs?.first, first > 1, let atom = track.atoms[.syncs] {
      note(
        .error, atom, "the first key frame is frame \(first)", breaks: "the film begins with garbage, or black",
        remedy: Remedy.newHeader)
    }
    if let edit = track.edits.first(where: { !$0.isEmpty }), let atom = track.atoms[.editList],
      edit.time < times.earliest
    {
      note(
        .warning, atom, "begins at tick \(edit.time), but the first frame is shown at \(times.earliest)",
        breaks: "the picture begins late, or the first frame stays longer", remedy: Remedy.newHeader)
    }
    if track.edits.isEmpty, times.earliest != 0, let atom = track.atoms[.offsets] {
      note(
        .warning, atom, "the first frame is shown \(times.earliest) ticks late, and no edit list corrects that",
        breaks: "audio and picture are that far apart in Apple's players", remedy: Remedy.newHeader)
    }
  }
}
