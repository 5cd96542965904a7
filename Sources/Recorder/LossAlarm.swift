import Foundation
import Platform
package import Frames

/// Warns of lost frames and audio: at once when it begins, with the reason and a remedy. Further losses within the
/// interval are reported together when it has passed, or at the end of the film. A loss to the disk waits a second,
/// because the disk may be full rather than slow.
///
/// Thread: one at a time.
package struct LossAlarm {
  private enum Kind: Hashable {
    case frames(LossReason)
    /// Frames that the output refused.
    case refused
    case sound
    /// Sound that the output refused.
    case refusedSound

    var isSound: Bool { self == .sound || self == .refusedSound }
    /// It is seen when the microphone or the camera delivers again, and may lie in front of the last warning.
    var isSeenLate: Bool { isSound || self == .frames(.deviceGap) }
  }

  private struct Account {
    var total: Int64 = 0
    var unsaid: Int64 = 0
    /// The place of the first and the last that nobody was told of, and whose place is known.
    var places: ClosedRange<Int64>?
    /// That nobody was told of, and whose place is not known.
    var unplaced: Int64 = 0
    /// A place that is not that of all would be a wrong one.
    var knownPlaces: ClosedRange<Int64>? { unplaced > 0 ? nil : places }
    /// Places in the files in which those lie whose own places are not known.
    var region: ClosedRange<Int64>?
    /// The file of one of them is not known.
    var isAnywhere = false
    /// By this the file is found in which all of them lie; `nil` if one may lie in any.
    var extent: ClosedRange<Int64>? {
      guard !isAnywhere else { return nil }
      guard let places, let region else { return places ?? region }
      return Account.union(places, region)
    }
    /// `nil` before the first warning.
    var said: MonotonicTime?
    /// When the first of them was seen that nobody was told of.
    var seen: MonotonicTime?
    /// When the last frame of them was lost; `nil` if that is not known.
    var latest: MonotonicTime?

    mutating func take(over other: inout Account) {
      total = total.addingSaturated(other.unsaid)
      unsaid = unsaid.addingSaturated(other.unsaid)
      unplaced = unplaced.addingSaturated(other.unplaced)
      if let places = other.places { include(places) }
      isWithin(other.region, isAnywhere: other.isAnywhere)
      isLost(at: other.latest)
      other.total -= other.unsaid
      other.isSaid(at: other.said)
    }

    mutating func include(_ new: ClosedRange<Int64>) {
      places = Account.union(places ?? new, new)
    }

    mutating func isWithin(_ new: ClosedRange<Int64>?, isAnywhere isUnknown: Bool) {
      isAnywhere = isAnywhere || isUnknown
      if let new { region = Account.union(region ?? new, new) }
    }

    private static func union(_ one: ClosedRange<Int64>, _ other: ClosedRange<Int64>) -> ClosedRange<Int64> {
      min(one.lowerBound, other.lowerBound)...max(one.upperBound, other.upperBound)
    }

    mutating func isLost(at time: MonotonicTime?) {
      guard let time else { return }
      latest = max(latest ?? time, time)
    }

    mutating func isSaid(at time: MonotonicTime?) {
      (unsaid, places, unplaced, said, seen, latest) = (0, nil, 0, time, nil, nil)
      (region, isAnywhere) = (nil, false)
    }
  }

  /// Nanoseconds, at most, until `ProgressReporter` looks at a film's losses again.
  private static let delay: Int64 = 600_000_000

  private var accounts: [Kind: Account] = [:]
  private let interval: Int64
  private let sampleRate: Int
  private let isClip: Bool
  private let isDivided: Bool
  private let hasFasterPreset: Bool
  private let isPreRoll: Bool
  private var refusal: OutputRefusal?

  /// - Parameters:
  ///   - seconds: between two warnings of one reason.
  ///   - sampleRate: samples a second of each channel.
  ///   - isClip: frames and audio come from a clip, not from devices.
  ///   - isDivided: the recording is divided into segments, so that a place has to say which one it is in.
  ///   - hasFasterPreset: the encoder has a faster preset than the film's.
  ///   - isPreRoll: frames and audio that no film has yet.
  package init(
    seconds: Double = 30, sampleRate: Int = 48_000, isClip: Bool = false, isDivided: Bool = false,
    hasFasterPreset: Bool = false, isPreRoll: Bool = false
  ) {
    self.isClip = isClip
    self.isDivided = isDivided
    self.hasFasterPreset = hasFasterPreset
    self.isPreRoll = isPreRoll
    interval = Int64(saturating: seconds * 1e9)
    self.sampleRate = max(1, sampleRate)
  }

  package mutating func record(_ loss: SessionLoss) {
    let kind = loss.reason == .disk && refusal != nil ? Kind.refused : .frames(loss.reason)
    add(
      loss.count, loss.frames, unplaced: loss.unplaced, within: loss.region, isAnywhere: loss.isAnywhere,
      latest: loss.latest, to: kind)
  }

  /// The output takes nothing more: what the disk has cost shortly before, and nobody was told of, is the refusal's.
  package mutating func record(_ refusal: OutputRefusal, at now: MonotonicTime) {
    self.refusal = refusal
    guard var slow = accounts[.frames(.disk)], slow.unsaid > 0,
      slow.seen.map({ now - $0 <= OutputRefusal.reach }) ?? true
    else { return }
    accounts[.refused, default: Account()].take(over: &slow)
    accounts[.frames(.disk)] = slow
  }

  /// - Parameter sample: where in the recording the first of them would be; `nil`: no film has a place for them.
  package mutating func record(lostSamples count: Int64, from sample: Int64?) {
    guard count > 0 else { return }
    let places = sample.map { $0...$0.addingSaturated(count - 1) }
    add(count, places, unplaced: places == nil ? count : 0, isAnywhere: places == nil, to: .sound)
  }

  /// The output took these samples and did not store them.
  ///
  /// - Parameter sample: where in the recording the first of them would be.
  package mutating func record(refusedSamples count: Int64, from sample: Int64) {
    guard count > 0 else { return }
    add(count, sample...sample.addingSaturated(count - 1), to: .refusedSound)
  }

  private mutating func add(
    _ count: Int64, _ places: ClosedRange<Int64>?, unplaced: Int64 = 0, within region: ClosedRange<Int64>? = nil,
    isAnywhere: Bool = false, latest: MonotonicTime? = nil, to kind: Kind
  ) {
    guard count > 0 else { return }
    var account = accounts[kind] ?? Account()
    account.total = account.total.addingSaturated(count)
    account.unsaid = account.unsaid.addingSaturated(count)
    account.unplaced = account.unplaced.addingSaturated(unplaced)
    account.isLost(at: latest)
    account.isWithin(region, isAnywhere: isAnywhere)
    if let places { account.include(places) }
    accounts[kind] = account
  }

  /// What is to be said of it now.
  ///
  /// - Parameters:
  ///   - isEnd: the film has ended; nothing is kept for later.
  ///   - place: the file in which the loss lies; `nil` while that is not known.
  package mutating func warnings(
    at now: MonotonicTime, isEnd: Bool = false, in place: (LossExtent) -> LossPlace? = { _ in nil }
  ) -> [SessionRemark] {
    (LossReason.allCases.map(Kind.frames) + [.refused, .sound, .refusedSound]).compactMap { kind in
      guard var account = accounts[kind], account.unsaid > 0 else { return nil }
      defer { accounts[kind] = account }
      let seen = account.seen ?? now
      account.seen = seen
      if let said = account.said, !isEnd, now - said < interval { return nil }
      if kind == .frames(.disk), !isEnd, now - seen < OutputRefusal.reach { return nil }
      let extent = account.extent
      let film = place(kind.isSound ? .samples(extent) : .frames(extent))
      // The writer may not have come as far yet.
      if isDivided, film == nil, extent != nil, !isEnd, now - seen < OutputRefusal.reach { return nil }
      // Finishing a film may take long, and then nothing more is lost.
      let end = isEnd ? account.latest ?? now : now, delay: Int64 = isEnd ? 0 : LossAlarm.delay
      let remark = remark(kind, account, until: end, delay, in: film)
      account.isSaid(at: now)
      return remark
    }
  }

  /// - Parameter delay: so much of the time until `end` may be that of the recorder, and is below a second.
  private func remark(
    _ kind: Kind, _ account: Account, until end: MonotonicTime, _ delay: Int64, in film: LossPlace?
  ) -> SessionRemark {
    var facts = ["count": "\(account.unsaid)"]
    facts["film"] = film?.film
    var places = account.knownPlaces
    if let film, let all = places {
      // As in the film's sidecar.
      let begin = kind.isSound ? film.firstSample : film.firstFrame
      let first = max(0, all.lowerBound - begin)
      places = first...max(first, all.upperBound - begin)
    }
    let cause: String, remedy: Sentence?
    switch kind {
    case .frames(let reason):
      cause = reason.words.cause(isClip: isClip)
      remedy = reason.words.remedy(isClip: isClip, hasFasterPreset: hasFasterPreset)
    case .refused, .refusedSound:
      cause = refusal?.cause ?? LossReason.disk.words.cause()
      remedy = refusal?.remedy
    case .sound:
      // An output that takes nothing more may have refused the silence, too.
      let stand = refusal == nil ? "; silence stands for it" : ""
      if isClip {
        cause = "the clip's audio is damaged or has a gap\(stand)"
        remedy = "copy it again from its source"
      } else {
        cause = "the microphone did not deliver\(stand)"
        remedy = "try another USB port or cable, or give this machine less to do"
      }
    }
    if kind.isSound {
      facts["reason"] = "sound"
      facts["sample"] = places.map { "\($0.lowerBound)" }
    } else {
      facts["reason"] = if case .frames(let reason) = kind { reason.rawValue } else { LossReason.disk.rawValue }
      facts["frame"] = places.map { "\($0.lowerBound)" }
      facts["last-frame"] = places.map { "\($0.upperBound)" }
    }
    let what = amount(account.unsaid, of: kind, isMore: account.said != nil)
    let whole = isDivided ? " of \(film.map { PathText($0.film).name } ?? "these segments")" : ""
    let place = places.map { " (\(words($0, account.unsaid, of: kind, whole)))" } ?? ""
    guard let said = account.said else {
      let advice: Sentence = if let remedy { "; \(sentence: remedy)" } else { "" }
      return SessionRemark(
        saying: "\(what)\(place): \(cause)\(sentence: advice)", facts: facts, namesFilm: true)
    }
    let elapsed = end - said, second: Int64 = 1_000_000_000
    let time = kind.isSeenLate || elapsed < second ? "" : " in \(LossAlarm.time(elapsed, delay)) s"
    return SessionRemark(
      "\(what)\(time)\(place), \(sum(account.total, of: kind)) in all: \(cause)", facts: facts, isRepeat: true,
      namesFilm: true)
  }

  /// Seconds, rounded up: three have no room for the frames of 3.9. At the end, few have a decimal place.
  private static func time(_ elapsed: Int64, _ delay: Int64) -> String {
    let tenths = (elapsed - 1) / 100_000_000 + 1
    guard delay > 0 || tenths >= 100 else { return "\(tenths / 10).\(tenths % 10)" }
    return "\((elapsed - delay - 1) / 1_000_000_000 + 1)"
  }

  /// `3 frames were lost`, `3 more frames of the pre-roll were lost`, `0.2 s of the pre-roll's audio was lost`.
  private func amount(_ count: Int64, of kind: Kind, isMore: Bool) -> String {
    guard !kind.isSound else {
      return "\(sum(count, of: kind)) \(isMore ? "more " : "")of \(isPreRoll ? "the pre-roll's " : "")audio was lost"
    }
    let more = isMore ? "more " : "", whole = isPreRoll ? " of the pre-roll" : ""
    if count == 1 { return "\(isMore ? "1 more" : "a") frame\(whole) was lost" }
    return "\(count) \(more)frames\(whole) were lost"
  }

  private func sum(_ count: Int64, of kind: Kind) -> String {
    kind.isSound ? "\(LossAlarm.seconds(Double(count) / Double(sampleRate))) s" : "\(count)"
  }

  /// - Parameter whole: what the place is in: ` of g-0002.mov`.
  private func words(_ places: ClosedRange<Int64>, _ count: Int64, of kind: Kind, _ whole: String) -> String {
    guard !kind.isSound else {
      // As the film's account has it: in tenths, it could lie behind the end, or in front of what was lost.
      return "from \(String(format: "%.3f", Double(places.lowerBound) / Double(sampleRate))) s\(whole) on"
    }
    return count == 1 ? "frame \(places.lowerBound)\(whole)" : "from frame \(places.lowerBound)\(whole) on"
  }

  /// Tenths, and as many digits as a short one needs. No loss is as short as none.
  private static func seconds(_ seconds: Double) -> String {
    guard seconds > 0, seconds < 0.095 else { return String(format: "%.1f", seconds) }
    return String(format: "%.3f", max(seconds, 0.001))
  }
}
