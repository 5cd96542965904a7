package import Frames
package import Recovery

/// The result of a film's recovery, for programs; the help of `camrec recover` says what the fields mean.
package struct RecoveryReport: Encodable {
  package let format = "camrec-recover"
  package let version = 1
  package let path: String
  package let verdict: String
  package let output: String?
  package let frames: Int64?
  package let seconds: Double?
  package let soundSamples: Int64?
  package let silentSamples: Int64?
  package let lostBytes: Int64?
  package let damages: Int?
  package let missing: Int64?
  package let unlisted: Int64?
  package let unwritten: Int64?
  package let missingSamples: Int64?
  package let lacksTimecode: Bool?
  package let sentence: String

  package init(_ film: RecoveredFilm) {
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
    unwritten = film.unwritten
    missingSamples = film.missingSamples
    lacksTimecode = isUnfinished ? film.lacksTimecode : nil
    sentence = film.sentence
  }

  package init(_ error: CamrecError, path: String) { self.init(path, "failed", error.description) }

  /// A folder without an unfinished film.
  package init(nothingIn folder: String, _ sentence: String) { self.init(folder, "nothing", sentence) }

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
    unwritten = nil
    missingSamples = nil
    lacksTimecode = nil
  }
}
