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
    let opened = try FilmNameRace.run(
      output,
      another: { () throws(CamrecError) -> OutputPath? in
        guard !settings.overwrite, let other = try another() else { return nil }
        try other.makeFolders()
        return other
      },
      open: { (output) throws(CamrecError) -> any MovieSink in
        var settings = settings
        settings.path = output.path
        return try makeSink(settings)
      })
    // A sidecar that lies here belonged to an older film of this name.
    if clearsSidecar { SidecarFile.removeLeftover(ofFilm: opened.output.path) }
    return (opened.file, opened.output.path)
  }
}
