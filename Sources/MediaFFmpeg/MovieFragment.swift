import Audio
import Frames
import Movies

/// Decides when a fragment of a live movie is complete, and remembers up to where the file is whole.
struct MovieFragment {
  private let pictureLimit: Int64
  private let soundLimit: Int
  private let nominalTicks: Int64
  private var pictureTicks: Int64 = 0
  private var samples = 0
  private var hasPicture = false
  /// Bytes and frames of the file up to its last whole fragment.
  private(set) var safeSize: Int64 = 0
  private(set) var safeFrames: Int64 = 0

  init(_ settings: MovieSettings) {
    let ticksPerSecond = settings.timeBase.inverse.doubleValue
    pictureLimit = Int64(EncoderOptions.fragmentLimit * ticksPerSecond)
    nominalTicks = (settings.frameRate.frameDuration * settings.timeBase.inverse).scaling(1)
    soundLimit = settings.audio.map { Int(EncoderOptions.fragmentLimit * Double($0.sampleRate)) } ?? Int.max
  }

  mutating func add(pictureTicks ticks: Int64) {
    hasPicture = true
    pictureTicks += ticks
  }

  mutating func add(samples count: Int) { samples += count }

  /// One more frame would make it too long. The first fragment waits for a picture, which the movie's header needs.
  var isDue: Bool {
    hasPicture && (pictureTicks > 0 && pictureTicks + nominalTicks > pictureLimit || samples >= soundLimit)
  }

  /// The fragment is in the file, which has now `size` bytes with `frames` frames.
  mutating func flushed(size: Int64, frames: Int64) {
    pictureTicks = 0
    samples = 0
    safeSize = size
    safeFrames = frames
  }
}
