import Frames
import MovieBoxes

extension FilmCheck {
  /// The outermost atoms: that they fill the file, and that there is an index and what it is of.
  mutating func checkFile() {
    let copyAgain = film.header == nil ? Remedy.copyWhole : Remedy.copyAgain
    if let cut = film.cut {
      findings.append(
        FilmFinding(
          .error, "\(cut.type)", at: cut.offset,
          "says that it has \(cut.bytes) bytes, and the file ends after \(film.fileBytes - cut.offset)",
          breaks: "the file is cut off: what lies behind is lost, and players refuse it where that was the index",
          remedy: film.header == nil
            ? Remedy.copyWhole
            : Remedy.copyAgain + (film.isInFragments ? "; what a crash of camrec's cut off: camrec recover FILE" : "")))
    }
    if let strange = film.strange {
      // What some cameras append is passed over.
      let isBehind = film.header != nil && !film.data.isEmpty
      findings.append(
        FilmFinding(
          isBehind ? .note : .error, "the file", at: strange, "its last \(film.fileBytes - strange) bytes are no atoms",
          breaks: isBehind ? nil : "players look no further", remedy: isBehind ? nil : copyAgain))
    }
    if film.partCount >= FilmAtoms.mostParts {
      findings.append(
        FilmFinding(.error, "the file", at: 0, "has more atoms than any film", breaks: "nothing more was looked at"))
    }
    if let huge = film.hugeHeader {
      findings.append(
        FilmFinding(
          .error, "moov", at: huge.offset, "has \(huge.bytes) bytes, more than the index of any film",
          breaks: "it was not looked at, and players need as much memory"))
    } else if film.header == nil {
      findings.append(
        FilmFinding(
          .error, "moov", at: nil, "there is no index\(film.cut == nil ? "" : ", as the file is cut off")",
          breaks: "no player opens the film",
          remedy: film.cut == nil
            ? "\(Remedy.copyWhole); untrunc makes a new index by a whole film of the same camera" : Remedy.copyWhole))
    }
    if let first = film.first, first.type != BoxType("ftyp") {
      findings.append(
        FilmFinding(
          .note, "ftyp", at: first.offset, "the file does not begin with its type, as QuickTime's first films did not"))
    }
    guard film.isInFragments || film.fragments > 0, let header = film.header else { return }
    note(
      .error, header,
      "the film is in \(film.fragments) fragments"
        + (film.isLastFragmentWhole ? "" : ", the last of which has no data"),
      breaks: "it plays, but Final Cut Pro, DaVinci Resolve and Avid do not import it, or only its first fragment",
      remedy: isUnfinishedOwn ? "its recording was cut off, or its disk was full: camrec recover FILE" : Remedy.recover)
  }

  /// camrec's, which has not come to its end: its tags say whose it is.
  private var isUnfinishedOwn: Bool { film.metadata.values.contains { $0.hasPrefix("camrec ") } }

  /// The movie's header: its tracks' numbers and its length.
  mutating func checkMovie() {
    guard let header = film.header else { return }
    if film.tracks.isEmpty {
      note(.error, header, "there is no track in it", breaks: "there is nothing to play", remedy: Remedy.copyAgain)
    }
    guard let scale = film.timescale, scale > 0, let duration = film.duration else {
      note(
        .error, header, film.timescale == 0 ? "its header (mvhd) has 0 ticks a second" : "it has no header (mvhd)",
        breaks: "nothing tells how long the film is, and players refuse it", remedy: Remedy.newHeader)
      return
    }
    if let matrix = film.matrix, FilmCheck.quarters(matrix) != 0 || matrix[6] != 0 || matrix[7] != 0 {
      note(
        .warning, header, "the movie's own matrix (mvhd) changes the picture",
        breaks: "QuickTime turns it by both matrices, FFmpeg and most others by the track's alone",
        remedy: Remedy.newHeader)
    }
    var numbers: Set<UInt32> = []
    for track in film.tracks {
      guard let number = track.identifier, number == 0 || !numbers.insert(number).inserted else { continue }
      note(
        .error, track.atom, "has the number \(number)\(number == 0 ? "" : ", as another track has")",
        breaks: "players take one track for the other", remedy: Remedy.newHeader)
    }
    // The header of a film in fragments is written anew when it ends.
    if !film.isInFragments, let next = film.nextTrack, let most = numbers.max(), next <= most {
      note(
        .warning, header, "says that the next track has number \(next), and there is one of number \(most)",
        breaks: "an editor that adds a track gives two the same number", remedy: Remedy.newHeader)
    }
    guard !film.isInFragments, let longest = film.tracks.compactMap(\.duration).max() else { return }
    let seconds = abs(Double(longest) - Double(duration)) / Double(scale)
    guard seconds > FilmCheck.lengthTolerance else { return }
    note(
      seconds > 1 ? .error : .warning, header,
      "says \(FilmCheck.seconds(Double(duration) / Double(scale))), and its longest track lasts "
        + FilmCheck.seconds(Double(longest) / Double(scale)), breaks: "players show another length than they play",
      remedy: Remedy.newHeader)
  }

  /// Seconds by which lengths of headers differ without any harm: rounding, and the delay of AAC's first packet.
  static let lengthTolerance = 0.05

  /// What every track has, whatever it is of.
  mutating func checkTrack(_ track: TrackAtoms) {
    let needed: [(BoxType, String)] = [
      (.trackHeader, "tkhd"), (.mediaHeader, "mdia/mdhd"), (.handler, "mdia/hdlr"),
      (.descriptions, "mdia/minf/stbl/stsd"),
    ]
    for (type, place) in needed where track.atoms[type] == nil {
      missing(.error, place, in: track.atom, breaks: "players pass the track over", remedy: Remedy.newHeader)
    }
    if let description = track.atoms[.descriptions], track.descriptions.isEmpty {
      note(.error, description, "describes nothing", breaks: "players pass the track over", remedy: Remedy.newHeader)
    }
    if let header = track.atoms[.trackHeader], !track.isEnabled, !isBeside(track),
      track.handler == .picture || track.handler == .sound
    {
      note(
        .warning, header, "the track is disabled", breaks: "players neither show nor play it",
        remedy: "ffmpeg -i FILE -map 0 -map -0:d -c copy -disposition:\(streamNumber(track)) default NEW.mov")
    }
    if let header = track.atoms[.mediaHeader], track.timescale == 0 {
      note(.error, header, "has 0 ticks a second", breaks: "players refuse the film", remedy: Remedy.newHeader)
    }
  }

  /// The track's number in a file without tracks of data, from 0 on.
  private func streamNumber(_ track: TrackAtoms) -> Int {
    film.tracks[..<(track.number - 1)].count { $0.handler == .picture || $0.handler == .sound }
  }
}
