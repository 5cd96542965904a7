package import Foundation
import Frames
package import RecorderAPI
package import Sidecar

/// A sidecar for programs. The help of `camrec info` says what the fields mean; a field that changes its meaning raises
/// `version`.
package struct SidecarReport: Encodable {
  package struct Film: Encodable {
    package let name: String
    package let software: String
    package let camera: String
    package let width: Int
    package let height: Int
    package let pixelFormat: String
    /// Exact: `24`, `24000/1001`.
    package let rate: String
    package let colorIn: String
    package let colorOut: String
    package let lut: LUTIdentity?
    package let look: LookIdentity?
    package let bakedOn: String
    package let codec: String
    package let microphone: String?
    package let start: Date
    package let timecode: String?
    package let bakedFrom: String?
    package let recordingID: String?
    package let filmID: String?
    package let bakedFromID: String?

    package init(_ head: SidecarHead) {
      name = head.film
      software = head.software
      camera = head.camera
      width = head.width
      height = head.height
      pixelFormat = head.pixelFormat
      rate = head.frameRate.description
      colorIn = head.colorIn
      colorOut = head.colorOut
      lut = head.lutSHA256.map { LUTIdentity(title: head.lutTitle, sha256: $0) }
      look = head.look
      bakedOn = head.bakedOn ?? "cpu"
      codec = head.codec
      microphone = head.microphone
      start = head.start
      timecode = head.timecode
      bakedFrom = head.bakedFrom
      recordingID = head.identity?.recordingID
      filmID = head.identity?.filmID
      bakedFromID = head.bakedFromID?.uuidString.lowercased()
    }
  }

  package struct Continuation: Encodable {
    package let film: String
    package let seconds: Double
    package let frames: Int64
  }

  package struct End: Encodable {
    package let date: Date
    package let expected: Int64
    package let captured: Int64
    package let written: Int64
    package let lost: [String: Int64]
    package let soundFrames: Int64?
    package let soundLost: Int64?
    package let ratePartsPerMillion: Double?
    package let failure: String?

    package init(_ end: SidecarEnd) {
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

  package struct Recovery: Encodable {
    package struct Missing: Encodable {
      package let frame: Int64
      package let count: Int64
      package let seconds: Double
    }

    package let date: Date
    package let frames: Int64
    package let missing: Int64
    package let unlisted: Int64
    package let unwritten: Int64
    package let silentSamples: Int64
    package let missingSamples: Int64
    package let missingFrames: Listing<Missing>

    package init(_ recovery: SidecarRecovery, _ missing: SidecarSummary.Listing<SidecarSummary.MissingFrames>) {
      date = recovery.date
      frames = recovery.frames
      self.missing = recovery.missing
      unlisted = recovery.unlisted
      unwritten = recovery.unwritten
      silentSamples = recovery.silentSamples
      missingSamples = recovery.missingSamples
      missingFrames = Listing(missing) { Recovery.Missing(frame: $0.frame, count: $0.count, seconds: $0.seconds) }
    }
  }

  package struct Range: Encodable {
    package let least: Double
    package let greatest: Double
  }

  package struct Gap: Encodable {
    package let reason: String
    package let frame: Int64?
    package let count: Int64
    package let seconds: Double?
  }

  package struct SoundGap: Encodable {
    package let seconds: Double
    package let length: Double
  }

  package struct ISOChange: Encodable {
    package let frame: Int64
    package let seconds: Double
    package let from: Double
    package let to: Double
  }

  package struct Note: Encodable {
    package let seconds: Double
    package let text: String

    package init(seconds: Double, text: String) {
      self.seconds = seconds
      self.text = text
    }
  }

  package struct Listing<Element: Encodable>: Encodable {
    package let items: [Element]
    package let omitted: Int

    package init<Source: Sendable>(_ listing: SidecarSummary.Listing<Source>, _ element: (Source) -> Element) {
      items = listing.items.map(element)
      omitted = listing.omitted
    }
  }

  package struct File: Encodable {
    package let path: String
    package let bytes: Int64
    package let tornBytes: Int64
    package let damagedLines: Int
    package let unknownRecords: Int
  }

  package let format = "camrec-info"
  package let version = 1
  package let film: Film
  /// With a record: a recovery need not have found each of them.
  package let frames: Int64
  package let written: Int64
  /// In the film, repeated ones included.
  package let filmFrames: Int64
  /// The length of the film.
  package let seconds: Double
  package let lost: [String: Int64]
  /// Each once, those that were lost when the film was cut off or damaged included.
  package let totalLost: Int64
  package let soundLost: Int64
  package let ranges: [String: Range]
  package let gaps: Listing<Gap>
  package let soundGaps: Listing<SoundGap>
  package let isoChanges: Listing<ISOChange>
  package let warnings: Listing<Note>
  package let notes: Listing<Note>
  package let settings: Listing<Note>
  package let markers: Listing<Note>
  package let repeated: Listing<Recovery.Missing>
  package let continues: Continuation?
  package let end: End?
  package let recovered: Recovery?
  package let file: File

  package init(_ summary: SidecarSummary) {
    film = Film(summary.head)
    frames = summary.frames
    written = summary.written
    filmFrames = summary.filmFrames
    seconds = summary.seconds
    lost = SidecarReport.named(summary.lost)
    totalLost = summary.absent
    soundLost = summary.absentSound
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
