public import Foundation
public import Frames

/// What a sidecar says after its head, in the order in which it became known.
public enum SidecarRecord: Hashable, Sendable {
  /// A frame that was written into the film.
  case frame(SidecarFrame)
  /// `count` frames in a row are not in the film, from `frame` on; `nil` if they had no place (damaged before the
  /// first, or not found in the finished film).
  case frameLoss(LossReason, frame: Int64?, count: Int64)
  /// In place of `count` lost frames in a row, from `frame` on, the film repeats the frame before them.
  case repeated(frame: Int64, count: Int64)
  /// Silence replaces `count` samples of each channel from `sample` on.
  case soundLoss(sample: Int64, count: Int64)
  /// A warning, and the film's time at which it was given, in seconds.
  case warning(String, seconds: Double)
  /// As a warning, but about something that is as it should be: a film that was deleted for its age.
  case note(String, seconds: Double)
  /// Something that was set while recording: its name, its value, and the film's time in seconds.
  case setting(String, value: String, seconds: Double)
  /// A marker: the name of a place in the film, and where that is, in seconds.
  case marker(String, seconds: Double)
  /// The film follows another film of the same recording: that film's name, without its folder; the seconds between the
  /// end of its last frame and this film's first, and how many frames were due in them.
  case continuation(film: String, seconds: Double, frames: Int64)
  case end(SidecarEnd)
  /// `count` frames in a row, from `frame` on, were written but were not in the film when it was recovered.
  case missing(frame: Int64, count: Int64)
  case recovered(SidecarRecovery)
  /// A kind of record that this version does not know.
  case other
}

/// A frame's place in the film, and how it was taken.
public struct SidecarFrame: Hashable, Sendable {
  /// Frames due since the first.
  public var index: Int64
  /// The film's time, in ticks of its time base.
  public var ticks: Int64
  /// The camera's own count.
  public var sequence: UInt64
  /// `nil` if nothing is known.
  public var exposure: ExposureRecord?
  public var controls: ControlRecord?

  public init(
    index: Int64, ticks: Int64, sequence: UInt64, exposure: ExposureRecord?, controls: ControlRecord? = nil
  ) {
    self.index = index
    self.ticks = ticks
    self.sequence = sequence
    self.exposure = exposure
    self.controls = controls
  }
}

/// How a recording ended: the totals of its ledger.
public struct SidecarEnd: Hashable, Sendable {
  public var date: Date
  public var expected: Int64
  public var captured: Int64
  public var written: Int64
  /// Lost frames by reason; a reason that is not there stands for 0.
  public var losses: [LossReason: Int64]
  /// The film's end in ticks.
  public var ticks: Int64
  /// Samples of each channel in the film, and how many of them are silence in place of lost audio.
  public var soundFrames: Int64?
  public var soundLost: Int64?
  /// The camera's measured rate against its nominal one.
  public var ratePartsPerMillion: Double?
  /// Why it ended before it was asked to.
  public var failure: String?

  public init(
    date: Date, expected: Int64, captured: Int64, written: Int64, losses: [LossReason: Int64], ticks: Int64,
    soundFrames: Int64? = nil, soundLost: Int64? = nil, ratePartsPerMillion: Double? = nil, failure: String? = nil
  ) {
    self.date = date
    self.expected = expected
    self.captured = captured
    self.written = written
    self.losses = losses
    self.ticks = ticks
    self.soundFrames = soundFrames
    self.soundLost = soundLost
    self.ratePartsPerMillion = ratePartsPerMillion
    self.failure = failure
  }

  public var totalLost: Int64 { losses.values.reduce(0) { $0.addingReportingOverflow($1).partialValue } }
}

/// What the recovery of a cut-off film has found.
public struct SidecarRecovery: Hashable, Sendable {
  public var date: Date
  /// Frames in the film.
  public var frames: Int64
  /// Frames with a record that are not in the film.
  public var missing: Int64
  /// Frames in the film that have no record, because the sidecar's own end was lost.
  public var unlisted: Int64
  /// Samples of each channel that are silence in place of lost ones; without those that were lost before.
  public var silentSamples: Int64
  /// Samples of each channel that were recorded, or due for the frames with a record, and that the film lacks at its
  /// end; without those that were lost before.
  public var missingSamples: Int64
  /// Frames without a record that waited to be written when the recording was cut off, and are not in the film.
  public var unwritten: Int64
  /// The film's end; `nil` in sidecars of earlier versions.
  public var ticks: Int64?

  public init(
    date: Date, frames: Int64, missing: Int64, unlisted: Int64, silentSamples: Int64, missingSamples: Int64 = 0,
    unwritten: Int64 = 0, ticks: Int64? = nil
  ) {
    self.date = date
    self.frames = frames
    self.missing = missing
    self.unlisted = unlisted
    self.silentSamples = silentSamples
    self.missingSamples = missingSamples
    self.unwritten = unwritten
    self.ticks = ticks
  }
}
