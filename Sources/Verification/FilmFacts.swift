import Frames
import MovieBoxes

/// Facts from a film's atoms, for programs: the same that other readers report.
public struct FilmFacts: Hashable, Sendable, Encodable {
  public struct Track: Hashable, Sendable, Encodable {
    /// From 1, in the file's order.
    public let track: Int
    /// `vide`, `soun`, `tmcd`.
    public let kind: String?
    /// `hvc1`, `sowt`.
    public let format: String?
    public let samples: Int
    /// Seconds of the movie.
    public let start: Double?
    public let end: Double?
    /// Of a picture, as coded.
    public let width: Int?
    public let height: Int?
    /// Degrees clockwise; `nil` for a matrix that is not a rotation by quarter turns.
    public let rotation: Int?
    /// Exact, as in `24000/1001`; `nil` if it varies.
    public let rate: String?
    /// Primaries, transfer and matrix of ITU-T H.273: `1-1-1`.
    public let color: String?
    public let isFullRange: Bool?
    /// Of sound; for compressed sound as its decoder reports them, because the description's numbers mean nothing.
    public let sampleRate: Double?
    public let channels: Int?
    /// Of an uncompressed sample.
    public let bits: Int?
    /// Of a timecode track: the first label, as its frame since midnight, and whether labels are left out.
    public let firstFrame: Int?
    public let isDropFrame: Bool?
  }

  public let brand: String?
  public let bytes: UInt64
  /// Of the movie's header, in seconds.
  public let duration: Double?
  public let isInFragments: Bool
  public let tracks: [Track]
  public let metadata: [String: String]
}

extension FilmCheck {
  /// Facts from the atoms.
  public var facts: FilmFacts {
    let scale = film.timescale.flatMap { $0 > 0 ? Double($0) : nil }
    return FilmFacts(
      brand: film.brand?.description, bytes: film.fileBytes,
      duration: scale.flatMap { scale in film.duration.map { Double($0) / scale } }, isInFragments: film.isInFragments,
      tracks: film.tracks.map(facts), metadata: film.metadata)
  }

  private func facts(_ track: TrackAtoms) -> FilmFacts.Track {
    let description = track.descriptions.first
    var picture: SampleDescription.Picture?
    var sound: SampleDescription.Sound?
    var code: SampleDescription.Timecode?
    switch description?.kind {
    case .picture(let found)?: picture = found
    case .sound(let found)?: sound = found
    case .timecode(let found)?: code = found
    default: break
    }
    var rate: String?
    if picture != nil, let scale = track.timescale, scale > 0, let times = track.times, times.usual > 0,
      times.unusual == 0
    {
      rate = Rational(Int64(scale), Int64(frameTicks(track) ?? times.usual)).description
    }
    let shown = shown(track)
    let described = sound.flatMap { sound in
      description.flatMap { FilmCheck.pcmBytes($0.format, sound) == nil ? nil : sound }
    }
    let heard = sound != nil && described == nil ? stream(track) : nil
    return FilmFacts.Track(
      track: track.number, kind: track.handler?.description, format: description?.format.description,
      samples: Int(track.sampleCount), start: shown.map { FilmCheck.rounded($0.start, 6) },
      end: shown.map { FilmCheck.rounded($0.end, 6) }, width: picture.map { Int($0.width) },
      height: picture.map { Int($0.height) },
      rotation: picture == nil ? nil : track.matrix.flatMap(FilmCheck.quarters).map { $0 * 90 }, rate: rate,
      color: picture?.color.map(FilmCheck.text), isFullRange: picture?.color?.isFullRange,
      sampleRate: described.map(\.sampleRate).flatMap { $0.isFinite ? $0 : nil } ?? heard?.sampleRate.map(Double.init),
      channels: described.map { Int($0.channels) } ?? heard?.channels, bits: described.map { Int($0.bits) },
      firstFrame: labels[track.number].map(Int.init), isDropFrame: code?.isDropFrame)
  }
}
