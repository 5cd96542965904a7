public import Foundation
public import Frames

/// What a sidecar says behind its head, in the order in which it became known.
public enum SidecarRecord: Hashable, Sendable {
  /// A frame that was written into the film.
  case frame(SidecarFrame)
  /// `count` frames in a row are not in the film, from `frame` on; `nil` where they had no place (damaged before the
  /// first, or not found in the finished film).
  case frameLoss(LossReason, frame: Int64?, count: Int64)
  /// Silence stands for `count` samples of each channel from `sample` on.
  case soundLoss(sample: Int64, count: Int64)
  /// A sentence, and the film's time at which it was said, in seconds.
  case warning(String, seconds: Double)
  /// Something that was set while recording: its name, its value, and the film's time in seconds.
  case setting(String, value: String, seconds: Double)
  case end(SidecarEnd)
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
  /// `nil` where nothing is known.
  public var exposure: ExposureRecord?

  public init(index: Int64, ticks: Int64, sequence: UInt64, exposure: ExposureRecord?) {
    self.index = index
    self.ticks = ticks
    self.sequence = sequence
    self.exposure = exposure
  }
}

/// How a recording ended: the totals of its ledger.
public struct SidecarEnd: Hashable, Sendable {
  public var date: Date
  public var expected: Int64
  public var captured: Int64
  public var written: Int64
  /// Frames by reason; what is not there is 0.
  public var losses: [LossReason: Int64]
  /// The film's end in ticks.
  public var ticks: Int64
  /// Samples of each channel in the film, and silence among them that stands for lost sound.
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
