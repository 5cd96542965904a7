import Audio
import Frames
import Movies

/// Decides when a fragment of a live movie is complete.
///
/// B-frames are stored after the picture that they lie before. A fragment ends where no picture is owed, so that a
/// killed file misses nothing between its pictures; only where the limit leaves no choice does it end elsewhere.
struct MovieFragment {
  private let pictureLimit: Int64
  private let soundLimit: Int
  private let nominalTicks: Int64
  private var pictureTicks: Int64 = 0
  private var samples = 0
  private var hasPicture = false
  private var owesPictures = false
  /// Pictures since none was owed, and the longest such run so far: what to expect of the next.
  private var run: Int64 = 0
  private var longestRun: Int64 = 1

  init(_ settings: MovieSettings) {
    let longest = LossBudget(settings.lossLimit).fragment
    pictureLimit = Int64(longest * settings.timeBase.inverse.doubleValue)
    nominalTicks = (settings.frameRate.frameDuration * settings.timeBase.inverse).scaling(1)
    soundLimit = settings.audio.map { Int(longest * Double($0.sampleRate)) } ?? Int.max
  }

  /// - Parameter owes: pictures that are shown before this one are still to come.
  mutating func add(pictureTicks ticks: Int64, owes: Bool) {
    hasPicture = true
    pictureTicks += ticks
    run += 1
    longestRun = max(longestRun, run)
    owesPictures = owes
    if !owes { run = 0 }
  }

  mutating func add(samples count: Int) { samples += count }

  /// What is expected next would make it too long. The first fragment waits for a picture, which the header needs.
  var isDue: Bool {
    guard hasPicture else { return false }
    let next = owesPictures ? nominalTicks : longestRun * nominalTicks
    return pictureTicks > 0 && pictureTicks + next > pictureLimit || samples >= soundLimit
  }

  /// The fragment has been handed to the file.
  mutating func flushed() {
    pictureTicks = 0
    samples = 0
  }
}
