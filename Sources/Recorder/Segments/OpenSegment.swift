import Frames
import Movies
import Sidecar

/// A file of a recording from its first frame until it is finished.
///
/// `@unchecked Sendable`: touched by the write thread until it is handed over, then by the thread that finishes it.
final class OpenSegment: @unchecked Sendable {
  /// Where it ends: in ticks of the recording, at which sample, and the account of all frames in front of that.
  struct End {
    var ticks: Int64
    var sample: Int64
    var before: FrameLedger.Counts
  }

  let number: Int
  /// As it is called now.
  var path: String
  let sink: any MovieSink
  var sidecar: SidecarWriter?
  /// The sidecar's file may be made.
  var isSidecarReleased = false
  /// Of its first frame, in the recording.
  let firstFrame: Int64
  let firstTicks: Int64
  /// The first sample that belongs to it.
  let firstSample: Int64
  /// The account of all frames in front of it.
  let before: FrameLedger.Counts
  /// Frames, and samples of each channel, that were handed to the sink, and samples that were lost.
  var frames = 0
  /// Frames that it has again, in the place of lost ones.
  var repeats = 0
  var soundFrames: Int64 = 0
  var soundLost: Int64 = 0
  /// Its sink has refused sound, and gets no more.
  var hasFailed = false
  /// `nil` while frames are written to it.
  var end: End?
  /// Whether the file has its name still, as far as that was acted upon.
  var place = FilePlace.inPlace
  /// It was deleted, and there is no copy of it.
  var held: HeldFilm?

  init(
    number: Int, path: String, sink: any MovieSink, sidecar: SidecarWriter?, firstFrame: Int64, firstTicks: Int64,
    firstSample: Int64, before: FrameLedger.Counts
  ) {
    self.number = number
    self.path = path
    self.sink = sink
    self.sidecar = sidecar
    self.firstFrame = firstFrame
    self.firstTicks = firstTicks
    self.firstSample = firstSample
    self.before = before
  }
}
