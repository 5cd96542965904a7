/// A place up to which a film's file is whole: its bytes, frames, and audio samples of each channel, and where its
/// frames end, in ticks.
package struct DiskMark: Hashable, Sendable {
  package var size: Int64
  package var frames: Int64
  package var samples: Int64
  package var end: Int64

  package init(size: Int64 = 0, frames: Int64 = 0, samples: Int64 = 0, end: Int64 = 0) {
    self.size = size
    self.frames = frames
    self.samples = samples
    self.end = end
  }
}
