import Foundation
import Frames
import RecorderAPI

/// Turns lines into records, and gives a frame the values that its line leaves out. No line can make it trap, whatever
/// it holds.
struct SidecarDecoder {
  let head: SidecarHead
  private let ticksPerFrame: Int64
  private var last: SidecarFrame?
  /// The index of the frame before that.
  private var indexBefore: Int64 = -1

  /// How many frames may be missing in a row: more than a week at 1000 fps. A greater jump is damage.
  private static let longestGap: Int64 = 1 << 32

  init(head: SidecarHead) {
    self.head = head
    ticksPerFrame = head.ticksPerFrame
  }

  /// - Throws: if the line is not a record.
  mutating func record(_ line: ArraySlice<UInt8>) throws(SidecarFields.Malformed) -> SidecarRecord {
    var fields = SidecarFields(line)
    guard let (name, value) = try fields.next() else { throw SidecarFields.Malformed() }
    switch SidecarKey(name) {
    case .frame: return .frame(try frame(value, &fields))
    case .lost: return try loss(value, try SidecarMembers(&fields))
    case .warning:
      let members = try SidecarMembers(&fields)
      guard let sentence = value.text else { throw SidecarFields.Malformed() }
      return .warning(sentence, seconds: members[.seconds]?.double ?? 0)
    case .note:
      let members = try SidecarMembers(&fields)
      guard let sentence = value.text else { throw SidecarFields.Malformed() }
      return .note(sentence, seconds: members[.seconds]?.double ?? 0)
    case .setting:
      let members = try SidecarMembers(&fields)
      guard let setting = value.text, let text = members[.value]?.text else { throw SidecarFields.Malformed() }
      return .setting(setting, value: text, seconds: members[.seconds]?.double ?? 0)
    case .repeated:
      guard let frame = value.int, let count = try SidecarMembers(&fields)[.count]?.int, frame >= 0, count > 0 else {
        throw SidecarFields.Malformed()
      }
      return .repeated(frame: frame, count: count)
    case .marker:
      let members = try SidecarMembers(&fields)
      guard let text = value.text else { throw SidecarFields.Malformed() }
      return .marker(text, seconds: members[.seconds]?.double ?? 0)
    case .continues:
      let members = try SidecarMembers(&fields)
      guard let film = value.text, let frames = members[.count]?.int, frames >= 0 else {
        throw SidecarFields.Malformed()
      }
      return .continuation(film: film, seconds: members[.seconds]?.double ?? 0, frames: frames)
    case .end: return .end(try end(value, try SidecarMembers(&fields)))
    case .missing:
      guard let frame = value.int, let count = try SidecarMembers(&fields)[.count]?.int, frame >= 0, count > 0 else {
        throw SidecarFields.Malformed()
      }
      return .missing(frame: frame, count: count)
    case .recovered: return .recovered(try recovery(value, try SidecarMembers(&fields)))
    default:
      while try fields.next() != nil {}
      return .other
    }
  }

  private mutating func frame(
    _ value: SidecarFields.Value, _ fields: inout SidecarFields
  ) throws(SidecarFields.Malformed) -> SidecarFrame {
    guard let index = value.int, index >= 0, index < 1 << 52 else { throw SidecarFields.Malformed() }
    let step = index - (last?.index ?? -1)
    // A frame before the last one, but after that one's predecessor, shows that the last one was damaged.
    guard index > indexBefore, step != 0, last == nil || step <= SidecarDecoder.longestGap else {
      throw SidecarFields.Malformed()
    }
    let (ticks, isTooLate) = index.multipliedReportingOverflow(by: ticksPerFrame)
    guard !isTooLate else { throw SidecarFields.Malformed() }
    var frame = SidecarFrame(
      index: index, ticks: ticks,
      sequence: last.map { $0.sequence &+ UInt64(truncatingIfNeeded: step) } ?? UInt64(truncatingIfNeeded: index),
      exposure: nil)
    var values = SidecarValues(last?.exposure), controls = last?.controls ?? ControlRecord()
    while let (name, value) = try fields.next() {
      switch SidecarKey(name) {
      case .ticks: frame.ticks = try whole(value)
      case .sequence: frame.sequence = UInt64(clamping: try whole(value))
      case .exposureTime: values.exposureTime = value.double
      case .iso: values.iso = value.double
      case .gain: values.gain = value.double
      case .gainEV: values.gainEV = value.double
      case .whiteBalance: controls.whiteBalance = value.double
      case .tint: controls.tint = value.double
      case .focusDistance: controls.focusDistance = value.double
      case .meteredEV: values.meteredEV = value.double
      default: break
      }
    }
    frame.exposure = values.record
    frame.controls = controls == ControlRecord() ? nil : controls
    if step > 0 { indexBefore = last?.index ?? -1 }
    last = frame
    return frame
  }

  private func loss(
    _ value: SidecarFields.Value, _ members: SidecarMembers
  ) throws(SidecarFields.Malformed) -> SidecarRecord {
    guard let reason = value.text, let count = members[.count]?.int, count >= 0 else {
      throw SidecarFields.Malformed()
    }
    if reason == SidecarWriter.sound {
      guard let sample = members[.sample]?.int, sample >= 0 else { throw SidecarFields.Malformed() }
      return .soundLoss(sample: sample, count: count)
    }
    // A reason that a later version has added.
    guard let reason = LossReason(rawValue: reason) else { return .other }
    return .frameLoss(reason, frame: members[.frame]?.int, count: count)
  }

  private func end(
    _ value: SidecarFields.Value, _ members: SidecarMembers
  ) throws(SidecarFields.Malformed) -> SidecarEnd {
    guard let date = value.text.flatMap(DateText.read), let expected = members[.expected]?.int,
      let captured = members[.captured]?.int, let written = members[.written]?.int
    else { throw SidecarFields.Malformed() }
    var losses: [LossReason: Int64] = [:]
    for reason in LossReason.allCases { losses[reason] = members[reason.key]?.int }
    return SidecarEnd(
      date: date, expected: expected, captured: captured, written: written, losses: losses,
      ticks: members[.ticks]?.int ?? 0, soundFrames: members[.soundFrames]?.int, soundLost: members[.soundLost]?.int,
      ratePartsPerMillion: members[.ratePartsPerMillion]?.double, failure: members[.failure]?.text)
  }

  private func recovery(
    _ value: SidecarFields.Value, _ members: SidecarMembers
  ) throws(SidecarFields.Malformed) -> SidecarRecovery {
    guard let date = value.text.flatMap(DateText.read), let frames = members[.frames]?.int,
      let missing = members[.missing]?.int
    else { throw SidecarFields.Malformed() }
    return SidecarRecovery(
      date: date, frames: frames, missing: missing, unlisted: members[.unlisted]?.int ?? 0,
      silentSamples: members[.silentSamples]?.int ?? 0, missingSamples: members[.missingSamples]?.int ?? 0,
      unwritten: members[.unwritten]?.int ?? 0, ticks: members[.ticks]?.int)
  }

  private func whole(_ value: SidecarFields.Value) throws(SidecarFields.Malformed) -> Int64 {
    guard let whole = value.int, whole >= 0 else { throw SidecarFields.Malformed() }
    return whole
  }
}

/// A frame's exposure while it is being put together.
private struct SidecarValues {
  var exposureTime: Double?
  var iso: Double?
  var gain: Double?
  var gainEV: Double?
  var meteredEV: Double?

  init(_ record: ExposureRecord?) {
    exposureTime = record?.exposureTime
    iso = record?.iso
    gain = record?.gain
    gainEV = record?.gainEV
    meteredEV = record?.meteredEV
  }

  var record: ExposureRecord? {
    guard let exposureTime, let iso else { return nil }
    return ExposureRecord(exposureTime: exposureTime, iso: iso, gain: gain, gainEV: gainEV, meteredEV: meteredEV)
  }
}
