import Frames
import Recorder

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
  let colorOut: String
  let lut: LUTRecord?
  /// `cpu`, or the GPU's name.
  let bakedOn: String
  let exposure: String?
  let codec: String
  let output: String

  init(_ description: RecordingDescription) {
    camera = description.camera
    microphone = description.microphone
    width = description.width
    height = description.height
    fps = description.frameRate.description
    pixelFormat = description.pixelFormat
    colorIn = description.colorIn
    colorOut = description.colorOut
    lut = description.lutSHA256.map { LUTRecord(title: description.lutTitle, sha256: $0) }
    bakedOn = description.bakedOn ?? "cpu"
    exposure = description.exposure
    codec = description.codec
    output = description.output
  }
}

struct LUTRecord: Encodable {
  let title: String?
  let sha256: String
}

/// About twice a second.
struct ProgressEvent: Encodable {
  let event = "progress"
  /// Of film.
  let seconds: Double
  let frames: Int
  let fps: Double
  let ledger: LedgerRecord
  let bytes: Int64
  /// Bits per second since the last event.
  let bitrate: Double
  /// The largest sample since the last event, 0…1.
  let peak: Double?
  let freeBytes: Int64?
}

struct WarningEvent: Encodable {
  let event = "warning"
  let message: String
}

/// The end; `status` is the exit status.
struct StoppedEvent: Encodable {
  let event = "stopped"
  let status: Int32
  let ledger: LedgerRecord
  var output: String?
  var frames: Int64?
  var bytes: Int64?
  var sound: SoundRecord?
  /// The camera's measured rate against its nominal one.
  var ratePartsPerMillion: Double?
  var isVariableRate = false
  /// From the start of the process.
  var secondsToFirstFrame: Double?
  /// Why sound ended before the picture.
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
  let silent: Int64
  let stretchPartsPerMillion: Double

  init(_ summary: SoundSummary) {
    frames = summary.frames
    overruns = summary.overruns
    lost = summary.lostFrames
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
