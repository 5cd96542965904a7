import Frames

/// Remedies for a file. FFmpeg copies a timecode track without its drop-frame flag, but makes a right one from the
/// picture's tag: `-map -0:d` leaves out the old one, with other data tracks.
enum Remedy {
  static let newHeader =
    "rewrite its header, without data tracks: ffmpeg -i FILE -map 0 -map -0:d -c copy NEW.mov"

  static func tag(_ format: String) -> String { "ffmpeg -i FILE -map 0 -map -0:d -c copy -tag:v \(format) NEW.mov" }

  /// For a file without an index, which FFmpeg cannot open, or with one by which FFmpeg does not find the samples.
  static let copyWhole = "copy it again from where it was recorded"

  /// For a film that is cut off behind its index. FFmpeg would copy the piece of a frame at the end as well: in ProRes,
  /// PNG and FFV1 that frame does not decode.
  static let saveRest =
    "\(copyWhole); to save what is left: ffmpeg -fflags +discardcorrupt -i FILE -c copy NEW.mov"

  /// For damaged frames, which a copy has as well.
  static let encodeRest = "\(copyWhole); to save the frames that decode: camrec bake FILE --output NEW.mov"

  static let bakeAgain =
    "an unfinished bake left it: bake the clip again; camrec recover FILE removes this file"

  /// With a sidecar, it stays.
  static let removePrepared = "camrec recover FILE removes it, unless its recording had begun"

  static let encodeAgain = "encode it again: camrec bake FILE --output NEW.mov"

  static let recoverOwn = "its recording was cut off, or its disk was full: camrec recover FILE"

  /// The last fragment may be cut off.
  static let recover =
    "a camrec film: camrec recover FILE; others: "
    + "ffmpeg -fflags +discardcorrupt -i FILE -map 0 -map -0:d -c copy NEW.mov"

  static let timecode = "ffmpeg -i FILE -map 0 -map -0:d -c copy -timecode HH:MM:SS:FF NEW.mov (;FF for drop-frame)"

  static let noTimecode =
    "FFmpeg cannot fit the timecode to this picture; leave it out: "
    + "ffmpeg -i FILE -map 0 -map -0:d -c copy -write_tmcd 0 NEW.mov"

  static let constantRate = "encode it again at a constant rate: ffmpeg -i FILE -fps_mode cfr -r RATE NEW.mov"

  static let filledGaps = "camrec bake FILE --fill-gaps --output NEW.mov repeats the frame before each gap;"
    + " camrec record --fill-gaps does so while recording"

  /// For a film whose last frame lasts too long, which 'camrec bake --fill-gaps' does not change. FFmpeg's `fps` alone
  /// fills the end of some films, and not of those whose frames are reordered: the frames are appended, and counted.
  ///
  /// - Parameters:
  ///   - missing: behind the last one.
  ///   - total: of the film with all that are missing.
  static func filledEnd(rate: Rational, missing: Int, total: Int) -> String {
    "repeat the last frame: ffmpeg -i FILE -vf fps=\(rate),tpad=stop_mode=clone:stop=\(missing)"
      + " -frames:v \(total) NEW.mov"
  }

  /// For a film with gaps whose audio begins before the picture or after it.
  static let filledTogether =
    "fill the gaps of the picture; audio and picture then begin together: camrec bake FILE --fill-gaps --output NEW.mov"

  /// For a film with gaps: FFmpeg would count the timecode of its copy at the mean rate, which they distort.
  ///
  /// - Parameter remedy: for the film without gaps, which begins with its first frame.
  static func afterFilling(_ remedy: String) -> String {
    "first fill the gaps of the picture: camrec bake FILE --fill-gaps --output NEW.mov; then "
      + remedy.replacing("NEW.mov", with: "LAST.mov").replacing("FILE", with: "NEW.mov")
  }

  /// No program can copy a film and change its matrix with the translation.
  static let newMatrix = "encode it again: camrec bake FILE --rotation DEGREES --output NEW.mov"

  static let newSound =
    "ffmpeg -i FILE -map 0:v -map 0:a -c:v copy -c:a pcm_s24le -af aresample=async=1:first_pts=0 NEW.mov"

  /// Cuts off the sound before the picture.
  ///
  /// - Parameter seconds: from the sound's beginning to the picture's.
  static func soundFrom(_ seconds: Double) -> String {
    "ffmpeg -i FILE -map 0:v -map 0:a -c:v copy -c:a pcm_s24le -af atrim=start=\(FilmCheck.rounded(seconds, 3)) NEW.mov"
  }

  /// Cuts longer sound, and appends silence to shorter sound.
  ///
  /// - Parameter seconds: from the film's beginning to the picture's end.
  static func soundOfLength(_ seconds: Double) -> String {
    "ffmpeg -i FILE -map 0:v -map 0:a -c:v copy -c:a pcm_s24le -af apad -t \(FilmCheck.rounded(seconds, 3)) NEW.mov"
  }
}
