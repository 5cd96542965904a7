import Frames
import Recovery

/// The result of a film's recovery, for programs; the help of `camrec recover` says what the fields mean.
struct RecoveryReport: Encodable {
  let format = "camrec-recover"
  let version = 1
  let path: String
  let verdict: String
  let output: String?
  let frames: Int64?
  let seconds: Double?
  let soundSamples: Int64?
  let silentSamples: Int64?
  let lostBytes: Int64?
  let damages: Int?
  let missing: Int64?
  let unlisted: Int64?
  let lacksTimecode: Bool?
  let sentence: String

  init(_ film: RecoveredFilm) {
    let isUnfinished = film.verdict.isUnfinished
    path = film.path
    verdict = film.verdict.rawValue
    output = film.output
    frames = isUnfinished ? film.frames : nil
    seconds = isUnfinished ? film.seconds : nil
    soundSamples = film.soundSamples
    silentSamples = isUnfinished ? film.silentSamples : nil
    lostBytes = isUnfinished ? film.lostBytes : nil
    damages = isUnfinished ? film.damages : nil
    missing = film.missing
    unlisted = film.unlisted
    lacksTimecode = isUnfinished ? film.lacksTimecode : nil
    sentence = film.sentence
  }

  init(_ error: CamrecError, path: String) { self.init(path, "failed", error.description) }

  /// A folder without an unfinished film.
  init(nothingIn folder: String, _ sentence: String) { self.init(folder, "nothing", sentence) }

  private init(_ path: String, _ verdict: String, _ sentence: String) {
    (self.path, self.verdict, self.sentence) = (path, verdict, sentence)
    output = nil
    frames = nil
    seconds = nil
    soundSamples = nil
    silentSamples = nil
    lostBytes = nil
    damages = nil
    missing = nil
    unlisted = nil
    lacksTimecode = nil
  }
}
