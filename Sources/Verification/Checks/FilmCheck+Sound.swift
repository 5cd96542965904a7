import MovieBoxes

extension FilmCheck {
  /// QuickTime's formats of uncompressed sound, with the bytes of a sample; 0 if the description has them.
  private static let pcm: [String: UInt32] = [
    "sowt": 0, "twos": 0, "raw ": 1, "in24": 3, "in32": 4, "fl32": 4, "fl64": 8, "lpcm": 0, "ipcm": 0,
  ]

  /// Bytes of a sample of one channel; `nil` for compressed sound.
  static func pcmBytes(_ format: BoxType, _ sound: SampleDescription.Sound) -> UInt32? {
    guard let own = pcm["\(format)"] else { return nil }
    if own > 0 { return own }
    return sound.frameBytes > 0 && sound.channels > 0 ? sound.frameBytes / sound.channels : (sound.bits + 7) / 8
  }

  /// Channels, rate and layout.
  mutating func checkDescription(ofSound track: TrackAtoms) {
    guard let description = track.descriptions.first, case .sound(let sound) = description.kind else { return }
    let atom = description.atom
    if sound.channels == 0 || sound.channels > 64 {
      note(.error, atom, "has \(sound.channels) channels", breaks: "players refuse the track", remedy: Remedy.newHeader)
    }
    // Compressed sound has its rate in its own parameters, and 16.16 bits do not hold 96 kHz.
    guard let bytes = FilmCheck.pcmBytes(description.format, sound) else { return }
    if sound.sampleRate < 8000 || sound.sampleRate > 768_000 || sound.sampleRate != sound.sampleRate.rounded() {
      note(
        .warning, atom, "has a sample rate of \(FilmCheck.rounded(sound.sampleRate, 3)) Hz",
        breaks: "editors refuse it, or resample it", remedy: Remedy.newSound)
    } else if let scale = track.timescale, Double(scale) != sound.sampleRate, let header = track.atoms[.mediaHeader] {
      note(
        .warning, header, "counts \(scale) ticks a second, but the audio has \(Int(sound.sampleRate)) samples",
        breaks: "cuts do not fall on samples, and the length is rounded", remedy: Remedy.newSound)
    }
    if sound.channels > 2, !sound.hasLayout, film.isQuickTime {
      missing(
        .warning, "chan", in: atom, breaks: "the channels have no names: editors import them as mono tracks",
        remedy: "name them: ffmpeg -i FILE -map 0:v -map 0:a -c:v copy -c:a pcm_s24le -channel_layout 5.1 NEW.mov")
    }
    if bytes == 0 || bytes > 8 {
      note(.error, atom, "has \(sound.bits) bits a sample", breaks: "players refuse the track", remedy: Remedy.newSound)
    }
  }

  /// Checks that PCM's tables count samples of the described size.
  mutating func checkSamples(ofSound track: TrackAtoms) {
    guard let description = track.descriptions.first, case .sound(let sound) = description.kind,
      let bytes = FilmCheck.pcmBytes(description.format, sound), bytes > 0
    else { return }
    let frame = UInt64(bytes) * UInt64(sound.channels)
    // Old QuickTime writes 1.
    if let sizes = track.atoms[.sizes], UInt64(track.commonSize) != frame, track.commonSize != 1 {
      let stored = track.commonSize == 0 ? "no fixed number of" : "\(track.commonSize)"
      note(
        .error, sizes,
        "a sample of \(FilmCheck.count(sound.channels, "channel")) takes \(stored) bytes, but \(frame) are described",
        breaks: "the audio is noise, or too fast", remedy: Remedy.newSound)
    }
    guard let times = track.atoms[.times], track.times?.shortest != 1 || track.times?.longest != 1,
      track.timescale == UInt32(exactly: sound.sampleRate)
    else { return }
    note(
      .warning, times, "samples of PCM do not last one tick each", breaks: "editors lose the exact place of a sample",
      remedy: Remedy.newSound)
  }
}
