import Foundation
import Frames
import Movies
import Sidecar
import Synchronization

/// Where a film goes: known when it is prepared, or, where it is begun later, when that happens. Thread: any.
final class FilmPlace: Sendable {
  private let now: Mutex<OutputPath>

  init(_ output: OutputPath) { now = Mutex(output) }

  var output: OutputPath {
    get { now.withLock { $0 } }
    set { now.withLock { $0 = newValue } }
  }

  /// Opens the film, under the next name where somebody has made a file of this one since it was found free.
  ///
  /// - Parameters:
  ///   - clearsSidecar: removes the sidecar of another film of this name.
  ///   - another: the next name; `nil` where there is none.
  func open(
    _ settings: MovieSettings, _ makeSink: @Sendable (MovieSettings) throws(CamrecError) -> any MovieSink,
    clearsSidecar: Bool = true, another: @Sendable () throws(CamrecError) -> OutputPath?
  ) throws(CamrecError) -> any MovieSink {
    var settings = settings, attempt = 0
    while true {
      settings.path = output.path
      do throws(CamrecError) {
        let sink = try makeSink(settings)
        // One that is here belonged to another film of this name.
        if clearsSidecar { SidecarFile.removeLeftover(ofFilm: settings.path) }
        return sink
      } catch {
        attempt += 1
        guard !settings.overwrite, FilmPlace.isTaken(settings.path, error), attempt < FilmNames.attempts,
          let other = try another()
        else { throw error }
        try other.makeFolders()
        output = other
      }
    }
  }

  /// Whether a file could not be made because there is one.
  static func isTaken(_ path: String, _ error: CamrecError) -> Bool {
    error == OutputPath.refusal(path, EEXIST)
  }
}
