public import Frames
public import Movies

/// A film's file and encoder, ready for the first frame. Thread: one at a time.
///
/// `@unchecked Sendable`: handed from the thread that prepares it to the one that begins or discards it.
public final class PreparedMovie: @unchecked Sendable {
  public let settings: MovieSettings
  private let file: MovieFile
  private let ending: MovieEnding?
  private var source: Source?

  /// Where the frames come from.
  enum Source {
    case encoder(VideoEncoder)
    /// The film begins with what this pre-roll keeps.
    case preRoll(EncodedPreRoll)

    var heldFrames: Int? {
      switch self {
      case .encoder(let encoder): encoder.heldFrames
      case .preRoll(let roll): roll.heldFrames
      }
    }
  }

  init(_ settings: MovieSettings, _ source: Source, _ file: MovieFile, _ ending: MovieEnding?) {
    self.settings = settings
    self.source = source
    self.file = file
    self.ending = ending
  }

  /// Begins the film, with what is now known of its first frame; does not wait for a disk or an encoder. Call once.
  ///
  /// - Parameter tags: metadata behind that of the settings.
  /// - Throws: as `MovieWriter.open`; the file is then gone.
  public func begin(
    timecode: Timecode?, creationTime: Int64, tags: [MetadataEntry] = []
  ) throws(CamrecError) -> MovieWriter {
    var settings = settings
    settings.timecode = timecode
    settings.creationTime = creationTime
    settings.metadata += tags
    return try begin(settings)
  }

  func begin() throws(CamrecError) -> MovieWriter { try begin(settings) }

  private func begin(_ settings: MovieSettings) throws(CamrecError) -> MovieWriter {
    guard let source else { throw CamrecError(.defect, "'\(settings.path)' has begun already") }
    self.source = nil
    switch source {
    case .encoder(let encoder): return try MovieWriter(settings, encoder, file, ending)
    case .preRoll(let roll):
      let rest = try roll.rest()
      return try MovieWriter(settings, rest.encoder, file, ending, behind: rest)
    }
  }

  /// Removes the file again.
  public func discard() {
    guard source != nil else { return }
    source = nil
    file.discard()
  }
}
