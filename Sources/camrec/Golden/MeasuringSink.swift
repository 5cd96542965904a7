import Audio
import Cameras
import Foundation
import Frames
import Goldens
import MediaFFmpeg
import Movies

/// Holds the pictures that would be encoded against those that a decoder gives of the film, by their times.
///
/// Thread: as `MovieSink`; what it found when the session has ended.
final class MeasuringSink: MovieSink, @unchecked Sendable {
  // @unchecked Sendable: calls of `MovieSink` come one at a time, and `timeBase` is set before the first.
  /// Seconds of a tick of the pictures that would be encoded.
  var timeBase = Rational(1)
  private let film: ClipPictures
  private let half: Double
  private var decoded: ClipPictures.Picture?
  private var hasBegun = false
  private var meter = PictureMeter()
  private var count = 0
  private(set) var pictures: [ClipQuality.Picture] = []
  private var missing: [(number: Int, seconds: Double)] = []
  private var added: [Double] = []

  init(film: ClipPictures) {
    self.film = film
    half = film.clip.format.frameRate.frameDuration.doubleValue / 2
  }

  /// What of the film's pictures is no question of how like they are, for a person.
  var faults: [String] {
    var faults: [String] = []
    func more(_ count: Int) -> String { count == 1 ? "" : ", the first of \(count)" }
    if let first = missing.first {
      faults.append(
        "frame \(first.number) (\(HumanText.fixed(first.seconds, 3)) s) was encoded and is not in the film\(more(missing.count))"
      )
    }
    if let first = added.first {
      faults.append("the film has a frame at \(HumanText.fixed(first, 3)) s that was not encoded\(more(added.count))")
    }
    return faults
  }

  func write(_ frame: consuming Frame, at time: Int64) throws(CamrecError) {
    let format = film.clip.format
    guard (format.width, format.height) == (frame.format.width, frame.format.height) else {
      throw CamrecError(.input, "'\(film.path)' has pictures of another size")
    }
    let seconds = Double(time) * timeBase.doubleValue
    if !hasBegun { decoded = try film.next() }
    hasBegun = true
    while let picture = decoded, self.seconds(of: picture) < seconds - half {
      added.append(self.seconds(of: picture))
      decoded = try film.next()
    }
    if let picture = decoded, self.seconds(of: picture) <= seconds + half {
      let quality = try meter.measure(frame, picture.picture)
      pictures.append(ClipQuality.Picture(number: count, seconds: seconds, quality: quality))
      decoded = try film.next()
    } else {
      missing.append((count, seconds))
    }
    count += 1
  }

  private func seconds(of picture: ClipPictures.Picture) -> Double { Double(picture.time.ticks) * film.seconds }

  func write(_ sound: borrowing AudioBuffer) throws(CamrecError) {}

  func finish(at endTime: Int64) throws(CamrecError) -> MovieReport {
    while let picture = decoded {
      added.append(seconds(of: picture))
      decoded = try film.next()
    }
    return MovieReport(path: "", bytes: 0, frames: Int64(count))
  }

  var bytesWritten: Int64 { 0 }
}
