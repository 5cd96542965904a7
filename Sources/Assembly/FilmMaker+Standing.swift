package import Frames
import MediaFFmpeg
package import Movies
package import Platform
package import Recorder
package import Reporting

extension FilmMaker {
  /// A film in standby: its camera runs before it starts.
  package struct Standing {
    /// The pre-roll, in seconds of film.
    package var seconds: Rational
    package var names: FilmNames
    /// Searches for a free name.
    package var naming: PatientWorker
    /// Whether no film was started before.
    package var isFirst: Bool
    /// Throws if there is no room for the film at `path`; first makes room if it may.
    package var admit: @Sendable (_ path: String) throws(CamrecError) -> Void
  }

  /// - Parameters:
  ///   - files: makes the first file when the film starts, and those that follow it.
  ///   - warnings: written to the first file's sidecar.
  /// - Throws: as `EncodedPreRoll`.
  package static func plan(
    _ standing: Standing, _ settings: MovieSettings, _ files: FilmSegments, warnings: [String]
  ) throws(CamrecError) -> (plan: StandingPlan, description: PreRollDescription) {
    let roll = try EncodedPreRoll(settings, seconds: standing.seconds)
    let plan = StandingPlan(seconds: standing.seconds, roll: roll) { () throws(CamrecError) in
      let folder = PathText(settings.path).folderOrDot
      let output = try standing.naming.attempt(about: folder) { () throws(CamrecError) in
        let output = try standing.names.film(isFirst: standing.isFirst)
        try output.makeFolders()
        return output
      }
      let claim = FilmClaim(standing.names)
      do throws(CamrecError) {
        return try FilmNameRace.run(
          output,
          another: { () throws(CamrecError) -> OutputPath? in
            let other = try claim.another(isFirst: standing.isFirst)
            try other?.makeFolders()
            return other
          },
          open: { (output) throws(CamrecError) -> any PreparedSegment in
            try standing.admit(output.path)
            let file = try files.first(output, behind: roll, warnings: warnings)
            claim.take(output.path)
            return file
          }
        ).file
      } catch {
        claim.giveBack()
        throw error
      }
    }
    return (
      plan,
      PreRollDescription(
        seconds: standing.seconds.doubleValue, bytes: roll.room.bytes, secondsAtMost: roll.room.seconds)
    )
  }
}
