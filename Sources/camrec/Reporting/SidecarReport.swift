import Foundation
import Frames
import Sidecar

/// A sidecar for programs. The help of `camrec info` says what the fields mean; a field that changes its meaning raises
/// `version`.
struct SidecarReport: Encodable {
  struct Film: Encodable {
    let name: String
    let software: String
    let camera: String
    let width: Int
    let height: Int
    let pixelFormat: String
    /// Exact: `24`, `24000/1001`.
    let rate: String
    let colorIn: String
    let colorOut: String
    let lut: LUTRecord?
    let look: LookRecord?
    let bakedOn: String
    let codec: String
    let microphone: String?
    let start: Date
    let timecode: String?
    let bakedFrom: String?

    init(_ head: SidecarHead) {
      name = head.film
      software = head.software
      camera = head.camera
      width = head.width
      height = head.height
      pixelFormat = head.pixelFormat
      rate = head.frameRate.description
      colorIn = head.colorIn
      colorOut = head.colorOut
      lut = head.lutSHA256.map { LUTRecord(title: head.lutTitle, sha256: $0) }
      look = head.look.map(LookRecord.init)
      bakedOn = head.bakedOn ?? "cpu"
      codec = head.codec
      microphone = head.microphone
      start = head.start
      timecode = head.timecode
      bakedFrom = head.bakedFrom
    }
  }

  struct Continuation: Encodable {
    let film: String
    let seconds: Double
    let frames: Int64
  }

  struct End: Encodable {
    let date: Date
    let expected: Int64
    let captured: Int64
    let written: Int64
    let lost: [String: Int64]
    let soundFrames: Int64?
    let soundLost: Int64?
    let ratePartsPerMillion: Double?
    let failure: String?

    init(_ end: SidecarEnd) {
      date = end.date
      expected = end.expected
      captured = end.captured
      written = end.written
      lost = SidecarReport.named(end.losses)
      soundFrames = end.soundFrames
      soundLost = end.soundLost
      ratePartsPerMillion = end.ratePartsPerMillion
      failure = end.failure
    }
  }

  struct Recovery: Encodable {
    struct Missing: Encodable {
      let frame: Int64
      let count: Int64
      let seconds: Double
    }

    let date: Date
    let frames: Int64
    let missing: Int64
    let unlisted: Int64
    let silentSamples: Int64
    let missingFrames: Listing<Missing>

    init(_ recovery: SidecarRecovery, _ missing: SidecarSummary.Listing<SidecarSummary.MissingFrames>) {
      date = recovery.date
      frames = recovery.frames
      self.missing = recovery.missing
      unlisted = recovery.unlisted
      silentSamples = recovery.silentSamples
      missingFrames = Listing(missing) { Recovery.Missing(frame: $0.frame, count: $0.count, seconds: $0.seconds) }
    }
  }

  struct Range: Encodable {
    let least: Double
    let greatest: Double
  }

  struct Gap: Encodable {
    let reason: String
    let frame: Int64?
    let count: Int64
    let seconds: Double?
  }

  struct SoundGap: Encodable {
    let seconds: Double
    let length: Double
  }

  struct ISOChange: Encodable {
    let frame: Int64
    let seconds: Double
    let from: Double
    let to: Double
  }

  struct Note: Encodable {
    let seconds: Double
    let text: String
  }

  struct Listing<Element: Encodable>: Encodable {
    let items: [Element]
    let omitted: Int

    init<Source: Sendable>(_ listing: SidecarSummary.Listing<Source>, _ element: (Source) -> Element) {
      items = listing.items.map(element)
      omitted = listing.omitted
    }
  }

  struct File: Encodable {
    let path: String
    let bytes: Int64
    let tornBytes: Int64
    let damagedLines: Int
    let unknownRecords: Int
  }

  let format = "camrec-info"
  let version = 1
  let film: Film
  let frames: Int64
  let seconds: Double
  let lost: [String: Int64]
  let soundLost: Int64
  let ranges: [String: Range]
  let gaps: Listing<Gap>
  let soundGaps: Listing<SoundGap>
  let isoChanges: Listing<ISOChange>
  let warnings: Listing<Note>
  let notes: Listing<Note>
  let settings: Listing<Note>
  let markers: Listing<Note>
  let repeated: Listing<Recovery.Missing>
  let continues: Continuation?
  let end: End?
  let recovered: Recovery?
  let file: File

  init(_ summary: SidecarSummary) {
    film = Film(summary.head)
    frames = summary.frames
    seconds = summary.seconds
    lost = SidecarReport.named(summary.lost)
    soundLost = summary.soundLost
    ranges = Dictionary(
      uniqueKeysWithValues: summary.ranges.map {
        ($0.key.rawValue, Range(least: $0.value.lowerBound, greatest: $0.value.upperBound))
      })
    gaps = Listing(summary.gaps) {
      Gap(reason: $0.reason.rawValue, frame: $0.frame, count: $0.count, seconds: $0.seconds)
    }
    soundGaps = Listing(summary.soundGaps) { SoundGap(seconds: $0.seconds, length: $0.length) }
    isoChanges = Listing(summary.isoChanges) {
      ISOChange(frame: $0.frame, seconds: $0.seconds, from: $0.from, to: $0.to)
    }
    warnings = Listing(summary.warnings) { Note(seconds: $0.seconds, text: $0.text) }
    notes = Listing(summary.notes) { Note(seconds: $0.seconds, text: $0.text) }
    settings = Listing(summary.settings) { Note(seconds: $0.seconds, text: $0.text) }
    markers = Listing(summary.markers) { Note(seconds: $0.seconds, text: $0.text) }
    repeated = Listing(summary.repeated) { Recovery.Missing(frame: $0.frame, count: $0.count, seconds: $0.seconds) }
    continues = summary.continuation.map { Continuation(film: $0.film, seconds: $0.seconds, frames: $0.frames) }
    end = summary.end.map(End.init)
    recovered = summary.recovery.map { Recovery($0, summary.missing) }
    file = File(
      path: summary.path, bytes: summary.extent.bytes, tornBytes: summary.extent.tornBytes,
      damagedLines: summary.extent.damagedLines, unknownRecords: summary.extent.unknownRecords)
  }

  /// Every reason by its name, including those for which nothing was lost.
  private static func named(_ losses: [LossReason: Int64]) -> [String: Int64] {
    Dictionary(uniqueKeysWithValues: LossReason.allCases.map { ($0.rawValue, losses[$0] ?? 0) })
  }
}
