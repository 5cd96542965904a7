import Foundation
package import Frames

/// Opens a file under a name that was free when it was chosen. If another program has taken the name since then, the
/// next one is tried, `FilmNames.attempts` times at most.
package enum FilmNameRace {
  /// - Parameters:
  ///   - output: the first name.
  ///   - isTaken: whether an error of `open` says that another program was faster.
  ///   - another: gives the next name; `nil` if there is none.
  ///   - open: opens the file.
  /// - Returns: the file, and the name that it has.
  /// - Throws: the last error of `open`, and those of `another`.
  package static func run<File>(
    _ output: OutputPath,
    isTaken: (_ path: String, _ error: CamrecError) -> Bool = { FilmNameRace.isTaken($0, $1) },
    another: () throws(CamrecError) -> OutputPath?, open: (OutputPath) throws(CamrecError) -> File
  ) throws(CamrecError) -> (file: File, output: OutputPath) {
    var output = output, attempt = 0
    while true {
      do throws(CamrecError) {
        return (try open(output), output)
      } catch {
        attempt += 1
        guard isTaken(output.path, error), attempt < FilmNames.attempts, let other = try another() else { throw error }
        output = other
      }
    }
  }

  /// Whether `error` says that the file at `path` exists already.
  package static func isTaken(_ path: String, _ error: CamrecError) -> Bool {
    error == OutputPath.refusal(path, EEXIST)
  }
}
