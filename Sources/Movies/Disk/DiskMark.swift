/// A place up to which a film's file is whole: its bytes, frames, and audio samples of each channel.
package struct DiskMark: Hashable, Sendable {
  package var size: Int64
  package var frames: Int64
  package var samples: Int64
  /// Where the frames end before which none is missing, in ticks.
  package var end: Int64
  /// Where the frame that is shown last ends, in ticks: later than `end` if a frame before it is missing, because
  /// B-frames are stored after a frame that is shown later.
  package var shownEnd: Int64

  package init(size: Int64 = 0, frames: Int64 = 0, samples: Int64 = 0, end: Int64 = 0, shownEnd: Int64? = nil) {
    self.size = size
    self.frames = frames
    self.samples = samples
    self.end = end
    self.shownEnd = shownEnd ?? end
  }
}
