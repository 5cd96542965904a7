import Foundation
import Frames
import Movies
import Recorder
import RecorderAPI
import Sidecar

/// The first frame has arrived.
struct StartedEvent: Encodable {
  let event = "started"
  let version = Camrec.version
  let camera: String
  let microphone: String?
  let width: Int
  let height: Int
  /// Exact: `24`, `24000/1001`.
  let fps: String
  let pixelFormat: String
  let colorIn: String
  /// Neither the clip nor the user has named it.
  let isColorInGuessed: Bool
  let colorOut: String
  let lut: LUTRecord?
  let look: LookRecord?
  /// `cpu`, or the GPU's name.
  let bakedOn: String
  let exposure: String?
  let codec: String
  let output: String
  let safety: SafetyRecord?
  /// The recorder's process, and its control socket if it has one.
  let pid = ProcessInfo.processInfo.processIdentifier
  let socket: String?

  init(_ description: RecordingDescription, socket: String?) {
    self.socket = socket
    camera = description.camera
    microphone = description.microphone
    width = description.width
    height = description.height
    fps = description.frameRate.description
    pixelFormat = description.pixelFormat
    colorIn = description.colorIn
    isColorInGuessed = description.isColorInGuessed
    colorOut = description.colorOut
    lut = description.lutSHA256.map { LUTRecord(title: description.lutTitle, sha256: $0) }
    look = description.look.map(LookRecord.init)
    bakedOn = description.bakedOn ?? "cpu"
    exposure = description.exposure
    codec = description.codec
    output = description.output
    safety = description.safety.map(SafetyRecord.init)
  }
}

/// Times in seconds.
struct SafetyRecord: Encodable {
  /// What a power cut may cost: as asked for, and in fact while bake, encoder and disk keep up; the latter is left out
  /// if it is not known.
  let maxLoss: Double
  let lossBound: Double?
  /// What waits in memory at most while the disk stalls.
  let bufferBytes: Int
  let bufferSeconds: Double

  init(_ safety: RecordingDescription.Safety) {
    maxLoss = safety.lossLimit
    lossBound = safety.lossBound
    bufferBytes = safety.bufferBytes
    bufferSeconds = safety.bufferSeconds
  }
}

struct LookRecord: Encodable {
  let name: String
  let version: Int
  let seed: UInt64

  init(_ look: SidecarLook) {
    name = look.name
    version = look.version
    seed = look.seed
  }
}

struct LUTRecord: Encodable {
  let title: String?
  let sha256: String
}

/// The recorder is ready, and records nothing until it is told to start.
struct StandbyEvent: Encodable {
  let event = "standby"
  let version = Camrec.version
}

/// Events that nobody read in time: so many were dropped before this one.
struct DroppedEvent: Encodable {
  let event = "dropped"
  let count: Int
}

/// Sent every few seconds, as long as the recorder does not hang, to the program at the other end of standard input.
struct AliveEvent: Encodable {
  let event = "alive"
  let phase: RecorderState.Phase
}

/// The pre-roll that is kept in memory in standby.
struct PreRollEvent: Encodable {
  let event = "pre-roll"
  /// Seconds of film: as asked for, and how many of these the memory holds at the rate expected.
  let seconds: Double
  let bytes: Int
  let secondsAtMost: Double
}

/// About twice a second.
struct ProgressEvent: Encodable {
  let event = "progress"
  /// Of film.
  let seconds: Double
  /// In the film, repeated ones included.
  let frames: Int
  /// Without repeated frames.
  let fps: Double
  let ledger: LedgerRecord
  let bytes: Int64
  /// Bits per second since the last event.
  let bitrate: Double
  /// The largest sample since the last event, 0…1.
  let peak: Double?
  let freeBytes: Int64?
  /// Of film that a crash would cost now; left out if that is unknown.
  let unsavedSeconds: Double?
  /// For a clip that says how long it is: frames in all, percent done, speed against real time, seconds left.
  var total: Int?
  var percent: Double?
  var speed: Double?
  var secondsLeft: Double?
  /// The last frame has been read; the film is being put together.
  var isFinishing: Bool?
}

/// A segment of a recording is complete.
struct SegmentEvent: Encodable {
  let event = "segment"
  /// Counted from 1.
  let number: Int
  let output: String
  let frames: Int64
  let bytes: Int64
  /// The first frame's place in the recording, and its time and the file's length in seconds.
  let firstFrame: Int64
  let start: Double
  let seconds: Double
  let timecode: String?
  let ledger: LedgerRecord

  init(_ segment: FinishedSegment) {
    number = segment.number
    output = segment.path
    frames = segment.frames
    bytes = segment.bytes
    firstFrame = segment.firstFrame
    start = segment.start
    seconds = segment.duration
    timecode = segment.timecode?.description
    ledger = LedgerRecord(segment.counts)
  }
}

struct WarningEvent: Encodable {
  let event = "warning"
  let message: String
}

/// Load or heat has changed the effort for each frame.
struct EffortEvent: Encodable {
  let event = "effort"
  /// `load` or `heat`, and its step; 0 is the effort asked for.
  let cause: String
  let step: Int
  /// The next file's; left out if the encoder has none.
  let preset: String?
  /// Threads that bake.
  let workers: Int
  let message: String

  init(_ change: EffortChange) {
    cause = change.cause.rawValue
    step = change.step
    preset = change.preset
    workers = change.workers
    message = change.sentence
  }
}

/// A warning with fields, or a note about something that is as it should be.
struct RemarkEvent: Encodable {
  let event: String
  let message: String
  let facts: [String: String]

  init(_ remark: SessionRemark) {
    event = remark.isWarning ? "warning" : "note"
    message = remark.sentence
    facts = remark.facts
  }
}

/// The end; `status` is the exit status.
struct StoppedEvent: Encodable {
  let event = "stopped"
  let status: Int32
  let ledger: LedgerRecord
  /// Frames that were due between the film that this one continues and this one; they are in neither film's ledger.
  var between: Int?
  /// Of several files, the last one; frames and bytes are those of all.
  var output: String?
  var frames: Int64?
  /// Frames among them that repeat another one, in gaps.
  var repeated = 0
  /// Frames that were written to a film that is not kept, because its bake was stopped or failed.
  var discarded: Int?
  /// Set for the film of a bake that was stopped or failed before its end; `nil` for others.
  var isPartial: Bool?
  /// Frames that such a film should have had.
  var total: Int?
  var bytes: Int64?
  /// Of film.
  var seconds: Double?
  /// The number of files, if the recording is divided into segments.
  var segments: Int?
  var sound: SoundRecord?
  /// The camera's measured rate against its nominal one.
  var ratePartsPerMillion: Double?
  var isVariableRate = false
  /// From the start of the process; only for the first film, and not after standby.
  var secondsToFirstFrame: Double?
  /// Why the audio ended early.
  var soundError: ErrorRecord?
  var error: ErrorRecord?

  init(status: Int32, ledger: LedgerRecord) {
    self.status = status
    self.ledger = ledger
  }
}

struct LedgerRecord: Encodable {
  struct Losses: Encodable {
    let deviceGap: Int
    let deviceError: Int
    let overload: Int
    let disk: Int
    let defect: Int
  }

  let expected: Int
  let captured: Int
  let written: Int
  let lost: Losses

  init(_ counts: FrameLedger.Counts) {
    expected = counts.expected
    captured = counts.captured
    written = counts.written
    lost = Losses(
      deviceGap: counts.deviceGaps, deviceError: counts.deviceErrors, overload: counts.overloads,
      disk: counts.diskLosses, defect: counts.defects)
  }
}

/// Counts are of audio frames: one sample of each channel.
struct SoundRecord: Encodable {
  let frames: Int64
  let overruns: Int
  let lost: Int64
  /// Those among them that the disk did not store.
  let disk: Int64
  let silent: Int64
  let stretchPartsPerMillion: Double

  init(_ summary: SoundSummary) {
    frames = summary.frames
    overruns = summary.overruns
    lost = summary.lostFrames
    disk = summary.refusedFrames
    silent = summary.silentFrames
    stretchPartsPerMillion = summary.stretch
  }
}

struct ErrorRecord: Encodable {
  let code: String
  let message: String
  let cause: String?

  init(_ error: CamrecError) {
    code = error.code.rawValue
    message = error.message
    cause = error.cause
  }
}
