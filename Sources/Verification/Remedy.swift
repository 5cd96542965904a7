/// What mends a file. FFmpeg copies a timecode track without its drop-frame flag, and makes a right one of the tag
/// that the picture has: `-map -0:d` leaves the old one out, and other tracks of data with it.
enum Remedy {
  static let newHeader =
    "write its header anew, without tracks of data: ffmpeg -i FILE -map 0 -map -0:d -c copy NEW.mov"

  static func tag(_ format: String) -> String { "ffmpeg -i FILE -map 0 -map -0:d -c copy -tag:v \(format) NEW.mov" }

  static let copyAgain = "\(copyWhole); what is left of it: ffmpeg -i FILE -c copy NEW.mov"

  /// Where there is no index: FFmpeg opens nothing without.
  static let copyWhole = "copy it again from where it was recorded"

  static let bakeAgain =
    "a bake that did not come to its end has left it: bake its clip again; camrec recover FILE removes this one"

  static let encodeAgain = "encode it anew: camrec bake FILE --output NEW.mov"

  static let recover = "camrec's own: camrec recover FILE; others': ffmpeg -i FILE -map 0 -map -0:d -c copy NEW.mov"

  static let timecode = "ffmpeg -i FILE -map 0 -map -0:d -c copy -timecode HH:MM:SS:FF NEW.mov (;FF for drop-frame)"

  static let constantRate = "encode it anew at a constant rate: ffmpeg -i FILE -fps_mode cfr -r RATE NEW.mov"

  static let filledGaps = "camrec bake FILE --fill-gaps --output NEW.mov repeats the frame in front of each gap;"
    + " camrec record --fill-gaps does so at once"

  /// No program copies a film and gives it another matrix with its translation.
  static let newMatrix = "encode it anew: camrec bake FILE --rotation DEGREES --output NEW.mov"

  static let newSound =
    "ffmpeg -i FILE -map 0:v -map 0:a -c:v copy -c:a pcm_s24le -af aresample=async=1:first_pts=0 NEW.mov"

  /// Cuts sound that is longer, and goes on with silence behind sound that is shorter.
  ///
  /// - Parameter seconds: from the film's beginning to the picture's end.
  static func soundOfLength(_ seconds: Double) -> String {
    "ffmpeg -i FILE -map 0:v -map 0:a -c:v copy -c:a pcm_s24le -af apad -t \(FilmCheck.rounded(seconds, 3)) NEW.mov"
  }
}
