import Frames
import MovieBoxes

extension FilmCheck {
  /// Checks the timecode track: that the picture refers to it, and that it counts as the picture does (QuickTime File
  /// Format, "Timecode Media"; SMPTE ST 12-1).
  mutating func checkTimecode(_ pictures: [TrackAtoms]) {
    let labels = film.tracks.filter { $0.handler == .timecode }
    guard let picture = pictures.first else { return }
    guard !labels.isEmpty else {
      note(
        .note, picture.atom, "the film has no timecode track",
        breaks: "editors start it at 00:00:00:00, and cannot synchronise it with others by timecode")
      return
    }
    let known = Set(labels.compactMap(\.identifier))
    for picture in pictures {
      guard let list = picture.references[.timecode], !list.contains(where: known.contains) else { continue }
      note(
        .error, picture.atom, "refers to track \(list.first ?? 0) for its timecode, which has none",
        breaks: "editors show no timecode", remedy: Remedy.newHeader)
    }
    let referred = Set(pictures.flatMap { $0.references[.timecode] ?? [] })
    for label in labels {
      if let identifier = label.identifier, !referred.contains(identifier) {
        note(
          .error, label.atom, "no picture track refers to this timecode track (tref/tmcd)",
          breaks: "Final Cut Pro and DaVinci Resolve do not find it", remedy: Remedy.newHeader)
      }
      checkLabel(label, picture)
    }
  }

  private mutating func checkLabel(_ label: TrackAtoms, _ picture: TrackAtoms) {
    guard let description = label.descriptions.first, case .timecode(let code) = description.kind else { return }
    let atom = description.atom
    guard code.timescale > 0, code.frameDuration > 0,
      let counted = FrameRate(Rational(Int64(code.timescale), Int64(code.frameDuration)))
    else {
      note(
        .error, atom, "has \(code.timescale) ticks a second, and \(code.frameDuration) ticks a frame",
        breaks: "players show no timecode", remedy: Remedy.timecode)
      return
    }
    if let scale = picture.timescale, scale > 0, let times = picture.times, times.usual > 0, times.unusual == 0,
      let rate = FrameRate(Rational(Int64(scale), Int64(times.usual))), !FilmCheck.isMultiple(rate, of: counted),
      frameTicks(picture) == nil
    {
      note(
        .error, atom, "counts \(counted) frames a second, but the picture has \(rate)",
        breaks: "the timecode drifts away from the picture", remedy: Remedy.timecode)
    }
    if code.isOrdinary, Int(code.framesPerSecond) != counted.timecodeBase, counted.timecodeBase < 256 {
      note(
        .error, atom,
        "has \(code.framesPerSecond) frames in a second of labels, not the \(counted.timecodeBase) of \(counted) fps",
        breaks: "labels jump at the end of each second",
        // FFmpeg counts at the mean rate, which gaps distort.
        remedy: hasGaps(picture) ? Remedy.filledGaps : Remedy.timecode)
    }
    let drops = [30, 60].compactMap { FrameRate(Rational($0 * 1000, 1001)) }
    if code.isDropFrame, !drops.contains(where: { FilmCheck.isMultiple(counted, of: $0) }) {
      note(
        .error, atom, "is drop-frame at \(counted) fps, which has no drop-frame labels",
        breaks: "editors show wrong labels, or refuse it", remedy: Remedy.timecode)
    }
    checkLabelSample(label, atom, code, counted)
    guard let own = shown(label), let shown = shown(picture) else { return }
    let tolerance = 1.5 * counted.frameDuration.doubleValue
    if abs(own.start - shown.start) > tolerance {
      note(
        .warning, atom,
        "begins at \(FilmCheck.seconds(own.start)), but the picture at \(FilmCheck.seconds(shown.start))",
        breaks: "labels are at the wrong frames", remedy: timecodeRemedy(usual: Remedy.timecode))
    }
    guard abs(own.end - shown.end) > tolerance else { return }
    note(
      .warning, atom, "ends at \(FilmCheck.seconds(own.end)), but the picture at \(FilmCheck.seconds(shown.end))",
      breaks: "editors show no timecode after it", remedy: timecodeRemedy(usual: Remedy.timecode))
  }

  /// Ticks of a frame at the rate of the picture's timecode, if every frame lasts a whole number of them: where one
  /// lasts longer, frames are missing. Frames that all last equally long are missing none, except in camrec's films,
  /// whose timecode counts at the camera's rate.
  func frameTicks(_ picture: TrackAtoms) -> UInt32? {
    guard let times = picture.times, times.unit > 0, let scale = picture.timescale,
      let tracks = picture.references[.timecode],
      let label = film.tracks.first(where: { $0.handler == .timecode && tracks.contains($0.identifier ?? 0) }),
      let description = label.descriptions.first, case .timecode(let code) = description.kind, code.timescale > 0
    else { return nil }
    let (ticks, rest) = (UInt64(scale) * UInt64(code.frameDuration)).quotientAndRemainder(
      dividingBy: UInt64(code.timescale))
    guard rest == 0, ticks > 0, UInt64(times.unit).isMultiple(of: ticks) else { return nil }
    guard times.unusual > 0 || times.usual == ticks || isOwn else { return nil }
    return UInt32(ticks)
  }

  /// Whether frames are missing in a picture track, so that some last several times as long as one frame.
  func hasGaps(_ picture: TrackAtoms) -> Bool {
    guard let times = picture.times else { return false }
    return frameTicks(picture).map { times.unusual > 0 || times.usual != $0 } ?? times.hasGaps
  }

  /// The remedy for a timecode track at the wrong time. FFmpeg makes one that begins at 0 and lasts as long as all of
  /// the picture's samples, which is wrong if edits skip some of them or show them later.
  func timecodeRemedy(usual: String) -> String {
    guard let picture = film.tracks.first(where: { $0.handler == .picture && !isBeside($0) }),
      let shown = shown(picture), let times = picture.times, let scale = picture.timescale, scale > 0
    else { return usual }
    let isWhole =
      abs(shown.start) <= FilmCheck.lengthTolerance
      && abs(shown.end - Double(times.ticks) / Double(scale)) <= FilmCheck.lengthTolerance
    return isWhole ? usual : Remedy.noTimecode
  }

  /// Whether a rate equals another, or a multiple of it: labels may count every second frame. Rates of old editors are
  /// rounded, as in 2997/100.
  private static func isMultiple(_ rate: FrameRate, of other: FrameRate) -> Bool {
    (1...4).contains { abs(rate.framesPerSecond / (other.framesPerSecond * Double($0)) - 1) < 1e-4 }
  }

  private mutating func checkLabelSample(
    _ label: TrackAtoms, _ atom: Atom, _ code: SampleDescription.Timecode, _ rate: FrameRate
  ) {
    guard !label.isElsewhere else { return }
    guard let first = labels[label.number] else {
      note(
        .error, atom, "its first label lies outside the file",
        breaks: "players show no timecode", remedy: Remedy.newHeader)
      return
    }
    // A day of labels; drop-frame leaves out two in each minute but every tenth, four at 60 fps.
    let base = rate.timecodeBase
    let dropped = code.isDropFrame ? (base > 30 ? 4 : 2) * (24 * 60 - 24 * 6) : 0
    let day = 86400 * base - dropped
    guard code.isOrdinary, Int(first) >= day else { return }
    note(
      .warning, atom, "begins with frame \(first), but a day has \(day)", breaks: "editors show a label above 24 hours",
      remedy: Remedy.timecode)
  }
}
