public import Foundation
public import Frames
public import Platform
import Synchronization

/// Names a recorder's files, one after another. No two files get the same name, no existing file's name is used, and
/// the names sort in the order in which the files were made.
///
/// The first film gets the pattern's name, and is refused if that is taken; further films get `take-2.mov`,
/// `take-3.mov`, …. If the pattern contains a time, the first film, too, gets the next free name: that of the next
/// second if the time has seconds, otherwise one with a number. With numbering, the names are `take-0001.mov`,
/// `take-0002.mov`, …, continuing after the highest number that exists. A name whose file never got a frame is given
/// again. If the wall clock is set back, the times in names go on as if it had not been, until it has caught up.
///
/// Thread: any.
public final class FilmNames: Sendable {
  private struct Numbered: Equatable {
    var stem: String
    var number: Int
  }

  private struct State {
    /// The latest names without those that are numbered, and the order in which they were given.
    var taken: Set<String> = []
    var order: [String] = []
    /// The index of the oldest in `order`, once that is full.
    var oldest = 0
    var stem = ""
    var number = 0
    /// The name that `film` gave last; it is taken once it is claimed.
    var named: (path: String, stem: String, number: Int)?
    /// The segment named last, until its first frame: a recording that ends before never needs it.
    var prepared: Numbered?
    /// One that a film has the name of as well: whichever has a frame first keeps it.
    var shared: Numbered?
    /// The segment that got its first frame last.
    var begun: Numbered?
    /// The latest time in a name, when it was given, and whether the clock was synchronised then.
    var latest: (date: Date, time: MonotonicTime, isSynchronized: Bool)?
    /// The latest second that a name took because those before it were taken, and when. No later name has an earlier
    /// one, even if those become free again; the clock catches up with it.
    var passed: (date: Date, time: MonotonicTime)?

    mutating func take(_ path: String) {
      guard taken.insert(path).inserted else { return }
      if order.count < FilmNames.mostTaken { return order.append(path) }
      taken.remove(order[oldest])
      order[oldest] = path
      oldest = (oldest + 1) % FilmNames.mostTaken
    }

    /// Only the latest: nothing sorts in front of a film that was made before it.
    mutating func giveBack(_ path: String) {
      guard order.count < FilmNames.mostTaken, order.last == path else { return }
      order.removeLast()
      taken.remove(path)
    }
  }

  private let pattern: String
  private let isUTC: Bool
  private let isNumbered: Bool
  private let overwrite: Bool
  private let now: @Sendable () -> (date: Date, time: MonotonicTime)
  private let isSynchronized: @Sendable () -> Bool
  private let state = Mutex(State())

  /// Digits of a number; more if they do not suffice.
  private static let digits = 4
  /// The highest number that counting continues from; as many numbers again are free above it.
  private static let mostNumber = 999_999_999_999_998
  /// Names that are remembered although no file has them any more.
  package static let mostTaken = 4096
  /// Seconds that names may run ahead of the clock. Beyond that the clock was wrong before.
  package static let mostAhead = 31.0 * 86_400
  /// How often another program may take a name between its choice and the creation of its file.
  package static let attempts = 100

  /// - Parameters:
  ///   - pattern: as `OutputPath`.
  ///   - isUTC: fills in the pattern with UTC instead of local time.
  ///   - overwrite: the first film may replace an existing file; a numbered film never does.
  ///   - now: the wall clock and the monotonic one.
  ///   - isSynchronized: whether the wall clock is synchronised now.
  public init(
    pattern: String, isUTC: Bool, isNumbered: Bool, overwrite: Bool,
    now: @escaping @Sendable () -> (date: Date, time: MonotonicTime) = { (Date(), MonotonicTime.now()) },
    isSynchronized: @escaping @Sendable () -> Bool = { false }
  ) {
    self.pattern = pattern
    self.isUTC = isUTC
    self.isNumbered = isNumbered
    self.overwrite = overwrite
    self.now = now
    self.isSynchronized = isSynchronized
  }

  /// Names the first film of a recording; nobody else gets the name once it is claimed.
  ///
  /// - Parameters:
  ///   - isFirst: nothing was recorded before.
  ///   - begin: when it begins, if that is still to come; `nil` is now.
  /// - Throws: as `OutputPath` and its `check`.
  public func film(isFirst: Bool, at begin: MonotonicTime? = nil) throws(CamrecError) -> OutputPath {
    try film(isFirst: isFirst, at: begin, sharesPrepared: true)
  }

  /// - Parameter sharesPrepared: may give the name of a segment that waits for its first frame. If its recording ends
  ///   before, the segment's file goes; if it gets a frame first, this film finds its name taken.
  private func film(
    isFirst: Bool, at begin: MonotonicTime?, sharesPrepared: Bool
  ) throws(CamrecError) -> OutputPath {
    var attempt = 0, sharesPrepared = sharesPrepared
    while true {
      let output = try candidate(at: begin)
      guard hasAnother(isFirst: isFirst) else {
        try output.path.check(overwrite: overwrite)
        return output.path
      }
      let next: OutputPath, isShared: Bool
      if isNumbered {
        (next, isShared) = numbered(output.path, sharesPrepared: sharesPrepared)
      } else {
        next = try unused(output.path, output.date)
        isShared = false
      }
      do throws(CamrecError) {
        try next.check(overwrite: isShared)
        return next
      } catch {
        // Another program was faster, or the segment's file has just gone.
        attempt += 1
        guard isShared || OutputPath.isTaken(next.path), attempt < FilmNames.attempts else { throw error }
        sharesPrepared = false
      }
    }
  }

  /// The next name, for when another program has used the one that `film` gave.
  ///
  /// - Returns: `nil` if the film can have no other name.
  /// - Throws: as `film`.
  public func another(isFirst: Bool, at begin: MonotonicTime? = nil) throws(CamrecError) -> OutputPath? {
    guard hasAnother(isFirst: isFirst) else { return nil }
    let next = try film(isFirst: isFirst, at: begin, sharesPrepared: false)
    claim(next.path)
    return next
  }

  private func hasAnother(isFirst: Bool) -> Bool {
    isNumbered || !isFirst || (!overwrite && OutputPath.changesWithTime(pattern))
  }

  private func candidate(at begin: MonotonicTime?) throws(CamrecError) -> (path: OutputPath, date: Date) {
    let date = date(at: begin)
    return (try OutputPath(pattern: pattern, date: date, isUTC: isUTC), date)
  }

  private func numbered(_ output: OutputPath, sharesPrepared: Bool) -> (path: OutputPath, isShared: Bool) {
    let stem = PathText(output.path).withoutKind
    let highest = FilmNames.highestNumber(stem: stem)
    // The disk is never asked while others wait for the lock: it may not answer.
    let (last, prepared) = state.withLock { ($0.stem == stem ? max($0.number, highest) : highest, $0.prepared) }
    let isShared = sharesPrepared && prepared == Numbered(stem: stem, number: last)
    var number = isShared ? last : last + 1
    var path = numbered(output.path, number)
    while !isShared, OutputPath.isTaken(path) {
      number += 1
      path = numbered(output.path, number)
    }
    state.withLock { [path, number] in $0.named = (path, stem, number) }
    return (OutputPath(path: path, container: output.container, folders: output.folders), isShared)
  }

  /// If names contain the second, takes the next second without a film: a number appended would sort in front.
  private func unused(_ output: OutputPath, _ begin: Date) throws(CamrecError) -> OutputPath {
    var output = output, date = begin
    if OutputPath.changesEverySecond(pattern) {
      for _ in 0..<FilmNames.mostSecondsAhead where isUsed(output.path) {
        date += 1
        output = try OutputPath(pattern: pattern, date: date, isUTC: isUTC)
      }
    }
    if date > begin, !isUsed(output.path) {
      state.withLock { [date] state in
        guard let latest = state.latest, state.passed.map({ $0.date < date }) ?? true else { return }
        state.passed = (date, latest.time)
      }
    }
    return OutputPath(path: free(output.path), container: output.container, folders: output.folders)
  }

  /// How many films may begin in the same second.
  private static let mostSecondsAhead = 60

  private func isUsed(_ path: String) -> Bool {
    state.withLock { $0.taken.contains(path) } || OutputPath.isTaken(path)
  }

  /// Notes that a film is made at `path`.
  public func claim(_ path: String) {
    state.withLock { state in
      if let named = state.named, named.path == path {
        (state.stem, state.number) = (named.stem, named.number)
        let name = Numbered(stem: named.stem, number: named.number)
        if state.prepared == name { (state.prepared, state.shared) = (nil, name) }
      } else {
        state.take(path)
      }
    }
  }

  /// Notes that the segment at `path` gets its first frame.
  public func begins(_ path: String) {
    guard isNumbered, let name = FilmNames.place(of: path) else { return }
    state.withLock { state in
      if state.prepared == name { state.prepared = nil }
      if state.shared == name { state.shared = nil }
      state.begun = name
    }
  }

  /// Gives a name back whose file is gone, or was never made, without a frame. If it was the latest, the next film has
  /// it.
  public func givesBack(_ path: String) {
    guard isNumbered else { return state.withLock { $0.giveBack(path) } }
    guard let name = FilmNames.place(of: path) else { return }
    state.withLock { state in
      if state.prepared == name { state.prepared = nil }
      if state.shared == name {
        // The other one has it now.
        state.shared = nil
      } else if state.begun != name, state.stem == name.stem, state.number == name.number {
        state.number -= 1
      }
    }
  }

  /// Names the next segment of a recording.
  ///
  /// - Parameter output: the segment before, as `film` or this function named it.
  /// - Throws: as the `check` of `OutputPath`.
  public func segment(behind output: OutputPath) throws(CamrecError) -> OutputPath {
    guard isNumbered else {
      let next = OutputPath(path: free(output.path), container: output.container, folders: output.folders)
      try next.check(overwrite: false)
      claim(next.path)
      return next
    }
    let kind = PathText(output.path).kind, before = FilmNames.place(of: output.path)
    let stem = before?.stem ?? PathText(output.path).withoutKind
    // Two films overlap where one camera follows another.
    var number = before?.number ?? 0
    var next: OutputPath
    repeat {
      number = state.withLock { state in
        guard state.stem == stem else { return number + 1 }
        state.number = max(state.number, number) + 1
        return state.number
      }
      next = OutputPath(
        path: numbered("\(stem).\(kind)", number), container: output.container, folders: output.folders)
    } while OutputPath.isTaken(next.path)
    try next.check(overwrite: false)
    state.withLock { [number] in $0.prepared = Numbered(stem: stem, number: number) }
    return next
  }

  /// What a numbered name consists of.
  private static func place(of path: String) -> Numbered? {
    let bare = PathText(path).withoutKind
    let digits = bare.reversed().prefix { $0.isASCII && $0.isNumber }.count
    guard let number = Int(bare.suffix(digits)) else { return nil }
    return Numbered(stem: String(bare.dropLast(digits + 1)), number: number)
  }

  /// `path`, or the first of `take-2.csv`, `take-3.csv`, … that is free.
  public func free(_ path: String) -> String {
    var next = path, number = 2
    while isUsed(next) {
      next = FilmNames.numbered(path, number)
      number += 1
    }
    return next
  }

  /// Names the copy of a film that was deleted: the film's own name if no other file has it now, otherwise as `free`.
  public func freeForCopy(ofFilm path: String) -> String { OutputPath.isTaken(path) ? free(path) : path }

  /// The wall clock's time or, if that clock was set back, a time after the latest in a name. A clock that was far
  /// ahead, or that was synchronised only later, was wrong: names go back to the right time.
  ///
  /// - Parameter begin: a time to come, which the wall clock does not show yet; `nil` is now.
  private func date(at begin: MonotonicTime?) -> Date {
    var now = now()
    if let begin, begin > now.time { now = (now.date + Double(begin - now.time) * 1e-9, begin) }
    let isSynchronized = isSynchronized()
    return state.withLock { [now] state in
      var date = now.date, goesOn = false
      if let latest = state.latest, latest.isSynchronized || !isSynchronized {
        let next = latest.date + Double(now.time - latest.time) * 1e-9
        goesOn = next.timeIntervalSince(date) <= FilmNames.mostAhead
        if goesOn { date = max(date, next) }
      }
      state.latest = (date, now.time, isSynchronized)
      if !goesOn { state.passed = nil }
      guard let passed = state.passed, passed.time <= now.time else { return date }
      return max(date, passed.date)
    }
  }

  private func numbered(_ path: String, _ number: Int) -> String {
    let text = String(number)
    return FilmNames.name(path, "-" + String(repeating: "0", count: max(0, FilmNames.digits - text.count)) + text)
  }

  /// `take-2.csv` of `take.csv` and 2.
  package static func numbered(_ path: String, _ number: Int) -> String { name(path, "-\(number)") }

  private static func name(_ path: String, _ suffix: String) -> String {
    let parts = PathText(path)
    let stem = parts.withoutKind + suffix
    return parts.kind.isEmpty ? stem : "\(stem).\(parts.kind)"
  }

  /// The highest number of the films and sidecars whose names begin with `stem` and a number.
  private static func highestNumber(stem: String) -> Int {
    // Foundation's own splitting crashes on a stem of one letter.
    let slash = stem.lastIndex(of: "/")
    let folder = slash.map { String(stem[...$0]) } ?? ".",
      prefix = stem[(slash.map(stem.index(after:)) ?? stem.startIndex)...] + "-"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.lazy.compactMap { name -> Int? in
      guard name.hasPrefix(prefix) else { return nil }
      let rest = name.dropFirst(prefix.count)
      let number = rest.prefix { $0.isASCII && $0.isNumber }
      let kind = rest[number.endIndex...].dropFirst().split(separator: ".").first.map(String.init) ?? ""
      guard number.count >= digits, Container(rawValue: kind) != nil else { return nil }
      // A huge number that somebody made up does not move the others.
      return Int(number).flatMap { $0 <= mostNumber ? $0 : nil }
    }.max() ?? 0
  }
}
