import Foundation
package import Frames
package import MediaFFmpeg
package import Movies
package import Recorder
package import RecorderAPI
import Sidecar
import Synchronization

/// Makes the files of a recording that follow the first one.
///
/// Thread: any.
package final class FilmSegments: Sendable {
  /// The segments asked for.
  package struct Request {
    package var choice: SegmentChoice
    package var names: FilmNames
    /// `clock:` segments count from midnight in UTC, else in local time.
    package var isUTC: Bool

    package init(choice: SegmentChoice, names: FilmNames, isUTC: Bool) {
      self.choice = choice
      self.names = names
      self.isUTC = isUTC
    }
  }

  private let settings: MovieSettings
  private let first: FirstFrameSettings
  private let description: RecordingDescription
  fileprivate let names: FilmNames
  fileprivate let hasSidecar: Bool
  private let effort: EffortControl?
  private let latest: Mutex<OutputPath>

  package init(
    _ settings: MovieSettings, _ first: FirstFrameSettings, _ description: RecordingDescription, output: OutputPath,
    names: FilmNames, hasSidecar: Bool, effort: EffortControl?
  ) {
    self.settings = settings
    self.first = first
    self.description = description
    self.names = names
    self.hasSidecar = hasSidecar
    self.effort = effort
    latest = Mutex(output)
  }

  /// - Parameter timeOfDay: as `SegmentPlan.timeOfDay`.
  package func plan(
    _ choice: SegmentChoice, mostFinishing: Int, timeOfDay: @escaping @Sendable (MonotonicTime) -> Double
  ) -> SegmentPlan {
    SegmentPlan(
      length: choice.length, mostBytes: choice.mostBytes, mostFinishing: mostFinishing, timeOfDay: timeOfDay,
      prepare: { () throws(CamrecError) in try self.prepare() })
  }

  private func prepare() throws(CamrecError) -> any PreparedSegment {
    let before = latest.withLock { $0 }
    let output = try next()
    do throws(CamrecError) {
      return try FilmNameRace.run(
        output,
        isTaken: { (path, error) in error.code == .output && FileManager.default.fileExists(atPath: path) },
        another: { () throws(CamrecError) -> OutputPath? in try next() },
        open: { (output) throws(CamrecError) -> FilmSegment in try create(output) }
      ).file
    } catch {
      names.givesBack(latest.withLock { $0.path })
      latest.withLock { $0 = before }
      throw error
    }
  }

  /// Names the next file.
  private func next() throws(CamrecError) -> OutputPath {
    let output = try names.segment(behind: latest.withLock { $0 })
    latest.withLock { $0 = output }
    return output
  }

  private func create(_ output: OutputPath, warnings: [String] = []) throws(CamrecError) -> FilmSegment {
    var settings = settings
    settings.path = output.path
    settings.overwrite = false
    let take = effort?.take ?? .asked
    settings.encoding.take(take)
    let file: FilmSegment.File =
      settings.container == .framemd5
      ? .hashes(try FrameHashWriter.open(settings)) : .movie(try MovieWriter.prepare(settings))
    return FilmSegment(file, settings, take, self, warnings: warnings)
  }

  /// The first file of a film that starts with a pre-roll.
  ///
  /// - Parameter warnings: written to its sidecar.
  /// - Throws: as the opening of films does.
  package func first(_ output: OutputPath, behind roll: EncodedPreRoll, warnings: [String]) throws(CamrecError)
    -> any PreparedSegment
  {
    var settings = settings
    settings.path = output.path
    let movie = try MovieWriter.prepare(settings, behind: roll)
    latest.withLock { $0 = output }
    return FilmSegment(.movie(movie), settings, .asked, self, warnings: warnings)
  }

  /// The first file of a film whose camera runs already.
  ///
  /// - Parameter warnings: written to its sidecar.
  /// - Throws: as the opening of films does.
  package func first(_ output: OutputPath, warnings: [String]) throws(CamrecError) -> any PreparedSegment {
    let segment = try create(output, warnings: warnings)
    latest.withLock { $0 = output }
    return segment
  }

  /// Date and timecode of the file that begins at `start`.
  fileprivate func dated(_ start: SegmentStart) throws(CamrecError) -> (date: Date, timecode: Timecode?) {
    let dated = try first.at(start.origin)
    return (
      dated.date(after: start.seconds.doubleValue),
      dated.settings.timecode?.advanced(by: Int(start.frame), at: settings.frameRate)
    )
  }

  fileprivate func sidecar(_ path: String, _ start: SegmentStart) throws(CamrecError) -> SidecarWriter? {
    guard hasSidecar else { return nil }
    let (date, timecode) = try dated(start)
    var description = description
    (description.output, description.identity) = (path, start.identity)
    description.look = description.look?.from(frame: start.bakedFrame)
    var settings = settings
    settings.timecode = timecode
    let head = FirstFrameSettings.Dated(settings: settings, date: date).head(of: description)
    return try SidecarWriter(film: path, head: head, isHeldBack: true)
  }

  fileprivate func tags(_ start: SegmentStart) -> [MetadataEntry] {
    FilmMaker.tags(description.look?.from(frame: start.bakedFrame))
  }

  fileprivate func creationTime(_ start: SegmentStart) throws(CamrecError) -> Int64 {
    try first.at(start.origin).settings.creationTime.addingSaturated(Int64(saturating: start.seconds.doubleValue))
  }
}

/// A file that exists and is still empty.
private final class FilmSegment: PreparedSegment {
  enum File {
    case movie(PreparedMovie)
    case hashes(FrameHashWriter)
  }

  let path: String
  let effort: EffortControl.Take
  private let file: File
  private let segments: FilmSegments
  private let warnings: [String]

  init(
    _ file: File, _ settings: MovieSettings, _ effort: EffortControl.Take, _ segments: FilmSegments,
    warnings: [String] = []
  ) {
    self.warnings = warnings
    path = settings.path
    self.effort = effort
    self.file = file
    self.segments = segments
  }

  func begin(_ start: SegmentStart) throws(CamrecError) -> any MovieSink {
    segments.names.begins(path)
    // A sidecar that lies here belonged to an older film of this name; this film's own replaces it.
    if !segments.hasSidecar { SidecarFile.removeLeftover(ofFilm: path) }
    switch file {
    case .hashes(let writer): return writer
    case .movie(let movie):
      return try movie.begin(
        timecode: try segments.dated(start).timecode, creationTime: try segments.creationTime(start),
        tags: segments.tags(start))
    }
  }

  func openSidecar(_ start: SegmentStart) throws(CamrecError) -> SidecarWriter? {
    let sidecar = try segments.sidecar(path, start)
    for warning in warnings { sidecar?.append(.warning(warning, seconds: 0)) }
    return sidecar
  }

  func discard() {
    switch file {
    case .movie(let movie): movie.discard()
    // Without a frame it is not kept.
    case .hashes(let writer): _ = try? writer.finish(at: 0)
    }
    segments.names.givesBack(path)
  }
}
