public import Frames
import MovieBoxes

/// Checks a film's file for what players and editors handle badly.
///
/// Reads the atoms itself, takes the streams from a decoder (`StreamFacts`), and compares the two. Thread: one at a
/// time.
public struct FilmCheck {
  let film: FilmAtoms
  let streams: [StreamFacts]
  /// Why no decoder opens it; `nil` if one does.
  let refusal: String?
  /// First frames of timecode tracks, by the tracks' numbers.
  let labels: [Int: UInt32]
  /// camrec made the file for a film that has no data.
  let isPrepared: Bool
  /// In the order of the checks.
  public internal(set) var findings: [FilmFinding] = []

  /// - Parameters:
  ///   - size: of the file, in bytes.
  ///   - streams: the tracks as a decoder reads them, or why it cannot.
  ///   - read: the file's bytes from an offset on, as many as there are up to a count.
  /// - Throws: what `read` throws.
  public init<E: Error>(
    size: UInt64, streams: Result<[StreamFacts], CamrecError>,
    read: (_ offset: UInt64, _ count: Int) throws(E) -> [UInt8]
  ) throws(E) {
    try self.init(size: size, streams: streams, mostSamples: TrackTimes.mostSamples, read: read)
  }

  /// - Parameter mostSamples: of all tracks, whose tables are read for when each sample is shown; further tracks are
  ///   taken to be shown as they are stored.
  package init<E: Error>(
    size: UInt64, streams: Result<[StreamFacts], CamrecError>, mostSamples: UInt64,
    read: (_ offset: UInt64, _ count: Int) throws(E) -> [UInt8]
  ) throws(E) {
    film = try FilmAtoms(size: size, mostSamples: mostSamples, read: read)
    switch streams {
    case .success(let streams):
      self.streams = streams
      refusal = nil
    case .failure(let error):
      self.streams = []
      refusal = error.description
    }
    labels = try FilmCheck.labels(film, size, read)
    let mark = PreparedMark.bytes
    if size == UInt64(mark.count) {
      isPrepared = try read(0, mark.count) == mark
    } else {
      isPrepared = false
    }
    findings = film.findings
    checkFile()
    guard film.header != nil else { return }
    checkMovie()
    let pictures = film.tracks.filter { $0.handler == .picture && !isBeside($0) }
    let sounds = film.tracks.filter { $0.handler == .sound && !isBeside($0) }
    for track in film.tracks { checkTrack(track) }
    for track in pictures { checkDescription(ofPicture: track) }
    for track in sounds { checkDescription(ofSound: track) }
    // The tables do not cover fragments.
    if !film.isInFragments {
      for track in film.tracks { checkIndex(track) }
      for track in pictures { checkRate(track) }
      for track in pictures { checkFirstPicture(track) }
      for track in sounds { checkSamples(ofSound: track) }
      checkTimecode(pictures)
      checkSynchrony(pictures, sounds)
    }
    checkStreams(pictures)
    checkMetadata()
    if let picture = pictures.first { tellOfColor(picture) }
    tellOfChapters()
  }

  /// FFmpeg writes chapters as texts that follow one another without a gap, the first one from the beginning on.
  private mutating func tellOfChapters() {
    guard let first = film.firstChapter, first > 0 else { return }
    addToRemedies { _ in "; FFmpeg may move the first chapter (at \(FilmCheck.seconds(first))) to 0 s" }
  }

  /// Adds to each remedy with FFmpeg what that costs.
  mutating func addToRemedies(_ cost: (_ remedy: String) -> String) {
    findings = findings.map {
      guard let remedy = $0.remedy, remedy.contains("ffmpeg -") else { return $0 }
      return FilmFinding(
        $0.severity, $0.atom, at: $0.offset, $0.finding, breaks: $0.breaks, remedy: remedy + cost(remedy))
    }
  }

  /// Whether it has no index, is in fragments or ends too early: it is still being written, or was cut off.
  public var isUnfinished: Bool { film.header == nil || film.isInFragments || film.cut != nil }

  /// For a film that a killed bake left: only another bake fixes it. A complete one is a film like others.
  public mutating func adviseBakingAgain() {
    guard isUnfinished else { return }
    findings = findings.map {
      FilmFinding(
        $0.severity, $0.atom, at: $0.offset, $0.finding, breaks: $0.breaks,
        remedy: $0.remedy == nil ? nil : Remedy.bakeAgain)
    }
  }

  private static func labels<E: Error>(
    _ film: FilmAtoms, _ size: UInt64, _ read: (_ offset: UInt64, _ count: Int) throws(E) -> [UInt8]
  ) throws(E) -> [Int: UInt32] {
    var labels: [Int: UInt32] = [:]
    for track in film.tracks where track.handler == .timecode {
      guard let offset = track.chunks.first, offset < size, size - offset >= 4 else { continue }
      let bytes = try read(offset, 4)
      if bytes.count == 4 { labels[track.number] = bytes.reduce(0) { $0 << 8 | UInt32($1) } }
    }
    return labels
  }

  /// A track that is not shown by itself: chapters, depth, another language.
  func isBeside(_ track: TrackAtoms) -> Bool {
    guard !track.isEnabled, let identifier = track.identifier else { return false }
    return track.group != 0 || film.referred.contains(identifier)
  }

  mutating func note(
    _ severity: FilmFinding.Severity, _ atom: Atom, _ finding: String, breaks: String? = nil, remedy: String? = nil
  ) { findings.append(FilmFinding(severity, atom.path, at: atom.offset, finding, breaks: breaks, remedy: remedy)) }

  /// For an atom that is missing in `atom`.
  mutating func missing(_ severity: FilmFinding.Severity, _ name: String, in atom: Atom, breaks: String, remedy: String)
  {
    findings.append(
      FilmFinding(severity, "\(atom.path)/\(name)", at: nil, "is missing", breaks: breaks, remedy: remedy))
  }

  func stream(_ track: TrackAtoms) -> StreamFacts? { streams.first { $0.identifier == track.identifier } }

  static func seconds(_ value: Double) -> String { "\(FilmCheck.rounded(value, 3)) s" }

  /// `1 byte`, `2 bytes`.
  static func count(_ number: some BinaryInteger, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  static func rounded(_ value: Double, _ digits: Int) -> Double {
    let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    return (value * scale).rounded() / scale
  }
}
