import Frames
import MediaFFmpeg
import Movies
import Recorder

extension FilmMaker {
  /// A film whose camera runs before it begins.
  struct Standing {
    /// What is kept, in seconds of film.
    var seconds: Rational
    var names: FilmNames
    /// Looks for the name.
    var naming: PatientWorker
    /// No film was begun before.
    var isFirst: Bool
    /// Refuses a film for which there is no room, by its path.
    var admit: @Sendable (_ path: String) throws(CamrecError) -> Void
  }

  /// - Parameters:
  ///   - files: makes the files behind the first one, and that one, too, when the film begins.
  ///   - warnings: stand in the first file's sidecar.
  /// - Throws: as `EncodedPreRoll`.
  static func plan(
    _ standing: Standing, _ settings: MovieSettings, _ files: FilmSegments, warnings: [String]
  ) throws(CamrecError) -> (plan: StandingPlan, description: PreRollDescription) {
    let roll = try EncodedPreRoll(settings, seconds: standing.seconds)
    let plan = StandingPlan(seconds: standing.seconds, roll: roll) { () throws(CamrecError) in
      let folder = PathText(settings.path).folderOrDot
      var output = try standing.naming.attempt(about: folder) { () throws(CamrecError) in
        let output = try standing.names.film(isFirst: standing.isFirst)
        try output.makeFolders()
        return output
      }
      var attempt = 0
      while true {
        try standing.admit(output.path)
        do throws(CamrecError) {
          let file = try files.first(output, behind: roll, warnings: warnings)
          standing.names.claim(output.path)
          return file
        } catch {
          attempt += 1
          guard FilmOpening.isTaken(output.path, error), attempt < FilmNames.attempts,
            let other = try standing.names.another(isFirst: standing.isFirst)
          else { throw error }
          try other.makeFolders()
          output = other
        }
      }
    }
    return (
      plan,
      PreRollDescription(
        seconds: standing.seconds.doubleValue, bytes: roll.room.bytes, secondsAtMost: roll.room.seconds)
    )
  }
}

/// What is kept in front of a film that may begin.
struct PreRollDescription: Hashable, Sendable {
  /// That was asked for.
  var seconds: Double
  /// Of memory, at most.
  var bytes: Int
  /// Film that these hold at the rate that is expected at most.
  var secondsAtMost: Double
}
