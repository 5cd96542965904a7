import Frames
import MovieBoxes

extension FilmCheck {
  /// Checks the outermost atoms: that they fill the file, and that there is an index and its data.
  mutating func checkFile() {
    guard !isPrepared else {
      findings.append(
        FilmFinding(
          .error, "the file", at: 0, "has no data: no frame was written into it", breaks: "there is nothing to play",
          remedy: Remedy.removePrepared))
      return
    }
    if let cut = film.cut {
      findings.append(
        FilmFinding(
          .error, "\(cut.type)", at: cut.offset,
          "claims \(cut.bytes) bytes, but the file ends after \(film.fileBytes - cut.offset)",
          breaks: "the file is cut off: the rest is lost, and players refuse it if that was the index",
          remedy: film.header == nil
            ? Remedy.copyWhole
            : Remedy.saveRest + (film.isInFragments ? "; if a crash of camrec cut it off: camrec recover FILE" : "")))
    }
    if let strange = film.strange, isUnfinishedOwn, film.fragments > 0 {
      // Nothing is appended to a film that still grows: it is damaged, and its fragments may go on behind that.
      findings.append(
        FilmFinding(
          .error, "the file", at: strange,
          "no atom begins here, and the last \(FilmCheck.count(film.fileBytes - strange, "byte")) were not checked",
          breaks: "players stop reading there", remedy: Remedy.recoverOwn))
    } else if let strange = film.strange {
      // Some cameras append data, which players ignore. The 1 stays a figure: goldens compare findings by them.
      let isBehind = film.header != nil && !film.data.isEmpty
      findings.append(
        FilmFinding(
          isBehind ? .note : .error, "the file", at: strange,
          film.fileBytes - strange == 1
            ? "its last 1 byte is not an atom" : "its last \(film.fileBytes - strange) bytes are not atoms",
          breaks: isBehind ? nil : "players stop reading there", remedy: isBehind ? nil : Remedy.copyWhole))
    }
    if film.partCount >= FilmAtoms.mostParts {
      findings.append(
        FilmFinding(.error, "the file", at: 0, "has more atoms than any film", breaks: "the rest was not checked"))
    }
    if let huge = film.hugeHeader {
      findings.append(
        FilmFinding(
          .error, "moov", at: huge.offset, "has \(huge.bytes) bytes, more than the index of any film",
          breaks: "it was not checked, and players need as much memory"))
    } else if film.header == nil {
      findings.append(
        FilmFinding(
          .error, "moov", at: nil, "there is no index\(film.cut == nil ? "" : ", because the file is cut off")",
          breaks: "no player opens the film",
          remedy: film.cut == nil
            ? "\(Remedy.copyWhole); untrunc makes a new index from a complete film of the same camera"
            : Remedy.copyWhole))
    }
    if let first = film.first, first.type != BoxType("ftyp") {
      findings.append(
        FilmFinding(
          .note, "ftyp", at: first.offset, "the file does not begin with its type, like the first QuickTime films"))
    }
    guard film.isInFragments || film.fragments > 0, let header = film.header else { return }
    note(
      .error, header,
      "the film is in \(film.fragments) \(film.fragments == 1 ? "fragment" : "fragments")"
        + (film.isLastFragmentWhole ? "" : ", the last of which has no data"),
      breaks: "it plays, but Final Cut Pro, DaVinci Resolve and Avid do not import it, or only its first fragment",
      remedy: isUnfinishedOwn ? Remedy.recoverOwn : Remedy.recover)
  }

  /// Whether it is an unfinished film of camrec's, according to its tags.
  private var isUnfinishedOwn: Bool { film.metadata.values.contains { $0.hasPrefix("camrec ") } }

  /// Checks the movie's header: its tracks' numbers and its length.
  mutating func checkMovie() {
    guard let header = film.header else { return }
    if film.tracks.isEmpty {
      note(.error, header, "the film has no tracks", breaks: "there is nothing to play", remedy: Remedy.copyWhole)
    }
    guard let scale = film.timescale, scale > 0, let duration = film.duration else {
      note(
        .error, header, film.timescale == 0 ? "its header (mvhd) has 0 ticks a second" : "it has no header (mvhd)",
        breaks: "players do not know how long the film is, and refuse it",
        remedy: film.timescale == 0 ? Remedy.newHeader : Remedy.copyWhole)
      return
    }
    if let matrix = film.matrix, FilmCheck.quarters(matrix) != 0 || matrix[6] != 0 || matrix[7] != 0 {
      note(
        .warning, header, "the movie's own matrix (mvhd) changes the picture",
        breaks: "QuickTime applies both matrices, FFmpeg and most others only the track's",
        remedy: Remedy.newHeader)
    }
    var numbers: Set<UInt32> = []
    for track in film.tracks {
      guard let number = track.identifier, number == 0 || !numbers.insert(number).inserted else { continue }
      note(
        .error, track.atom, "has the number \(number)\(number == 0 ? "" : ", like another track")",
        breaks: "players confuse the tracks", remedy: Remedy.newHeader)
    }
    // The header of a film in fragments is rewritten at the end.
    if !film.isInFragments, let next = film.nextTrack, let most = numbers.max(), next <= most {
      note(
        .warning, header, "says that the next track has number \(next), but there already is a track \(most)",
        breaks: "an editor that adds a track gives two the same number", remedy: Remedy.newHeader)
    }
    guard !film.isInFragments, let longest = film.tracks.compactMap(\.duration).max() else { return }
    let seconds = abs(Double(longest) - Double(duration)) / Double(scale)
    guard seconds > FilmCheck.lengthTolerance else { return }
    note(
      seconds > 1 ? .error : .warning, header,
      "says \(FilmCheck.seconds(Double(duration) / Double(scale))), but its longest track lasts "
        + FilmCheck.seconds(Double(longest) / Double(scale)), breaks: "players show a wrong length",
      remedy: Remedy.newHeader)
  }

  /// Harmless difference between lengths in headers, in seconds: rounding, and the delay of AAC's first packet.
  static let lengthTolerance = 0.05

  /// Checks what every track has, of whatever kind.
  mutating func checkTrack(_ track: TrackAtoms) {
    let needed: [(BoxType, String)] = [
      (.trackHeader, "tkhd"), (.mediaHeader, "mdia/mdhd"), (.handler, "mdia/hdlr"),
      (.descriptions, "mdia/minf/stbl/stsd"),
    ]
    for (type, place) in needed where track.atoms[type] == nil {
      missing(
        .error, place, in: track.atom, breaks: "players ignore the track",
        remedy: type == .trackHeader ? Remedy.newHeader : Remedy.copyWhole)
    }
    if let description = track.atoms[.descriptions], track.descriptions.isEmpty {
      note(.error, description, "describes nothing", breaks: "players ignore the track", remedy: Remedy.copyWhole)
    }
    if let header = track.atoms[.trackHeader], !track.isEnabled, !isBeside(track),
      track.handler == .picture || track.handler == .sound
    {
      note(
        .warning, header, "the track is disabled", breaks: "players neither show nor play it",
        remedy: "ffmpeg -i FILE -map 0 -map -0:d -c copy -disposition:\(streamNumber(track)) default NEW.mov")
    }
    if let header = track.atoms[.mediaHeader], track.timescale == 0 {
      note(.error, header, "has 0 ticks a second", breaks: "players refuse the film", remedy: Remedy.copyWhole)
    }
  }

  /// The track's number in a file without tracks of data, from 0 on.
  private func streamNumber(_ track: TrackAtoms) -> Int {
    film.tracks[..<(track.number - 1)].count { $0.handler == .picture || $0.handler == .sound }
  }
}
