import Foundation
package import Frames
import Movies
package import Recorder
package import RecorderAPI

/// The first frame has arrived.
package struct StartedEvent: Encodable {
  package let event = "started"
  package let version = Product.version
  package let recordingID: String
  package let filmID: String
  package let camera: String
  package let microphone: String?
  package let width: Int
  package let height: Int
  /// Exact: `24`, `24000/1001`.
  package let fps: String
  package let pixelFormat: String
  package let colorIn: String
  /// Neither the clip or camera nor the user has named it.
  package let isColorInGuessed: Bool
  package let colorOut: String
  package let lut: LUTIdentity?
  package let look: LookIdentity?
  /// `cpu`, or the GPU's name.
  package let bakedOn: String
  package let exposure: String?
  package let codec: String
  package let output: String
  package let safety: SafetyRecord?
  /// The recorder's process, and its control socket and its monitor socket if it has them.
  package let pid = ProcessInfo.processInfo.processIdentifier
  package let socket: String?
  package let monitor: String?

  package init(_ description: RecordingDescription, socket: String?, monitor: String? = nil) {
    self.socket = socket
    self.monitor = monitor
    recordingID = description.identity.recordingID
    filmID = description.identity.filmID
    camera = description.camera
    microphone = description.microphone
    width = description.width
    height = description.height
    fps = description.frameRate.description
    pixelFormat = description.pixelFormat
    colorIn = description.colorIn
    isColorInGuessed = description.isColorInGuessed
    colorOut = description.colorOut
    lut = description.lut
    look = description.look
    bakedOn = description.bakedOn ?? "cpu"
    exposure = description.exposure
    codec = description.codec
    output = description.output
    safety = description.safety.map(SafetyRecord.init)
  }
}

/// Times in seconds.
package struct SafetyRecord: Encodable {
  /// What a power cut may cost: as asked for, and in fact while bake, encoder and disk keep up; the latter is left out
  /// if it is not known.
  package let maxLoss: Double
  package let lossBound: Double?
  /// What waits in memory at most while the disk stalls.
  package let bufferBytes: Int
  package let bufferSeconds: Double

  package init(_ safety: RecordingDescription.Safety) {
    maxLoss = safety.lossLimit
    lossBound = safety.lossBound
    bufferBytes = safety.bufferBytes
    bufferSeconds = safety.bufferSeconds
  }
}

/// The recorder is ready, and records nothing until it is told to start.
package struct StandbyEvent: Encodable {
  package let event = "standby"
  package let version = Product.version
}

/// Events that nobody read in time: so many were dropped before this one.
package struct DroppedEvent: Encodable {
  package let event = "dropped"
  package let count: Int
}

/// Sent every few seconds, as long as the recorder does not hang, to the program at the other end of standard input.
package struct AliveEvent: Encodable {
  package let event = "alive"
  package let phase: RecorderState.Phase

  package init(phase: RecorderState.Phase) {
    self.phase = phase
  }
}

/// The recorder ends; for the program at the other end of standard input, which decides whether to start it again.
package struct EndedEvent: Encodable {
  package let event = "ended"
  package let status: Int32
  package let isAsked: Bool

  package init(_ end: RecorderEnd) {
    status = end.status.rawValue
    isAsked = end.isAsked
  }
}

/// The pre-roll that is kept in memory in standby.
package struct PreRollEvent: Encodable {
  package let event = "pre-roll"
  /// Seconds of film: as asked for, and how many of these the memory holds at the rate expected.
  package let seconds: Double
  package let bytes: Int
  package let secondsAtMost: Double
}

/// About twice a second.
package struct ProgressEvent: Encodable {
  package let event = "progress"
  /// Of film.
  package let seconds: Double
  /// In the film, repeated ones included.
  package let frames: Int
  /// Without repeated frames.
  package let fps: Double
  package let ledger: LedgerRecord
  package let bytes: Int64
  /// Bits per second since the last event.
  package let bitrate: Double
  /// The largest sample since the last event, 0…1.
  package let peak: Double?
  package let freeBytes: Int64?
  /// Of film that a crash would cost now; left out if that is unknown.
  package let unsavedSeconds: Double?
  /// For a clip that says how long it is: frames in all, percent done, speed against real time, seconds left.
  package var total: Int?
  package var percent: Double?
  package var speed: Double?
  package var secondsLeft: Double?
  /// The last frame has been read; the film is being put together.
  package var isFinishing: Bool?
}

/// A segment of a recording is complete, or cut off.
package struct SegmentEvent: Encodable {
  package let event = "segment"
  package let recordingID: String
  package let filmID: String
  /// Counted from 1.
  package let number: Int
  package let output: String
  package let frames: Int64
  package let bytes: Int64
  /// The first frame's place in the recording, and its time and the file's length in seconds.
  package let firstFrame: Int64
  package let start: Double
  package let seconds: Double
  package let timecode: String?
  package let ledger: LedgerRecord

  package init(_ segment: FinishedSegment) {
    recordingID = segment.identity.recordingID
    filmID = segment.identity.filmID
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

package struct WarningEvent: Encodable {
  package let event = "warning"
  package let message: String
}

/// Load or heat has changed the effort for each frame.
package struct EffortEvent: Encodable {
  package let event = "effort"
  /// `load` or `heat`, and its step; 0 is the effort asked for.
  package let cause: String
  package let step: Int
  /// The next file's; left out if the encoder has none.
  package let preset: String?
  /// Threads that bake.
  package let workers: Int
  package let message: String

  package init(_ change: EffortChange) {
    cause = change.cause.rawValue
    step = change.step
    preset = change.preset
    workers = change.workers
    message = change.message
  }
}

/// A warning with fields, or a note about something that is as it should be.
package struct RemarkEvent: Encodable {
  package let event: String
  /// `error` for what people read as an error; `nil` for other warnings, and for notes.
  package let severity: String?
  package let message: String
  package let facts: [String: String]

  package init(_ remark: SessionRemark) {
    event = remark.isWarning ? "warning" : "note"
    severity = remark.isError ? "error" : nil
    message = remark.message
    facts = remark.facts
  }
}

/// The end; `status` is the exit status.
package struct StoppedEvent: Encodable {
  package let event = "stopped"
  package let status: Int32
  package let ledger: LedgerRecord
  /// The recording, and its last film; left out if no film was begun.
  package var recordingID: String?
  package var filmID: String?
  /// Frames that were due between the film that this one continues and this one; they are in neither film's ledger.
  package var between: Int?
  /// Of several files, the last one; frames and bytes are those of all.
  package var output: String?
  package var frames: Int64?
  /// Frames among them that repeat another one, in gaps.
  package var repeated = 0
  /// Frames that were written to a film that is not kept, because its bake was stopped or failed.
  package var discarded: Int?
  /// Set for the film of a bake that was stopped or failed before its end; `nil` for others.
  package var isPartial: Bool?
  /// Frames that such a film should have had.
  package var total: Int?
  package var bytes: Int64?
  /// Of film.
  package var seconds: Double?
  /// The number of files, if the recording is divided into segments.
  package var segments: Int?
  package var sound: SoundRecord?
  /// The camera's measured rate against its nominal one.
  package var ratePartsPerMillion: Double?
  package var isVariableRate = false
  /// From the start of the process; only for the first film, and not after standby.
  package var secondsToFirstFrame: Double?
  /// Why audio is missing at the film's end.
  package var soundError: ErrorRecord?
  package var error: ErrorRecord?

  package init(status: Int32, ledger: LedgerRecord) {
    self.status = status
    self.ledger = ledger
  }
}

package struct LedgerRecord: Encodable {
  package struct Losses: Encodable {
    package let deviceGap: Int
    package let deviceError: Int
    package let overload: Int
    package let disk: Int
    package let defect: Int
  }

  package let expected: Int
  package let captured: Int
  package let written: Int
  package let lost: Losses

  package init(_ counts: FrameLedger.Counts) {
    expected = counts.expected
    captured = counts.captured
    written = counts.written
    lost = Losses(
      deviceGap: counts.deviceGaps, deviceError: counts.deviceErrors, overload: counts.overloads,
      disk: counts.diskLosses, defect: counts.defects)
  }
}

/// Counts are of audio frames: one sample of each channel.
package struct SoundRecord: Encodable {
  package let frames: Int64
  package let overruns: Int
  package let lost: Int64
  /// Those among them that the disk did not store.
  package let disk: Int64
  package let silent: Int64
  package let stretchPartsPerMillion: Double

  package init(_ summary: SoundSummary) {
    frames = summary.frames
    overruns = summary.overruns
    lost = summary.lostFrames
    disk = summary.refusedFrames
    silent = summary.silentFrames
    stretchPartsPerMillion = summary.stretch
  }
}

package struct ErrorRecord: Encodable {
  package let code: String
  package let message: String
  package let cause: String?

  package init(_ error: CamrecError) {
    code = error.code.rawValue
    message = error.message
    cause = error.cause
  }
}
