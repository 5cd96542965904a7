package import Audio
import Cameras
import Color
import Foundation
package import Frames
package import Goldens
import MediaFFmpeg
package import Movies
import Reporting

/// Compares the frames to be encoded with a film's decoded frames. Pairs them by the simulated camera's frame numbers
/// as long as both have one and they rise, otherwise by their times, corrected by the delays.
///
/// Thread: as `MovieSink`; read the results when the session has ended.
package final class MeasuringSink: MovieSink, @unchecked Sendable {
  // @unchecked Sendable: calls of `MovieSink` come one at a time, and `timeBase` is set before the first.
  /// Seconds per tick of the frames to be encoded.
  package var timeBase = Rational(1)
  private let film: ClipPictures
  private let half: Double
  private var decoded: (picture: ClipPictures.Picture, seconds: Double, key: Key)?
  private var hasBegun = false
  private var numbers = FrameNumbers()
  private var filmNumbers = FrameNumbers()
  /// The film has what was encoded, also where its container and codec have no word for full range.
  private var meter = PictureMeter(sharesRange: true)
  private var count = 0
  package private(set) var pictures: [ClipQuality.Picture] = []
  private var missing: [(number: Int, seconds: Double)] = []
  private var added: [Double] = []
  private var shifted: [(number: Int, seconds: Double, shift: Double)] = []

  /// The numbers in consecutive frames, as long as each has one that is greater than the one before.
  private struct FrameNumbers {
    private var before: Int64? = -1

    mutating func next(_ picture: borrowing Frame) -> Int64? {
      guard let last = before else { return nil }
      before = SimulatedMark(of: picture, luma: picture.packedLuma()).map { Int64($0.number) }.flatMap {
        $0 > last ? $0 : nil
      }
      return before
    }
  }

  /// What identifies a frame.
  private struct Key {
    let number: Int64?
    let seconds: Double

    /// - Parameter half: half of a frame's duration.
    func isBefore(_ other: Key, half: Double) -> Bool {
      guard let number, let wanted = other.number else { return seconds < other.seconds - half }
      return number < wanted
    }
  }

  /// Maps the film's times to those of the frames to be encoded; `nil`: they are the same.
  private let delays: FrameDelays?

  package init(film: ClipPictures, delays: FrameDelays? = nil) {
    self.film = film
    self.delays = delays
    half = film.clip.frameRate.frameDuration.doubleValue / 2
  }

  /// Missing, added and shifted frames, for people.
  package var faults: [String] {
    var faults: [String] = []
    func more(_ count: Int) -> String { count == 1 ? "" : ", the first of \(count)" }
    if let first = missing.first {
      faults.append(
        "frame \(first.number) (\(HumanText.fixed(first.seconds, 3)) s) was encoded but is not in the film"
          + more(missing.count)
      )
    }
    if let first = added.first {
      faults.append("the film has a frame at \(HumanText.fixed(first, 3)) s that was not encoded\(more(added.count))")
    }
    if let first = shifted.first {
      faults.append(
        "frame \(first.number) (\(HumanText.fixed(first.seconds, 3)) s) comes"
          + " \(HumanText.fixed(abs(first.shift) * 1000, 3)) ms \(first.shift < 0 ? "earlier" : "later")"
          + " in the film\(more(shifted.count))")
    }
    return faults
  }

  package func write(_ frame: consuming Frame, at time: Int64) throws(CamrecError) {
    let format = film.clip.format
    guard (format.width, format.height) == (frame.format.width, frame.format.height) else {
      throw CamrecError(.input, "'\(film.path)' has frames of another size")
    }
    let seconds = Double(time) * timeBase.doubleValue
    let key = Key(number: numbers.next(frame), seconds: seconds)
    if !hasBegun { try advance() }
    hasBegun = true
    while let decoded, decoded.key.isBefore(key, half: half) {
      added.append(decoded.seconds)
      try advance()
    }
    if let decoded, !key.isBefore(decoded.key, half: half) {
      let quality = try meter.measure(frame, decoded.picture.picture)
      pictures.append(
        ClipQuality.Picture(number: count, seconds: seconds, otherSeconds: decoded.seconds, quality: quality))
      let shift = decoded.seconds - seconds
      if abs(shift) > half { shifted.append((count, seconds, shift)) }
      try advance()
    } else {
      missing.append((count, seconds))
    }
    count += 1
  }

  private func advance() throws(CamrecError) {
    decoded = nil
    while let picture = try film.next() {
      let seconds = Double(picture.time.ticks) * film.seconds, number = filmNumbers.next(picture.picture)
      // A frame missing from those to be encoded has no counterpart.
      guard let place = delays.map({ $0.filmSeconds(ofGolden: seconds) }) ?? seconds else { continue }
      decoded = (picture, seconds, Key(number: number, seconds: place))
      return
    }
  }

  package func write(_ sound: borrowing AudioBuffer) throws(CamrecError) {}

  package func finish(at endTime: Int64) throws(CamrecError) -> MovieReport {
    while let decoded {
      added.append(decoded.seconds)
      try advance()
    }
    return MovieReport(path: "", bytes: 0, frames: Int64(count))
  }

  package var bytesWritten: Int64 { 0 }
}
