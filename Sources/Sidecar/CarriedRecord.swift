import Frames
import Platform

/// Carries the sidecar of a film over into the sidecar of a film that is made from it.
///
/// Frames are matched by their times. What the original says about a frame is carried over, and so is what was lost,
/// set, reported and marked up to it, and its numbering of the frames that were due. A frame that the original does not
/// mention gets its place from its time.
///
/// Thread: one at a time.
struct CarriedRecord: ~Copyable {
  private var cursor: SidecarCursor
  private let rate: Double
  /// Seconds per tick of the original, and of the new film.
  private let originalTick: Double
  private let tick: Double
  private let sampleRate: Int?
  /// The original's time at the new film's beginning, in seconds.
  private let offset: Double
  private let omitted: Set<String>

  /// The original's next frame, which has already been read.
  private var upcoming: SidecarFrame?
  /// The original's records that wait for the frame after them, by its number.
  private var waiting: [(frame: Int64, record: SidecarRecord)] = []
  /// Frames that were lost on the way from one film to the other, by the new film's own count.
  private var lost: [(frame: Int64, reason: LossReason, count: Int64)] = []
  /// Frames of the original's film that the new one lacks, as far as they are not yet among the lost ones; in order.
  private var absent: [(frames: Range<Int64>, areRepeats: Bool)] = []
  /// Of those: in front of the new film's first frame; and how many of these it knows to be damaged.
  private var absentInFront: Int64 = 0
  private var damagedInFront: Int64 = 0
  /// The last frame, with its number in the original, and what is said about it.
  private var last: SidecarFrame?
  private var first: Int64?
  /// The number behind the last frame, repeated or not, and the time of that frame.
  private var reached: Int64 = 0
  private var reachedSeconds: Double?
  /// The number behind the last frame that was lost on the way.
  private var lostEnd: Int64 = 0
  private var end: SidecarEnd?
  /// Where the original repeats frames, as far as the new film has not come to them; in order.
  private var repeats: [Range<Int64>] = []
  /// Repeated frames that the new film has, and that are not put yet.
  private var repeatRun: Range<Int64>?
  /// Frames that the new film took of the original's, less those that its disk refused; and which of them are repeats.
  private var frames = 0
  private var repeatPlaces = RepeatedPlaces()
  private var losses: [LossReason: Int64] = [:]
  /// Of these: frames that the new film has lost itself.
  private var ownLosses: [LossReason: Int64] = [:]
  /// Repeated frames that were lost on the way: the frames that they stand for are lost already.
  private var lostRepeats: Int64 = 0
  private var lostSamples: Int64 = 0
  /// Lost audio by the new film's samples: that of the original, as far as it is put, and the new film's own. The disk
  /// may refuse audio that the original has lost already.
  private var carriedSilences: [Range<Int64>] = []
  private var ownSilences: [Range<Int64>] = []
  /// What the last recovery of the original did not find, and that recovery.
  private let missing: [(frame: Int64, count: Int64)]
  private let recovery: SidecarRecovery?
  /// Frames that the original's disk refused; a recovery has their places among the missing ones.
  private var refused: Int64 = 0
  /// Frames of the original that have a record, as far as it is read.
  private var listed: Int64 = 0
  /// Samples that the original's records count as lost; its end may count more, without a place.
  private var placedSamples: Int64 = 0
  private var failure: CamrecError?
  /// The original's file cannot be read up to its end.
  private var isCutShort = false
  /// There may be losses of which nothing tells.
  private var isInDoubt = false
  /// The name of the original's sidecar.
  private let name: String
  /// Whether the original is still being written.
  private let isGrowing: @Sendable () -> Bool
  /// Whether the new film goes on up to the end of the original's film; known when it ends.
  private let reachesEnd: @Sendable () -> Bool
  /// What the original's film has, if its sidecar is open.
  private let originalContent: @Sendable () -> SidecarSummary.FilmContent?
  /// Takes the frames that were lost before the new film was made, when it ends.
  private let lostBefore: @Sendable (_ frames: Int64, _ isAtLeast: Bool) -> Void

  /// Silences that are known. Only the last ones can still be lost twice.
  private static let mostSilences = 1024
  /// The end of a warning that the account may not be complete.
  private static let doubtful = ": this account may lack losses"

  /// - Parameters:
  ///   - omitted: warnings of the original that say nothing about the new film.
  ///   - isGrowing: whether the original is still being written; asked for when the new film ends.
  ///   - reachesEnd: whether the new film goes on up to the end of the original's film.
  ///   - originalContent: what the original's film has, if its sidecar is open; asked for when the new film ends, if it
  ///     goes on up to the end of the original's.
  ///   - lostBefore: takes the frames that were lost before the new film was made, when it ends; `isAtLeast`: there may
  ///     be more, in parts of the original that cannot be read.
  /// - Throws: code `input`.
  init(
    _ original: SidecarReader, head: SidecarHead, offset: Double, omitting omitted: Set<String>,
    isGrowing: @escaping @Sendable () -> Bool, reachesEnd: @escaping @Sendable () -> Bool,
    originalContent: @escaping @Sendable () -> SidecarSummary.FilmContent?,
    lostBefore: @escaping @Sendable (_ frames: Int64, _ isAtLeast: Bool) -> Void
  ) throws(CamrecError) {
    cursor = try SidecarCursor(original)
    name = PathText(original.path).name
    self.isGrowing = isGrowing
    rate = original.head.frameRate.framesPerSecond
    originalTick = original.head.timeBase.doubleValue
    tick = head.timeBase.doubleValue
    // At another rate, samples have other numbers.
    sampleRate = head.sampleRate == original.head.sampleRate ? head.sampleRate : nil
    self.offset = offset
    self.omitted = omitted
    self.reachesEnd = reachesEnd
    self.originalContent = originalContent
    self.lostBefore = lostBefore
    var missing: [(frame: Int64, count: Int64)] = [], recovery: SidecarRecovery?
    // It stands behind all frames. If it cannot be read, that is told where it happens again.
    _ = try? original.records { record in
      switch record {
      case .missing(let frame, let count):
        // A second recovery lists again what is missing.
        if recovery != nil { missing = [] }
        recovery = nil
        missing.append((frame, count))
      case .recovered(let found):
        if found.missing == 0 { missing = [] }
        recovery = found
      default: break
      }
    }
    (self.missing, self.recovery) = (missing, recovery)
  }

  /// Puts into the new sidecar what stands for a record of its own.
  mutating func merge(_ record: SidecarRecord, _ put: (SidecarRecord) -> Void) {
    switch record {
    case .frame(let frame): merge(frame, put)
    case .frameLoss(let reason, nil, let count):
      if reason == .deviceError { damagedInFront += count }
      let repeated = reason == .disk ? takeBack(count) : 0
      lose(reason, count - repeated)
      if count > repeated { put(.frameLoss(reason, frame: nil, count: count - repeated)) }
    case .frameLoss(let reason, let frame?, let count): lost.append((frame, reason, count))
    case .repeated(_, let count):
      // After the last frame, by the original's count.
      putRepeats(put)
      put(.repeated(frame: reached - (first ?? 0), count: count))
    case .soundLoss(let sample, let count): merge(sample..<sample.addingSaturated(max(0, count)), put)
    case .end(let end): merge(end, put)
    default: put(record)
    }
    if let failure {
      self.failure = nil
      put(.warning("the clip's sidecar cannot be read from here on: \(failure.description)", seconds: 0))
    }
  }

  private mutating func merge(_ frame: SidecarFrame, _ put: (SidecarRecord) -> Void) {
    let seconds = offset + Double(frame.ticks) * tick
    let original = original(at: seconds)
    let number = max(reached, original?.index ?? self.number(behindLastAt: seconds))
    passRepeats(before: number)
    let first = first ?? number
    self.first = first
    putLost(before: frame.index, put)
    putWaiting(upTo: number, put)
    (reached, reachedSeconds) = (number.addingSaturated(1), seconds)
    frames += 1
    if original == nil, let run = repeats.first, run.contains(number) {
      // It repeats the frame before it.
      repeats[0] = number + 1..<run.upperBound
      if repeats[0].isEmpty { repeats.removeFirst() }
      repeatPlaces.add(at: frames - 1)
      if let before = repeatRun, before.upperBound == number {
        repeatRun = before.lowerBound..<number + 1
      } else {
        putRepeats(put)
        repeatRun = number..<number + 1
      }
      return
    }
    putRepeats(put)
    let step = UInt64(clamping: number - (last?.index ?? number))
    var carried = original ?? SidecarFrame(
      index: number, ticks: 0, sequence: last.map { $0.sequence &+ step } ?? frame.sequence, exposure: nil)
    carried.index = number
    last = carried
    (carried.index, carried.ticks) = (number - first, frame.ticks)
    put(.frame(carried))
  }

  /// The new film has lost audio itself.
  private mutating func merge(_ silence: Range<Int64>, _ put: (SidecarRecord) -> Void) {
    CarriedRecord.add(silence, to: &ownSilences)
    // What the original has lost of it is put already.
    lostSamples -= Int64(silence.count)
    for part in CarriedRecord.parts(of: silence, without: carriedSilences) {
      lostSamples += Int64(part.count)
      put(.soundLoss(sample: part.lowerBound, count: Int64(part.count)))
    }
  }

  private mutating func merge(_ own: SidecarEnd, _ put: (SidecarRecord) -> Void) {
    let seconds = offset + Double(own.ticks) * tick
    var behind: Int64 = 0, missingBehind: Int64 = 0, known = 0
    // Asked before the last read.
    let isGrowing = isGrowing(), readAtEnd = cursor.extent
    while let frame = next() {
      upcoming = nil
      lacks(frame)
      guard Double(frame.ticks) * originalTick > seconds - 0.5 / rate else { continue }
      if behind == 0 { known = waiting.count }
      behind += 1
      if isMissing(frame.index) { missingBehind += 1 }
    }
    passRepeats(before: .max)
    // The film may contain only the beginning of the original's film; or the frames behind its end are lost.
    var lostAtEnd = lost.reduce(Int64(0)) { $0.addingSaturated($1.count) }.addingSaturated(lostRepeats)
    putLost(before: .max, put)
    lostAtEnd -= lostRepeats
    let isRead = reachesEnd(), isAll = own.failure == nil && isRead
    let notThere = recovery == nil ? refusedWithRecord : missingBehind
    let isWhole = isAll || behind <= notThere.addingSaturated(lostAtEnd)
    // Of a gap in which the film ends, it has a part: its last frame may last until there.
    let filmEnd = max(reached, lostEnd, number(behindLastAt: seconds))
    let isPart = !isWhole || (!isRead && behind == 0)
    if !isRead, isPart { endWaiting(at: filmEnd, known: isWhole ? .max : known) }
    if isPart { endSound(own, at: filmEnd, isWhole: isWhole) }
    putWaiting(upTo: isWhole ? .max : filmEnd, put)
    putRepeats(put)
    putMissing(isWhole: isWhole, before: isWhole ? .max : filmEnd, put)
    // Beside an open sidecar, only the film tells this. Frames with a record that it lacks are absent here, too.
    let content = isAll && recovery == nil && self.end == nil ? originalContent() : nil
    let neverWritten = recovery?.unwritten ?? content?.unwritten ?? 0
    if isWhole, neverWritten > 0 { putDiskLoss(nil, neverWritten, put) }
    putAbsent(isAll: isAll, isWhole: isWhole, put)
    if isWhole, sampleRate != nil {
      let placeless = max(0, (self.end?.soundLost ?? 0).subtractingSaturated(placedSamples))
      let cutOff = (recovery?.silentSamples ?? 0).addingSaturated(recovery?.missingSamples ?? 0)
      lostSamples = lostSamples.addingSaturated(placeless).addingSaturated(cutOff)
      if let content { add(content, to: own.soundLost ?? 0) }
    }
    // If the new film has all of the original's, its end settles how much was lost.
    let isSettled = isWhole && self.end != nil && recovery == nil && absentInFront == 0
    if isSettled { putUnlisted(put) }
    if !isSettled || carried(.disk) < self.end?.losses[.disk] ?? 0,
      let doubt = doubt(isWhole ? cursor.extent : readAtEnd, isGrowing: isGrowing)
    {
      isInDoubt = true
      put(.warning(doubt + CarriedRecord.doubtful, seconds: 0))
    }
    lostBefore(LossReason.allCases.reduce(Int64(0)) { $0.addingSaturated(carried($1)) }, isInDoubt)
    var end = own
    end.written = own.written - Int64(repeatPlaces.count(amongFirst: frames))
    for (reason, count) in own.losses where losses[reason] == nil { losses[reason] = count }
    end.losses = losses
    let due = losses.values.reduce(end.written) { $0.addingSaturated($1) }
    end.expected = due
    end.captured = due.subtractingSaturated(losses[.deviceGap] ?? 0).subtractingSaturated(losses[.deviceError] ?? 0)
    end.soundLost = own.soundLost.map { $0.addingSaturated(lostSamples) }
    end.ratePartsPerMillion = self.end?.ratePartsPerMillion ?? own.ratePartsPerMillion
    if isWhole, end.failure == nil { end.failure = self.end?.failure }
    put(.end(end))
  }

  /// Losses that the original's end counts, but no line that can be read: nobody knows their places. Those of the disk
  /// have places otherwise.
  private mutating func putUnlisted(_ put: (SidecarRecord) -> Void) {
    guard let end else { return }
    for reason in LossReason.allCases where reason != .disk {
      let unlisted = (end.losses[reason] ?? 0).subtractingSaturated(carried(reason))
      guard unlisted > 0 else { continue }
      losses[reason] = losses[reason, default: 0].addingSaturated(unlisted)
      put(.frameLoss(reason, frame: nil, count: unlisted))
    }
  }

  /// Frames that were lost before the new film was made.
  private func carried(_ reason: LossReason) -> Int64 {
    (losses[reason] ?? 0).subtractingSaturated(ownLosses[reason] ?? 0)
  }

  /// Why the losses that are carried over may not be all; `nil`: they are.
  ///
  /// - Parameters:
  ///   - read: what was read of the original, as far as the new film goes.
  ///   - isGrowing: the original is still being written.
  private func doubt(_ read: SidecarReader.Extent, isGrowing: Bool) -> String? {
    if isCutShort { return "'\(name)' cannot be read from some line on" }
    if read.damagedLines > 0 {
      return "\(read.damagedLines == 1 ? "1 line" : "\(read.damagedLines) lines") of '\(name)' cannot be read"
    }
    return read.tornBytes > 0 && !isGrowing ? "'\(name)' is cut off in the middle of a record" : nil
  }

  /// Counts the audio that the original's film lacks, because it was cut off or damaged. The new film has found gaps in
  /// it, too.
  ///
  /// - Parameter own: samples that the new film counts as lost.
  private mutating func add(_ content: SidecarSummary.FilmContent, to own: Int64) {
    let found = max(0, own.addingSaturated(lostSamples).subtractingSaturated(placedSamples))
    let silent = max(0, content.silentSamples.subtractingSaturated(found))
    lostSamples = lostSamples.addingSaturated(silent).addingSaturated(content.missingSamples)
  }

  // MARK: The original

  /// The frame that shows at that time; reads up to it.
  private mutating func original(at seconds: Double) -> SidecarFrame? {
    while let frame = next() {
      let distance = Double(frame.ticks) * originalTick - seconds
      if distance > 0.5 / rate { return nil }
      upcoming = nil
      if distance >= -0.5 / rate { return frame }
      lacks(frame)
    }
    return nil
  }

  /// A frame of the original is not in the new film. Those that a recovery did not find are lost to the disk.
  private mutating func lacks(_ frame: SidecarFrame) {
    let index = frame.index
    passRepeats(before: index)
    guard !isMissing(index) else { return }
    guard first != nil else {
      absentInFront += 1
      return
    }
    addAbsent(index..<index + 1, areRepeats: false)
  }

  /// The new film has come to a frame: the repeats in front of it that it did not take are not in it.
  private mutating func passRepeats(before number: Int64) {
    while let run = repeats.first, run.lowerBound < number {
      let end = min(run.upperBound, number)
      repeats[0] = end..<run.upperBound
      if repeats[0].isEmpty { repeats.removeFirst() }
      if first != nil { addAbsent(run.lowerBound..<end, areRepeats: true) }
    }
  }

  private mutating func addAbsent(_ frames: Range<Int64>, areRepeats: Bool) {
    if let before = absent.last, before.areRepeats == areRepeats, before.frames.upperBound == frames.lowerBound {
      absent[absent.count - 1].frames = before.frames.lowerBound..<frames.upperBound
    } else {
      absent.append((frames, areRepeats))
    }
  }

  /// The new film's disk has refused the last of its frames. Returns how many of these are repeats.
  private mutating func takeBack(_ count: Int64) -> Int64 {
    let before = repeatPlaces.count(amongFirst: frames)
    frames = max(0, frames - Int(clamping: count))
    return Int64(before - repeatPlaces.count(amongFirst: frames))
  }

  /// The new film has lost frames itself.
  private mutating func lose(_ reason: LossReason, _ count: Int64) {
    losses[reason, default: 0] += count
    ownLosses[reason, default: 0] += count
  }

  /// Frames that the original's disk refused after they had got a record: others of `refused` never had one.
  private var refusedWithRecord: Int64 {
    guard let end else { return refused }
    return min(refused, max(0, listed.subtractingSaturated(end.written)))
  }

  /// The next frame; it stays the next one until `upcoming` is cleared.
  private mutating func next() -> SidecarFrame? {
    if let upcoming { return upcoming }
    do throws(CamrecError) {
      while let record = try cursor.next() {
        guard case .frame(let frame) = record else {
          keep(record)
          continue
        }
        listed += 1
        upcoming = frame
        return frame
      }
    } catch {
      failure = error
      isCutShort = true
    }
    return nil
  }

  private mutating func keep(_ record: SidecarRecord) {
    switch record {
    case .frameLoss(.disk, nil, let count): refused = refused.addingSaturated(count)
    // A run waits for the frame behind it: the new film may end within the run.
    case .frameLoss(_, let frame?, let count): waiting.append((frame.addingSaturated(count), record))
    case .frameLoss(_, nil, _): waiting.append((last?.index ?? 0, record))
    case .repeated(let frame, let count):
      // The new film's own records say which of them it has.
      let begin = max(frame, repeats.last?.upperBound ?? reached), end = frame.addingSaturated(count)
      if begin < end { repeats.append(begin..<end) }
    case .soundLoss(let sample, let count):
      guard let sampleRate else { return }
      placedSamples = placedSamples.addingSaturated(max(0, count))
      // As a run of frames does.
      waiting.append((number(at: Double(sample.addingSaturated(count)) / Double(sampleRate)), record))
    case .warning(let sentence, _) where omitted.contains(sentence): return
    case .warning(let sentence, _) where sentence.hasSuffix(CarriedRecord.doubtful):
      isInDoubt = true
      waiting.append((0, record))
    case .warning(_, let seconds), .note(_, let seconds), .marker(_, let seconds), .setting(_, _, let seconds):
      waiting.append((number(at: seconds), record))
    case .continuation: waiting.append((0, record))
    case .end(let end): self.end = end
    case .frame, .missing, .recovered, .other: return
    }
  }

  /// The nearest frame: a sidecar has times to the millisecond, which may be a little before the frame's own.
  private func number(at seconds: Double) -> Int64 { Int64(saturating: (seconds * rate).rounded()) }

  /// The number of a frame that the original does not list: by its distance from the last one, because the camera may
  /// not keep to its rate.
  private func number(behindLastAt seconds: Double) -> Int64 {
    guard let reachedSeconds else { return number(at: seconds) }
    let distance = Int64(saturating: ((seconds - reachedSeconds) * rate).rounded())
    return reached.addingSaturated(max(1, distance) - 1)
  }

  /// Whether a recovery did not find the frame.
  private func isMissing(_ index: Int64) -> Bool {
    missing.contains { $0.frame <= index && index - $0.frame < $0.count }
  }

  /// Frames that a recovery did not find, from `begin` on.
  private func missingFrames(from begin: Int64) -> Int64 {
    missing.reduce(0) { sum, run in
      sum.addingSaturated(max(0, run.frame.addingSaturated(run.count) - max(run.frame, begin)))
    }
  }

  // MARK: What waited

  /// Of what waits, leaves what is in a film that ends before the original's.
  ///
  /// - Parameters:
  ///   - end: the number behind the film's last frame.
  ///   - known: all but lost frames count up to here: what was known before a frame behind the film's end.
  private mutating func endWaiting(at end: Int64, known: Int) {
    waiting = waiting.enumerated().compactMap { (place, item) -> (frame: Int64, record: SidecarRecord)? in
      switch item.record {
      case .frameLoss(let reason, let first?, let count):
        guard first < end else { return nil }
        let inFilm = min(count, end.subtractingSaturated(first))
        return (first + inFilm, .frameLoss(reason, frame: first, count: inFilm))
      case .marker where item.frame >= end && known < .max: return nil
      case .soundLoss: return item
      default: return place < known ? item : nil
      }
    }
  }

  /// Of the lost audio that waits, leaves what is in a film that ends before the original's.
  ///
  /// - Parameters:
  ///   - own: the film's own account.
  ///   - frame: the number behind the film's last frame.
  ///   - isWhole: the original has no frame behind the film's end.
  private mutating func endSound(_ own: SidecarEnd, at frame: Int64, isWhole: Bool) {
    guard let sampleRate else { return }
    let pictureEnd = Int64(saturating: (Double(own.ticks) * tick * Double(sampleRate)).rounded())
    // Behind both may be audio that the film's disk refused.
    var filmEnd = max(own.soundFrames ?? 0, pictureEnd)
    for silence in ownSilences { filmEnd = max(filmEnd, silence.upperBound) }
    let end = filmEnd.addingSaturated(soundShift)
    // The original has none of the audio that its own disk refused.
    let refused = isWhole ? self.end?.soundFrames ?? .max : .max
    waiting = waiting.compactMap { item -> (frame: Int64, record: SidecarRecord)? in
      guard case .soundLoss(let sample, let count) = item.record, sample < refused else { return item }
      guard sample < end else { return nil }
      let inFilm = min(count, end.subtractingSaturated(sample))
      return (min(item.frame, frame), .soundLoss(sample: sample, count: inFilm))
    }
  }

  /// The sample of the original at the new film's beginning.
  private var soundShift: Int64 { Int64(saturating: (offset * Double(sampleRate ?? 0)).rounded()) }

  private static func add(_ silence: Range<Int64>, to silences: inout [Range<Int64>]) {
    if silences.count == mostSilences { silences.removeFirst() }
    silences.append(silence)
  }

  /// What of a silence is in none of the others.
  private static func parts(of silence: Range<Int64>, without others: [Range<Int64>]) -> [Range<Int64>] {
    var parts = [silence]
    for other in others where other.overlaps(silence) {
      var left: [Range<Int64>] = []
      for part in parts {
        let begin = min(max(other.lowerBound, part.lowerBound), part.upperBound)
        let end = min(max(other.upperBound, part.lowerBound), part.upperBound)
        if part.lowerBound < begin { left.append(part.lowerBound..<begin) }
        if end < part.upperBound { left.append(end..<part.upperBound) }
      }
      parts = left
    }
    return parts
  }

  private mutating func putRepeats(_ put: (SidecarRecord) -> Void) {
    guard let run = repeatRun.take() else { return }
    put(.repeated(frame: run.lowerBound - (first ?? 0), count: Int64(run.count)))
  }

  /// Frames that the original's film lacks are lost to the disk. Those in front of the first frame have no place.
  private mutating func putMissing(isWhole: Bool, before end: Int64, _ put: (SidecarRecord) -> Void) {
    let first = first ?? 0
    var placeless = isWhole ? max(0, refused.subtractingSaturated(missingFrames(from: 0))) : 0
    for run in missing {
      let runEnd = min(run.frame.addingSaturated(run.count), end)
      placeless = placeless.addingSaturated(max(0, min(runEnd, first) - run.frame))
      let begin = max(run.frame, first)
      if begin < runEnd { putDiskLoss(begin - first, runEnd - begin, put) }
    }
    if placeless > 0 { putDiskLoss(nil, placeless, put) }
  }

  /// The clip's file no longer has frames that the original has: their packets were lost. Those in front of the new
  /// film's first frame have no place.
  ///
  /// - Parameters:
  ///   - isAll: the new film lacks nothing that is behind its last frame in the clip.
  ///   - isWhole: the new film has all that the original's disk refused, without a place.
  private mutating func putAbsent(isAll: Bool, isWhole: Bool, _ put: (SidecarRecord) -> Void) {
    let lostInFront = absentInFront.subtractingSaturated(damagedInFront)
    if lostInFront > 0 { putDiskLoss(nil, lostInFront, put) }
    let first = first ?? 0, end = last?.index ?? 0
    // Repeats stand for frames that are lost already.
    let absent = absent.filter { !$0.areRepeats }.map { $0.frames }
    // What the original's disk refused is counted already. It was the last of it; a frame that is stored out of order
    // may stand behind some of them.
    var refused = isWhole ? max(0, refusedWithRecord.subtractingSaturated(missingFrames(from: 0))) : 0
    var lost: [Range<Int64>] = []
    for run in absent.reversed() {
      let known = min(refused, Int64(run.count)), rest = run.lowerBound..<run.upperBound - known
      refused -= known
      if !rest.isEmpty, isAll || rest.lowerBound < end { lost.append(rest) }
    }
    for run in lost.reversed() {
      putDiskLoss(run.lowerBound - first, (isAll ? run.upperBound : min(run.upperBound, end)) - run.lowerBound, put)
    }
  }

  private mutating func putDiskLoss(_ frame: Int64?, _ count: Int64, _ put: (SidecarRecord) -> Void) {
    losses[.disk] = losses[.disk, default: 0].addingSaturated(count)
    put(.frameLoss(.disk, frame: frame, count: count))
  }

  private mutating func putLost(before frame: Int64, _ put: (SidecarRecord) -> Void) {
    while let loss = lost.first, loss.frame < frame {
      lost.removeFirst()
      var count = loss.count, repeats: Int64 = 0
      while count > 0, let (frames, areRepeats) = takeAbsent(atMost: count) {
        let length = Int64(frames.count)
        count -= length
        lostEnd = max(lostEnd, frames.upperBound)
        guard !areRepeats else {
          repeats += length
          continue
        }
        put(.frameLoss(loss.reason, frame: frames.lowerBound - (first ?? 0), count: length))
      }
      lostRepeats += repeats
      lose(loss.reason, loss.count - repeats)
      guard count > 0 else { continue }
      put(.frameLoss(loss.reason, frame: max(0, reached - (first ?? 0)), count: count))
    }
  }

  /// The next absent frames in a row behind the last frame, otherwise the first: a frame may come too late for its
  /// place.
  private mutating func takeAbsent(atMost count: Int64) -> (frames: Range<Int64>, areRepeats: Bool)? {
    let place = reached
    let behind = absent.firstIndex { $0.frames.lowerBound >= place }
    guard let next = behind ?? absent.firstIndex(where: { !$0.areRepeats }) else { return nil }
    let (whole, areRepeats) = absent[next]
    let middle = min(whole.lowerBound.addingSaturated(count), whole.upperBound)
    absent[next].frames = middle..<whole.upperBound
    if absent[next].frames.isEmpty { absent.remove(at: next) }
    return (whole.lowerBound..<middle, areRepeats)
  }

  private mutating func putWaiting(upTo frame: Int64, _ put: (SidecarRecord) -> Void) {
    guard waiting.contains(where: { $0.frame <= frame }) else { return }
    let ready = waiting.filter { $0.frame <= frame }
    waiting.removeAll { $0.frame <= frame }
    let first = first ?? 0
    func time(_ seconds: Double) -> Double { max(0, seconds - offset) }
    for (_, record) in ready {
      switch record {
      case .frameLoss(let reason, let place, let count):
        losses[reason, default: 0] = losses[reason, default: 0].addingSaturated(count)
        // Those in front of the film's first frame have no place.
        let inFront = place.map { min(count, max(0, first.subtractingSaturated($0))) } ?? count
        if inFront > 0 { put(.frameLoss(reason, frame: nil, count: inFront)) }
        guard let place, inFront < count else { continue }
        put(.frameLoss(reason, frame: place + inFront - first, count: count - inFront))
      case .soundLoss(let sample, let count):
        let begin = max(0, sample.subtractingSaturated(soundShift))
        let silence = begin..<begin.addingSaturated(max(0, count))
        for part in CarriedRecord.parts(of: silence, without: ownSilences) {
          lostSamples = lostSamples.addingSaturated(Int64(part.count))
          CarriedRecord.add(part, to: &carriedSilences)
          put(.soundLoss(sample: part.lowerBound, count: Int64(part.count)))
        }
      case .warning(let sentence, let seconds): put(.warning(sentence, seconds: time(seconds)))
      case .note(let sentence, let seconds): put(.note(sentence, seconds: time(seconds)))
      case .marker(let text, let seconds): put(.marker(text, seconds: time(seconds)))
      case .setting(let name, let value, let seconds): put(.setting(name, value: value, seconds: time(seconds)))
      default: put(record)
      }
    }
  }
}
