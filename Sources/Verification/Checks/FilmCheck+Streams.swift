import Frames
import MovieBoxes

extension FilmCheck {
  /// Checks where picture and sound begin and end.
  mutating func checkSynchrony(_ pictures: [TrackAtoms], _ sounds: [TrackAtoms]) {
    guard let picture = pictures.first(where: \.isEnabled), let shown = shown(picture),
      let frame = FilmCheck.sampleSeconds(picture)
    else { return }
    let isGapped = hasGaps(picture)
    for sound in sounds where sound.isEnabled {
      guard let own = self.shown(sound), let atom = sound.atoms[.trackHeader],
        let packet = FilmCheck.sampleSeconds(sound)
      else { continue }
      let early = own.start - shown.start
      let late = own.end - shown.end
      // Compressed sound begins and ends with a whole packet.
      if abs(early) > max(frame / 2, packet) {
        note(
          .warning, atom,
          "the audio begins \(FilmCheck.seconds(abs(early))) \(early < 0 ? "before" : "after") the picture",
          breaks: "players that start both at once play it that much too \(early < 0 ? "late" : "early")",
          remedy: isGapped ? Remedy.filledTogether : early < 0 ? Remedy.soundFrom(-early) : Remedy.newSound)
      }
      if abs(late) > max(frame, packet) + 0.001 {
        note(
          .warning, atom,
          "the audio ends \(FilmCheck.seconds(abs(late))) \(late < 0 ? "before" : "after") the picture",
          breaks: late < 0 ? "the end of the film is silent" : "editors show black at its end",
          remedy: isGapped
            ? Remedy.afterFilling(Remedy.soundOfLength(shown.end - shown.start))
            : Remedy.soundOfLength(shown.end - min(shown.start, own.start)))
      }
    }
  }

  /// How long most samples last, in seconds.
  private static func sampleSeconds(_ track: TrackAtoms) -> Double? {
    guard let times = track.times, let scale = track.timescale, scale > 0 else { return nil }
    return Double(times.usual) / Double(scale)
  }

  /// Checks what a decoder makes of the film.
  mutating func checkStreams(_ pictures: [TrackAtoms]) {
    if let refusal {
      findings.append(
        FilmFinding(
          .error, "the file", at: nil, "FFmpeg cannot open it: \(refusal)", breaks: "most players cannot either",
          remedy: Remedy.copyWhole))
      return
    }
    for track in pictures where !track.isElsewhere {
      guard let stream = stream(track) else { continue }
      if let damage = stream.damage {
        note(
          .error, track.atom, "\(stream.codec): \(damage)", breaks: "players show a damaged picture, or stop",
          remedy: stream.samples > 0 ? Remedy.encodeRest : Remedy.copyWhole)
      }
      if stream.isDamagedBehindJump {
        note(
          .warning, track.atom,
          "\(stream.codec): every frame decodes from the beginning, but not from the last key frame",
          breaks: "players that jump into it show damage", remedy: Remedy.encodeAgain)
      }
      guard !film.isInFragments, let sizes = track.atoms[.sizes], stream.samples != Int(track.sampleCount) else {
        continue
      }
      note(
        .error, sizes, "lists \(track.sampleCount) frames, but FFmpeg finds \(stream.samples)",
        breaks: "players disagree on the length of the film",
        remedy: stream.samples > 0 ? Remedy.newHeader : Remedy.copyWhole)
    }
  }

  /// Whether camrec made the film.
  var isOwn: Bool { film.metadata["software"]?.hasPrefix("camrec ") == true }

  /// Checks what camrec writes into each of its films: what made it, and the hash of its LUT.
  mutating func checkMetadata() {
    guard let header = film.header else { return }
    guard isOwn else {
      let names = ["software", "encoder", "©swr", "com.apple.quicktime.software"]
      let writer = names.compactMap { film.metadata[$0] }.first
      note(.note, header, "the film is not camrec's" + (writer.map { ": it was made by \($0)" } ?? ""))
      return
    }
    let hash = film.metadata["lut_sha256"]
    let isHash = hash.map { $0.count == 64 && $0.allSatisfy(\.isHexDigit) } ?? (film.metadata["lut_title"] == nil)
    guard !isHash else { return }
    note(
      .warning, header, "the hash of the LUT in it (lut_sha256) is \(hash.map { "'\($0)'" } ?? "missing")",
      breaks: "nobody can tell which look it has", remedy: "camrec info FILE shows it from the sidecar")
  }
}
