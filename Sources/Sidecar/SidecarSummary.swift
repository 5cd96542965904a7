import Exposure
import Foundation
public import Frames

/// A sidecar in numbers: what `camrec info` prints and draws. Of what grows with the film's length, it keeps only where
/// frames are repeated.
public struct SidecarSummary: Sendable {
  /// A value of how a frame was taken.
  public enum Quantity: String, CaseIterable, Sendable, CodingKeyRepresentable {
    /// Seconds.
    case exposureTime
    /// Degrees, by the exact rate.
    case shutterAngle
    case iso
    /// The camera's own number.
    case gain
    /// EV above its lowest gain.
    case gainEV
    /// EV above one second at ISO 100: a setting whose frames are twice as bright is 1 higher.
    case exposure
    /// EV by which the metered average lies above 18 % grey.
    case meteredEV
    /// Kelvin.
    case whiteBalance
    case tint
    /// The camera's own number.
    case focusDistance
  }

  /// Frames in a row that are missing for one reason.
  public struct Gap: Hashable, Sendable {
    public let reason: LossReason
    /// `nil` if it has no place in the film.
    public let frame: Int64?
    public internal(set) var count: Int64
    /// Seconds of film before its first frame.
    public let seconds: Double?
  }

  /// Frames in a row: some that were written, and were not in the film when it was recovered, or lost ones for which
  /// the film repeats the frame before them.
  public struct MissingFrames: Hashable, Sendable {
    public let frame: Int64
    public let count: Int64
    /// Seconds of film before the first.
    public let seconds: Double
  }

  /// What the file of a film has that was cut off.
  public struct FilmContent: Hashable, Sendable {
    /// Frames in the film.
    public let frames: Int64
    /// Frames with a record that are not in it.
    public let missing: Int64
    /// Frames without a record that waited to be written, and are not in it.
    public let unwritten: Int64
    public let seconds: Double
    /// Samples of each channel that are silence because it was damaged, and those that it lacks at its end; without
    /// those that were lost before.
    public let silentSamples: Int64
    public let missingSamples: Int64

    public init(
      frames: Int64, missing: Int64, unwritten: Int64 = 0, seconds: Double, silentSamples: Int64 = 0,
      missingSamples: Int64 = 0
    ) {
      (self.frames, self.missing, self.unwritten) = (frames, missing, unwritten)
      (self.seconds, self.silentSamples, self.missingSamples) = (seconds, silentSamples, missingSamples)
    }
  }

  public struct SoundGap: Hashable, Sendable {
    /// Seconds of film before it.
    public let seconds: Double
    public internal(set) var length: Double
  }

  public struct ISOChange: Hashable, Sendable {
    public let frame: Int64
    public let seconds: Double
    public let from: Double
    public let to: Double
  }

  /// Which film of the same recording came before.
  public struct Continuation: Hashable, Sendable {
    public let film: String
    /// Seconds from the end of its last frame to this film's first.
    public let seconds: Double
    /// Frames that were due in between.
    public let frames: Int64
  }

  public struct Note: Hashable, Sendable {
    public let seconds: Double
    public let text: String
  }

  /// A list that ends before it grows too long.
  public struct Listing<Element: Sendable>: Sendable {
    public internal(set) var items: [Element] = []
    /// How many more there were.
    public internal(set) var omitted = 0

    mutating func add(_ element: Element) {
      if items.count < SidecarSummary.longestListing { items.append(element) } else { omitted += 1 }
    }
  }

  static let longestListing = 1000

  public let path: String
  public let head: SidecarHead
  public internal(set) var extent = SidecarReader.Extent()
  /// Frames that were written.
  public internal(set) var frames: Int64 = 0
  /// Lost frames, by the records of losses; `end` has the ledger's totals.
  public internal(set) var lost: [LossReason: Int64] = [:]
  /// Samples of each channel, by the records of losses.
  public internal(set) var soundLost: Int64 = 0
  /// Seconds of film: to the end if that is known, otherwise to the end of the last frame.
  public internal(set) var seconds = 0.0
  public internal(set) var ranges: [Quantity: ClosedRange<Double>] = [:]
  public internal(set) var gaps = Listing<Gap>()
  public internal(set) var soundGaps = Listing<SoundGap>()
  public internal(set) var isoChanges = Listing<ISOChange>()
  public internal(set) var warnings = Listing<Note>()
  /// Notes about what is as it should be.
  public internal(set) var notes = Listing<Note>()
  /// `NAME=VALUE`.
  public internal(set) var settings = Listing<Note>()
  public internal(set) var markers = Listing<Note>()
  /// `nil` if the recording begins with this film.
  public internal(set) var continuation: Continuation?
  /// `nil` if the recording was cut off, or goes on.
  public internal(set) var end: SidecarEnd?
  /// Frames with a record that a recovery did not find in the film.
  public internal(set) var missing = Listing<MissingFrames>()
  /// The last recovery; `nil` if the film was not recovered.
  public internal(set) var recovery: SidecarRecovery?
  /// `nil` if the sidecar has an end, or nobody has looked into the film.
  public private(set) var content: FilmContent?
  /// Whether somebody has looked into the film, and it is in fragments.
  public private(set) var isInFragments = false
  public internal(set) var curves: [Quantity: TimeBins<ValueSpan>] = [:]
  public internal(set) var losses: TimeBins<LossMarks>

  private var last: SidecarFrame?
  /// Frames lost to the disk without a place.
  private var refused: Int64 = 0
  /// Repeated frames that were handed to the film; the last ones may not be in it.
  private var listedRepeats: [MissingFrames] = []
  /// The film was recovered by a version that did not write down its end, and its camera did not keep to its rate.
  private var isEndGuessed = false

  /// Reads the sidecar at `path`.
  ///
  /// - Throws: code `input`: as `SidecarReader`.
  public init(path: String) throws(CamrecError) {
    let reader = try SidecarReader(path: path)
    var summary = SidecarSummary(reader)
    let extent = try reader.records { summary.add($0) }
    summary.extent = extent
    self = summary
  }

  private init(_ reader: SidecarReader) {
    path = reader.path
    head = reader.head
    losses = TimeBins(width: reader.head.frameRate.frameDuration.doubleValue)
  }

  /// The film beside the sidecar; `nil` if the file is not called as a sidecar.
  public var film: String? {
    path.hasSuffix(SidecarFile.suffix) ? String(path.dropLast(SidecarFile.suffix.count)) : nil
  }

  /// Whether only the film can tell what is in it: the sidecar has neither an end nor a recovery.
  public var isOpen: Bool { end == nil && recovery == nil }

  /// Takes up whether the film is in fragments, and what it has, if the sidecar does not say.
  public mutating func look(into content: FilmContent, isInFragments: Bool = true) {
    self.isInFragments = isInFragments
    guard isOpen else { return }
    self.content = content
    seconds = content.seconds
  }

  /// Frames with a record that are not in the film and that the account does not have as lost to the disk already.
  public var missingWritten: Int64 {
    guard let missing = recovery?.missing ?? content?.missing else { return 0 }
    return max(0, missing.subtractingSaturated(max(0, refused)))
  }

  /// Frames that are not in the film, and that neither a record of a loss nor the account has.
  public var unaccounted: Int64 {
    missingWritten.addingSaturated(max(0, recovery?.unwritten ?? content?.unwritten ?? 0))
  }

  /// Frames in the film without repeated ones, by its last recovery, by the account, or by the film itself; otherwise
  /// by their records, less those that the disk refused afterwards.
  public var written: Int64 {
    if let recovery { return withoutRepeats(recovery.frames, missing: recovery.missing, unlisted: recovery.unlisted) }
    if let end { return end.written }
    if let content { return withoutRepeats(content.frames, missing: content.missing, unlisted: 0) }
    return max(0, frames.subtractingSaturated(max(0, refused)))
  }

  /// Of a film's frames those that are no repeated ones: they have records, except for `unlisted`.
  private func withoutRepeats(_ all: Int64, missing: Int64, unlisted: Int64) -> Int64 {
    guard !listedRepeats.isEmpty else { return all }
    return min(all, max(0, frames.subtractingSaturated(missing).addingSaturated(unlisted)))
  }

  /// Frames in the film, repeated ones included.
  public var filmFrames: Int64 { framesFound ?? repeats.reduce(written) { $0.addingSaturated($1.count) } }

  /// Frames in the film, by its last recovery or by the film itself; `nil` where the account says more.
  private var framesFound: Int64? { recovery?.frames ?? (end == nil ? content?.frames : nil) }

  /// Lost frames in whose place the film repeats the frame before them.
  public var repeated: Listing<MissingFrames> {
    var listing = Listing<MissingFrames>()
    for run in repeats { listing.add(run) }
    return listing
  }

  private var repeats: [MissingFrames] {
    if let all = framesFound {
      return repeats(inFilm: all.subtractingSaturated(written))
    }
    return end == nil ? listedRepeats : repeatsBeforeEnd
  }

  /// The disk may have refused repeated frames as well: those behind the film's end are not in it.
  private var repeatsBeforeEnd: [MissingFrames] {
    let duration = head.frameRate.frameDuration.doubleValue
    return listedRepeats.compactMap { run in
      guard refused > 0 || run.frame > last?.index ?? -1 else { return run }
      let count = min(run.count, Int64(saturating: ((seconds - run.seconds) / duration).rounded()))
      return count > 0 ? MissingFrames(frame: run.frame, count: count, seconds: run.seconds) : nil
    }
  }

  /// A cut-off film has no repeats between frames that it lacks. Where it ends, or begins again behind damage, it may
  /// have a part of a run.
  private func repeats(inFilm count: Int64) -> [MissingFrames] {
    func isThere(_ frame: Int64) -> Bool {
      frame <= last?.index ?? -1 && !missing.items.contains { $0.frame <= frame && frame - $0.frame < $0.count }
    }
    func neighbours(_ run: MissingFrames) -> [Bool] {
      [isThere(run.frame - 1), isThere(run.frame.addingSaturated(run.count))]
    }
    var runs = listedRepeats.filter { neighbours($0).contains(true) }
    var excess = runs.reduce(Int64(0)) { $0.addingSaturated($1.count) }.subtractingSaturated(count)
    for place in runs.indices.reversed() where excess > 0 {
      let run = runs[place], left = max(0, run.count - excess)
      // Without a recovery, nobody knows which frames are missing.
      guard recovery == nil || neighbours(run).contains(false) else { continue }
      excess -= run.count - left
      runs[place] = MissingFrames(frame: run.frame, count: left, seconds: run.seconds)
    }
    return runs.filter { $0.count > 0 }
  }

  /// Frames that are not in the film: those of the account, and those that a recovery did not find.
  public var absent: Int64 { (end?.totalLost ?? totalLost).addingSaturated(unaccounted) }

  /// Samples of each channel that were lost when the film was cut off or damaged: silence stands for them, or the audio
  /// ends in front of them.
  public var cutOffSound: Int64 {
    if let recovery { return recovery.silentSamples.addingSaturated(recovery.missingSamples) }
    return content.map { $0.silentSamples.addingSaturated($0.missingSamples) } ?? 0
  }

  /// Lost samples of each channel: those of the account, and those of a film that was cut off or damaged.
  public var absentSound: Int64 { (end?.soundLost ?? soundLost).addingSaturated(cutOffSound) }

  /// Whether `missing` has the places of the frames that the disk refused; the account has them without a place.
  public var placesRefused: Bool { missingWritten == 0 && !missing.items.isEmpty }

  /// The gaps, without those whose places are in `missing`.
  public var otherGaps: Listing<Gap> {
    guard placesRefused else { return gaps }
    var others = gaps
    others.items.removeAll(where: isRefused)
    return others
  }

  private func isRefused(_ gap: Gap) -> Bool { gap.frame == nil && gap.reason == .disk }

  /// Whether a marker's frame is not in the film, because the film was cut off in front of it.
  public func isBehindEnd(_ marker: Note) -> Bool {
    // An open sidecar does not tell where the film ends.
    guard !isEndGuessed, !isOpen || content != nil else { return false }
    return marker.seconds > seconds - head.frameRate.frameDuration.doubleValue / 2
  }

  public var totalLost: Int64 { lost.values.reduce(0) { $0.addingReportingOverflow($1).partialValue } }

  // MARK: Adding up

  private mutating func add(_ record: SidecarRecord) {
    switch record {
    case .frame(let frame): add(frame)
    case .frameLoss(let reason, let frame, let count): add(reason, frame, count)
    case .soundLoss(let sample, let count): addSound(sample, count)
    case .warning(let text, let seconds): warnings.add(Note(seconds: seconds, text: text))
    case .note(let text, let seconds): notes.add(Note(seconds: seconds, text: text))
    case .setting(let name, let value, let seconds): settings.add(Note(seconds: seconds, text: "\(name)=\(value)"))
    case .repeated(let frame, let count):
      listedRepeats.append(MissingFrames(frame: frame, count: count, seconds: seconds(ofFrame: frame)))
    case .marker(let text, let seconds): markers.add(Note(seconds: seconds, text: text))
    case .continuation(let film, let seconds, let frames):
      continuation = Continuation(film: film, seconds: seconds, frames: frames)
    case .end(let end):
      self.end = end
      if end.ticks > 0 { seconds = Double(end.ticks) * head.timeBase.doubleValue }
    case .missing(let frame, let count):
      // A second recovery lists again what is missing.
      if recovery != nil { missing = Listing() }
      recovery = nil
      let duration = head.frameRate.frameDuration.doubleValue, begin = Double(frame) * duration
      missing.add(MissingFrames(frame: frame, count: count, seconds: begin))
      losses.change(from: begin, to: begin + (Double(count) - 0.5) * duration) { $0.reasons.insert(.disk) }
    case .recovered(let recovery):
      if recovery.missing == 0 { missing = Listing() }
      self.recovery = recovery
      endRecovered(recovery)
    case .other: break
    }
  }

  /// A recovered film ends after the last frame that is in it.
  private mutating func endRecovered(_ recovery: SidecarRecovery) {
    isEndGuessed = false
    if let ticks = recovery.ticks, ticks > 0 {
      seconds = Double(ticks) * head.timeBase.doubleValue
      return
    }
    guard let last else { return }
    let duration = head.frameRate.frameDuration.doubleValue, begin = Double(last.ticks) * head.timeBase.doubleValue
    let whole = last.index.addingReportingOverflow(1).partialValue
    // Frames that were lost among missing ones are not in the film either.
    let runs: [(frame: Int64, count: Int64)] =
      missing.items.map { (frame: $0.frame, count: $0.count) }
      + gaps.items.compactMap { gap in gap.frame.map { (frame: $0, count: gap.count) } }
    var end = whole
    while let run = runs.last(where: { run in
      run.frame < end && run.frame.addingReportingOverflow(run.count).partialValue == end
    }) {
      end = run.frame
    }
    // The last ones may be repeats.
    if let run = repeats.last { end = max(end, run.frame.addingSaturated(run.count)) }
    if end < whole {
      seconds = Double(end) * duration
      isEndGuessed = abs(begin - Double(last.index) * duration) > duration / 2
    } else if self.end == nil {
      let behind = Double(recovery.unlisted) + Double(end - whole) + 1
      seconds = begin + behind * duration
    }
  }

  private mutating func add(_ frame: SidecarFrame) {
    frames += 1
    let begin = Double(frame.ticks) * head.timeBase.doubleValue
    seconds = begin + head.frameRate.frameDuration.doubleValue
    if let now = frame.exposure {
      if let before = last?.exposure, before.iso != now.iso {
        isoChanges.add(ISOChange(frame: frame.index, seconds: begin, from: before.iso, to: now.iso))
      }
      note(.exposureTime, now.exposureTime, begin)
      note(.shutterAngle, ShutterAngle.degrees(ofExposureTime: now.exposureTime, at: head.frameRate), begin)
      note(.iso, now.iso, begin)
      note(.gain, now.gain, begin)
      note(.gainEV, now.gainEV, begin)
      note(.exposure, log2(now.exposureTime * now.iso / 100), begin)
      note(.meteredEV, now.meteredEV, begin)
    }
    note(.whiteBalance, frame.controls?.whiteBalance, begin)
    note(.tint, frame.controls?.tint, begin)
    note(.focusDistance, frame.controls?.focusDistance, begin)
    last = frame
  }

  private mutating func note(_ quantity: Quantity, _ value: Double?, _ seconds: Double) {
    guard let value, value.isFinite else { return }
    let range = ranges[quantity]
    ranges[quantity] = min(range?.lowerBound ?? value, value)...max(range?.upperBound ?? value, value)
    curves[quantity, default: TimeBins(width: head.frameRate.frameDuration.doubleValue)]
      .change(at: seconds) { $0.add(value) }
  }

  private mutating func add(_ reason: LossReason, _ frame: Int64?, _ count: Int64) {
    lost[reason] = lost[reason, default: 0].addingReportingOverflow(count).partialValue
    if reason == .disk, frame == nil { refused = refused.addingSaturated(count) }
    let place = frame.map(seconds(ofFrame:))
    let begin = place ?? seconds, length = (Double(count) - 0.5) * head.frameRate.frameDuration.doubleValue
    losses.change(from: begin, to: place == nil ? begin : begin + length) { $0.reasons.insert(reason) }
    if let before = gaps.items.last, let frame, before.reason == reason, gaps.omitted == 0,
      before.frame?.addingReportingOverflow(before.count).partialValue == frame
    {
      gaps.items[gaps.items.count - 1].count = before.count.addingReportingOverflow(count).partialValue
    } else {
      gaps.add(Gap(reason: reason, frame: frame, count: count, seconds: place))
    }
  }

  private mutating func addSound(_ sample: Int64, _ count: Int64) {
    soundLost = soundLost.addingReportingOverflow(count).partialValue
    let rate = Double(head.sampleRate ?? 48_000)
    let begin = Double(sample) / rate, length = Double(count) / rate
    losses.change(from: begin, to: begin + length) { $0.isSilent = true }
    if let before = soundGaps.items.last, soundGaps.omitted == 0,
      abs(before.seconds + before.length - begin) < 0.5 / rate
    {
      soundGaps.items[soundGaps.items.count - 1].length += length
    } else {
      soundGaps.add(SoundGap(seconds: begin, length: length))
    }
  }

  /// A frame's place in the film: counted at the nominal rate from the last frame, whose time already allows for a
  /// variable rate.
  private func seconds(ofFrame index: Int64) -> Double {
    let duration = head.frameRate.frameDuration.doubleValue
    guard let last else { return Double(index) * duration }
    return Double(last.ticks) * head.timeBase.doubleValue + (Double(index) - Double(last.index)) * duration
  }
}
