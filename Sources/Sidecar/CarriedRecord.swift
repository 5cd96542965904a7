import Frames

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
  /// Frames of the original's film that the new one lacks, as far as they are not yet among the lost ones.
  private var absent: [Range<Int64>] = []
  /// Of those: in front of the new film's first frame; and how many of these it knows to be damaged.
  private var absentInFront: Int64 = 0
  private var damagedInFront: Int64 = 0
  /// The last frame, with its number in the original, and what is said about it.
  private var last: SidecarFrame?
  /// Its time in the original, in seconds.
  private var lastSeconds = 0.0
  private var first: Int64?
  private var end: SidecarEnd?
  private var repeats: [Range<Int64>] = []
  private var repeatedFrames: Int64 = 0
  private var losses: [LossReason: Int64] = [:]
  private var lostSamples: Int64 = 0
  /// What the last recovery of the original did not find, and that recovery.
  private let missing: [(frame: Int64, count: Int64)]
  private let recovery: SidecarRecovery?
  /// Frames that the original's disk refused; a recovery has their places among the missing ones.
  private var refused: Int64 = 0
  private var failure: CamrecError?
  /// Whether the new film goes on up to the end of the original's film; known when it ends.
  private let reachesEnd: @Sendable () -> Bool

  /// - Parameters:
  ///   - omitted: warnings of the original that say nothing about the new film.
  ///   - reachesEnd: whether the new film goes on up to the end of the original's film.
  /// - Throws: code `input`.
  init(
    _ original: SidecarReader, head: SidecarHead, offset: Double, omitting omitted: Set<String>,
    reachesEnd: @escaping @Sendable () -> Bool
  ) throws(CamrecError) {
    cursor = try SidecarCursor(original)
    rate = original.head.frameRate.framesPerSecond
    originalTick = original.head.timeBase.doubleValue
    tick = head.timeBase.doubleValue
    // At another rate, samples have other numbers.
    sampleRate = head.sampleRate == original.head.sampleRate ? head.sampleRate : nil
    self.offset = offset
    self.omitted = omitted
    self.reachesEnd = reachesEnd
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
      losses[reason, default: 0] += count
      if reason == .deviceError { damagedInFront += count }
      put(record)
    case .frameLoss(let reason, let frame?, let count): lost.append((frame, reason, count))
    case .repeated(_, let count):
      // After the last frame, by the original's count.
      put(.repeated(frame: (last?.index ?? 0) + 1 - (first ?? 0), count: count))
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
    let number = max((last?.index ?? -1) + 1, original?.index ?? Int64(saturating: (seconds * rate).rounded()))
    let first = first ?? number
    self.first = first
    putLost(before: frame.index, put)
    putWaiting(upTo: number, put)
    if original == nil, repeats.contains(where: { $0.contains(number) }) {
      // It repeats the frame before it.
      repeatedFrames += 1
      return
    }
    let step = UInt64(clamping: number - (last?.index ?? number))
    var carried = original ?? SidecarFrame(
      index: number, ticks: 0, sequence: last.map { $0.sequence &+ step } ?? frame.sequence, exposure: nil)
    carried.index = number
    last = carried
    lastSeconds = seconds
    (carried.index, carried.ticks) = (number - first, frame.ticks)
    put(.frame(carried))
  }

  private mutating func merge(_ own: SidecarEnd, _ put: (SidecarRecord) -> Void) {
    let seconds = offset + Double(own.ticks) * tick
    var behind: Int64 = 0, known = 0, following = Double.infinity
    while let frame = next() {
      upcoming = nil
      lacks(frame)
      let time = Double(frame.ticks) * originalTick
      guard time > seconds - 0.5 / rate else { continue }
      if behind == 0 { (known, following) = (waiting.count, time) }
      behind += 1
    }
    // The film may contain only the beginning of the original's film; or the frames behind its end are lost.
    let lostAtEnd = lost.reduce(Int64(0)) { $0.addingSaturated($1.count) }
    let isAll = own.failure == nil && reachesEnd()
    let notThere = max(refused, missingFrames(from: (last?.index ?? -1) + 1))
    let isWhole = isAll || behind <= notThere.addingSaturated(lostAtEnd)
    putLost(before: .max, put)
    if !isWhole { waiting.removeSubrange(known...) }
    // A film that ends inside a gap lacks its frames up to there.
    let endsInGap = !isAll && following > seconds + 0.5 / rate
    let frames = Int64(saturating: ((seconds - lastSeconds) * rate).rounded())
    putWaiting(
      upTo: isWhole ? .max : (last?.index ?? 0) + 1,
      lostBefore: endsInGap ? (last?.index ?? 0).addingSaturated(frames) : .max, put)
    putMissing(isWhole: isWhole, put)
    putAbsent(isAll: isAll, put)
    if isWhole, sampleRate != nil, let recovery {
      lostSamples = lostSamples.addingSaturated(recovery.silentSamples).addingSaturated(recovery.missingSamples)
    }
    var end = own
    end.written = own.written - repeatedFrames
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
    guard !missing.contains(where: { $0.frame <= index && index - $0.frame < $0.count }) else { return }
    guard first != nil else {
      absentInFront += 1
      return
    }
    if let before = absent.last, before.upperBound == index {
      absent[absent.count - 1] = before.lowerBound..<index + 1
    } else {
      absent.append(index..<index + 1)
    }
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
        upcoming = frame
        return frame
      }
    } catch {
      failure = error
    }
    return nil
  }

  private mutating func keep(_ record: SidecarRecord) {
    switch record {
    case .frameLoss(.disk, nil, let count): refused = refused.addingSaturated(count)
    case .frameLoss(_, let frame, _): waiting.append((frame ?? last?.index ?? 0, record))
    case .repeated(let frame, let count):
      repeats.append(frame..<max(frame, frame.addingSaturated(count)))
      waiting.append((frame, record))
    case .soundLoss(let sample, _):
      guard let sampleRate else { return }
      waiting.append((number(at: Double(sample) / Double(sampleRate)), record))
    case .warning(let sentence, _) where omitted.contains(sentence): return
    case .warning(_, let seconds), .note(_, let seconds), .marker(_, let seconds), .setting(_, _, let seconds):
      waiting.append((number(at: seconds), record))
    case .continuation: waiting.append((0, record))
    case .end(let end): self.end = end
    case .frame, .missing, .recovered, .other: return
    }
  }

  /// The nearest frame: a sidecar has times to the millisecond, which may be a little before the frame's own.
  private func number(at seconds: Double) -> Int64 { Int64(saturating: (seconds * rate).rounded()) }

  /// Frames that a recovery did not find, from `begin` on.
  private func missingFrames(from begin: Int64) -> Int64 {
    missing.reduce(0) { sum, run in
      sum.addingSaturated(max(0, run.frame.addingSaturated(run.count) - max(run.frame, begin)))
    }
  }

  // MARK: What waited

  /// Frames that the original's film lacks are lost to the disk. Those in front of the first frame have no place.
  private mutating func putMissing(isWhole: Bool, _ put: (SidecarRecord) -> Void) {
    let first = first ?? 0, end = isWhole ? Int64.max : (last?.index ?? -1) + 1
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
  /// - Parameter isAll: the new film lacks nothing that is behind its last frame in the clip.
  private mutating func putAbsent(isAll: Bool, _ put: (SidecarRecord) -> Void) {
    let lostInFront = absentInFront.subtractingSaturated(damagedInFront)
    if lostInFront > 0 { putDiskLoss(nil, lostInFront, put) }
    let first = first ?? 0, end = last?.index ?? 0
    for run in absent where run.lowerBound < end {
      putDiskLoss(run.lowerBound - first, min(run.upperBound, end) - run.lowerBound, put)
    }
    guard isAll else { return }
    // What the original's disk refused is counted already. It was the last of it.
    var left = absent.filter { $0.lowerBound > end }.reduce(Int64(0)) { $0.addingSaturated(Int64($1.count)) }
      .subtractingSaturated(max(0, refused.subtractingSaturated(missingFrames(from: 0))))
    for run in absent where run.lowerBound > end && left > 0 {
      let count = min(left, Int64(run.count))
      putDiskLoss(run.lowerBound - first, count, put)
      left -= count
    }
  }

  private mutating func putDiskLoss(_ frame: Int64?, _ count: Int64, _ put: (SidecarRecord) -> Void) {
    losses[.disk] = losses[.disk, default: 0].addingSaturated(count)
    put(.frameLoss(.disk, frame: frame, count: count))
  }

  private mutating func putLost(before frame: Int64, _ put: (SidecarRecord) -> Void) {
    while let loss = lost.first, loss.frame < frame {
      lost.removeFirst()
      losses[loss.reason, default: 0] += loss.count
      var count = loss.count
      while count > 0, let frames = takeAbsent(atMost: count) {
        put(.frameLoss(loss.reason, frame: frames.lowerBound - (first ?? 0), count: Int64(frames.count)))
        count -= Int64(frames.count)
      }
      guard count > 0 else { continue }
      let place = last.map { $0.index + 1 - (first ?? 0) } ?? 0
      put(.frameLoss(loss.reason, frame: place, count: count))
    }
  }

  /// The next absent frames in a row behind the last frame, otherwise the first: a frame may come too late for its
  /// place.
  private mutating func takeAbsent(atMost count: Int64) -> Range<Int64>? {
    let place = last?.index ?? 0
    guard let next = absent.firstIndex(where: { $0.lowerBound > place }) ?? absent.indices.first else { return nil }
    let whole = absent[next], middle = min(whole.lowerBound + count, whole.upperBound)
    absent[next] = middle..<whole.upperBound
    if absent[next].isEmpty { absent.remove(at: next) }
    return whole.lowerBound..<middle
  }

  /// - Parameter bound: lost frames from here on are not this film's.
  private mutating func putWaiting(
    upTo frame: Int64, lostBefore bound: Int64 = .max, _ put: (SidecarRecord) -> Void
  ) {
    guard waiting.contains(where: { $0.frame <= frame }) else { return }
    let ready = waiting.filter { $0.frame <= frame }
    waiting.removeAll { $0.frame <= frame }
    let first = first ?? 0
    func time(_ seconds: Double) -> Double { max(0, seconds - offset) }
    for (number, record) in ready {
      switch record {
      case .frameLoss(let reason, let place, let all) where number >= first || place == nil:
        let count = place.map { min(all, bound.subtractingSaturated($0)) } ?? all
        guard count > 0 else { continue }
        losses[reason, default: 0] = losses[reason, default: 0].addingSaturated(count)
        put(.frameLoss(reason, frame: place.map { $0 - first }, count: count))
      case .frameLoss(let reason, _, let count):
        // In front of the film's first frame.
        losses[reason, default: 0] = losses[reason, default: 0].addingSaturated(count)
        put(.frameLoss(reason, frame: nil, count: count))
      case .repeated(let place, let count): put(.repeated(frame: max(0, place - first), count: count))
      case .soundLoss(let sample, let count):
        lostSamples = lostSamples.addingSaturated(count)
        let shift = Int64(saturating: (offset * Double(sampleRate ?? 0)).rounded())
        put(.soundLoss(sample: max(0, sample.subtractingSaturated(shift)), count: count))
      case .warning(let sentence, let seconds): put(.warning(sentence, seconds: time(seconds)))
      case .note(let sentence, let seconds): put(.note(sentence, seconds: time(seconds)))
      case .marker(let text, let seconds): put(.marker(text, seconds: time(seconds)))
      case .setting(let name, let value, let seconds): put(.setting(name, value: value, seconds: time(seconds)))
      default: put(record)
      }
    }
  }
}
