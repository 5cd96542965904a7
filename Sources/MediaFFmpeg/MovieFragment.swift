import Audio
import Frames
import Movies

/// Decides when a fragment of a film is complete.
///
/// B-frames are stored after a frame that is shown later. A fragment ends where no earlier frame is still owed, so that
/// a killed recording misses nothing between its frames. It ends elsewhere only if the limit leaves no choice.
struct MovieFragment {
  private let pictureLimit: Int64
  private let soundLimit: Int
  private let nominalTicks: Int64
  private var pictureTicks: Int64 = 0
  private var samples = 0
  private var hasPicture = false
  private var owesPictures = false
  /// Frames since none was owed, and the longest such run so far, which is expected of the next.
  private var run: Int64 = 0
  private var longestRun: Int64 = 1

  init(_ settings: MovieSettings) {
    let longest = settings.longestFragment
    pictureLimit = Int64(longest * settings.timeBase.inverse.doubleValue)
    nominalTicks = (settings.frameRate.frameDuration * settings.timeBase.inverse).scaling(1)
    soundLimit = settings.audio.map { Int(longest * Double($0.sampleRate)) } ?? Int.max
  }

  /// - Parameter owes: frames that are shown before this one are still to come.
  mutating func add(pictureTicks ticks: Int64, owes: Bool) {
    hasPicture = true
    pictureTicks += ticks
    run += 1
    longestRun = max(longestRun, run)
    owesPictures = owes
    if !owes { run = 0 }
  }

  mutating func add(samples count: Int) { samples += count }

  /// Whether what is expected next would make the fragment too long. The first fragment waits for a frame, which the
  /// header needs.
  var isDue: Bool {
    guard hasPicture else { return false }
    let next = owesPictures ? nominalTicks : longestRun * nominalTicks
    return pictureTicks > 0 && pictureTicks + next > pictureLimit || samples >= soundLimit
  }

  /// Begins anew: the fragment has been handed to the file.
  mutating func flushed() {
    pictureTicks = 0
    samples = 0
  }
}
