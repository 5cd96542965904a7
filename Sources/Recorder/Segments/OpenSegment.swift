import Frames
import Movies
import RecorderAPI
import Sidecar

/// A file of a recording from its first frame until it is finished.
///
/// `@unchecked Sendable`: touched by the write thread until it is handed over, then by the thread that finishes it.
final class OpenSegment: @unchecked Sendable {
  /// Where it ends: in ticks and samples of the recording, with the account of all frames before that point.
  struct End {
    var ticks: Int64
    var sample: Int64
    var before: FrameLedger.Counts
  }

  let number: Int
  let identity: RecordingIdentity
  /// Its present path.
  var path: String
  let sink: any MovieSink
  var sidecar: SidecarWriter?
  /// The sidecar's file may be made.
  var isSidecarReleased = false
  /// The place of its first frame in the recording.
  let firstFrame: Int64
  let firstTicks: Int64
  /// The first sample that belongs to it.
  let firstSample: Int64
  /// The account of all frames before it.
  let before: FrameLedger.Counts
  /// Frames handed to the sink.
  var frames = 0
  /// Frames that its sink took and did not store.
  var refusedFrames = 0
  /// Ticks up to the end of what its sink has stored, whether or not that is kept; `nil` if nothing has cut it off.
  var storedTicks: Int64?
  /// Repeated frames in place of lost ones.
  var repeats = RepeatedPlaces()
  /// Samples of each channel handed to the sink.
  var soundFrames: Int64 = 0
  /// Samples of each channel that were lost.
  var soundLost: Int64 = 0
  /// Silence in place of lost sound.
  var silences = SilentPlaces()
  /// Its sink has refused sound and gets no more.
  var hasFailed = false
  /// `nil` while frames are written to it.
  var end: End?
  /// The file's place, as last acted upon.
  var place = FilePlace.inPlace
  /// Set if the file was deleted and has no copy.
  var held: HeldFilm?

  init(
    number: Int, identity: RecordingIdentity, path: String, sink: any MovieSink, sidecar: SidecarWriter?,
    firstFrame: Int64, firstTicks: Int64, firstSample: Int64, before: FrameLedger.Counts
  ) {
    self.number = number
    self.identity = identity
    self.path = path
    self.sink = sink
    self.sidecar = sidecar
    self.firstFrame = firstFrame
    self.firstTicks = firstTicks
    self.firstSample = firstSample
    self.before = before
  }
}
