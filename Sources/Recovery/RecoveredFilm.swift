import Foundation
import MovieBoxes
import Sidecar

/// What a recovery has found and done.
public struct RecoveredFilm: Hashable, Sendable {
  public enum Verdict: String, Hashable, Sendable, CaseIterable {
    /// It has its index; there is nothing to do.
    case finished
    /// A .mkv plays as it is, up to where it was cut off.
    case matroska
    /// A hash recording consists of lines of text.
    case hashes
    /// It would be recovered.
    case recoverable
    case recovered
    /// Its file was prepared, but the recorder was killed before it had data or a sidecar; it would be removed.
    case unbegun
    case removed
    /// It was cut off before its first picture; it stays as it is.
    case empty
    /// A killed bake has left it. It would be, or was, removed: its clip has to be baked again.
    case leftover, discarded

    /// There is, or was, something to do.
    public var isUnfinished: Bool { self == .recovered || self == .removed || self == .discarded || isToBeDone }
    /// There is something to do.
    public var isToBeDone: Bool { self == .recoverable || self == .unbegun || self == .leftover }
  }

  public let path: String
  public internal(set) var verdict: Verdict
  /// The new file; `nil` if the film was recovered in place.
  public internal(set) var output: String?
  /// Frames in the film.
  public internal(set) var frames: Int64 = 0
  /// Seconds of film.
  public internal(set) var seconds = 0.0
  /// Samples of each channel; `nil` without audio.
  public internal(set) var soundSamples: Int64?
  /// How many of them are silence in place of gaps, without those that the sidecar already counts as lost.
  public internal(set) var silentSamples: Int64 = 0
  /// Samples of each channel that were recorded, or due for the frames in the sidecar, and that the film lacks at its
  /// end; `nil` without audio or a sidecar.
  public internal(set) var missingSamples: Int64?
  /// Bytes that belong to no frame: a torn end, or a gap.
  public internal(set) var lostBytes: Int64 = 0
  /// The number of pieces that they form.
  public internal(set) var damages = 0
  /// Frames that the sidecar says were written and that are not in the film; `nil` without a sidecar.
  public internal(set) var missing: Int64?
  /// Of `missing`: frames that the recording itself counted as lost, when its disk refused them.
  public internal(set) var counted: Int64 = 0
  /// Frames in the film that the sidecar does not know, because its own end was lost.
  public internal(set) var unlisted: Int64?
  /// Frames that waited to be written when the recording was cut off: they are neither in the film nor in the sidecar.
  public internal(set) var unwritten: Int64?
  /// Markers in the sidecar; the recovered film has no chapters for them.
  public internal(set) var markers = 0
  /// Of these: behind the film's end. A film that is baked from it has no chapters for them either.
  public internal(set) var lateMarkers = 0
  /// Why the film has no frame; `nil` for any other.
  private var lack: String?
  /// The timecode is lost with the first fragment, and no sidecar has it.
  public internal(set) var lacksTimecode = false

  init(path: String, verdict: Verdict) {
    self.path = path
    self.verdict = verdict
  }

  /// A film that has no frame, for this reason.
  init(path: String, lacking lack: String) {
    self.init(path: path, verdict: .empty)
    self.lack = lack
  }

  init(path: String, _ salvage: MovieSalvage, _ comparison: SidecarComparison?) {
    self.init(path: path, verdict: .recoverable)
    frames = Int64(clamping: salvage.pictures)
    seconds = salvage.seconds
    soundSamples = salvage.soundSamples.map(Int64.init(clamping:))
    silentSamples = comparison?.silentSamples ?? Int64(clamping: salvage.silentSamples)
    lostBytes = Int64(clamping: salvage.lostBytes.reduce(0) { $0 + UInt64($1.count) })
    damages = salvage.lostBytes.count
    missingSamples = comparison?.missingSamples
    missing = comparison?.missingFrames
    counted = comparison.map { min($0.counted, $0.missingFrames) } ?? 0
    unlisted = comparison?.unlisted
    unwritten = comparison?.unwritten
    markers = comparison?.markers.count ?? 0
    lateMarkers = comparison?.markersBehind(salvage.seconds) ?? 0
    lacksTimecode = salvage.lacksTimecode && comparison?.head.timecode == nil
  }

  /// The outcome in words.
  public var sentence: String {
    switch verdict {
    case .finished: "'\(path)' is finished; there is nothing to recover"
    case .matroska: "'\(path)' is a .mkv, which plays as it is; there is nothing to recover"
    case .hashes: "'\(path)' is a hash recording; every complete line counts, and there is nothing to recover"
    case .recoverable: "'\(path)' can be recovered: \(content)"
    case .recovered: "'\(path)' is recovered\(output.map { " into '\($0)'" } ?? ""): \(content)"
    case .unbegun: "'\(path)' has no data: no frame was written into it; recovering removes it"
    case .empty: "'\(path)' has no frame yet\(lack.map { ": \($0)" } ?? ""); there is nothing to recover"
    case .leftover: "'\(path)' was left by a bake that was killed; recovering removes it. Bake its clip again"
    case .discarded: "'\(path)' was left by a bake that was killed, and is now removed; bake its clip again"
    case .removed: "'\(path)' had no data: no frame was written into it; it is now removed"
    }
  }

  private var content: String {
    var text = "\(frames) frame\(frames == 1 ? "" : "s"), \(String(format: "%.3f", seconds)) s"
    if soundSamples == nil { text += ", without audio" }
    if let missing {
      text +=
        missing == 0 ? "; all frames listed in its sidecar are there"
        : "; \(missing) of the frames listed in its sidecar \(missing == 1 ? "is" : "are") missing"
      if counted > 0 {
        text += counted == missing ? ", as its account says" : ", \(counted) of them by its account"
      }
      if let unwritten, unwritten > 0 {
        text += unwritten == 1 ? "; 1 frame that waited to be written is lost"
          : "; \(unwritten) frames that waited to be written are lost"
      }
    } else {
      text += "; without a sidecar, camrec cannot tell what is missing"
    }
    if let missingSamples, missingSamples > 0 {
      text += missingSamples == 1 ? "; 1 audio sample is missing" : "; \(missingSamples) audio samples are missing"
    }
    if silentSamples > 0 {
      text += silentSamples == 1 ? "; 1 audio sample is silence" : "; \(silentSamples) audio samples are silence"
    }
    if lostBytes > 0 {
      text += lostBytes == 1 ? "; 1 byte belongs to no frame, and stays in the file"
        : "; \(lostBytes) bytes belong to no frame, and stay in the file"
    }
    if markers > 0 {
      let stay = markers == 1 ? "1 marker stays in its sidecar" : "\(markers) markers stay in its sidecar"
      text += "; \(stay): the film has no chapters"
      if lateMarkers > 0 {
        let late = markers == 1 ? "it is" : lateMarkers == 1 ? "1 of them is" : "\(lateMarkers) of them are"
        text += "; \(late) behind the film's end"
      }
    }
    if lacksTimecode { text += "; its timecode is lost" }
    return text
  }
}
