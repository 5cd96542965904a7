import Foundation
package import Frames
package import Movies
import Sidecar

/// Opens a film, under the next name if another program has taken this one since it was found free.
package enum FilmOpening {
  /// - Parameters:
  ///   - output: where the film goes.
  ///   - clearsSidecar: removes the sidecar of an older film of this name.
  ///   - another: gives the next name; `nil` if there is none.
  /// - Returns: the sink, and the film's path.
  package static func open(
    _ output: OutputPath, _ settings: MovieSettings,
    _ makeSink: @Sendable (MovieSettings) throws(CamrecError) -> any MovieSink, clearsSidecar: Bool = true,
    another: @Sendable () throws(CamrecError) -> OutputPath?
  ) throws(CamrecError) -> (sink: any MovieSink, path: String) {
    var output = output, settings = settings, attempt = 0
    while true {
      settings.path = output.path
      do throws(CamrecError) {
        let sink = try makeSink(settings)
        // A sidecar that lies here belonged to an older film of this name.
        if clearsSidecar { SidecarFile.removeLeftover(ofFilm: settings.path) }
        return (sink, output.path)
      } catch {
        attempt += 1
        guard !settings.overwrite, isTaken(settings.path, error), attempt < FilmNames.attempts,
          let other = try another()
        else { throw error }
        try other.makeFolders()
        output = other
      }
    }
  }

  /// Whether `error` says that the file at `path` exists already.
  package static func isTaken(_ path: String, _ error: CamrecError) -> Bool {
    error == OutputPath.refusal(path, EEXIST)
  }
}
