import Foundation
import Frames
import Movies
import Retention
import TestSupport

/// A disk that exists in numbers, with two recorders' films on it as real files, and the plain rules of what may be
/// deleted: each deletion is held against them in the moment in which it happens.
///
/// Knows nothing of how the service decides. Thread: one.
final class RetentionWorld: @unchecked Sendable {
  final class Film {
    let name: String, recorder: String
    var bytes: Int64 = 0
    /// Really, in seconds.
    var endedAt: Double?
    /// In the order in which recordings began: `order` once the film is entered.
    var begun = 0
    var order: Int?
    var isPresent = true, isWaiting = false, isKept = false, isLinked = false, isForeign = false
    var isWhole = false

    init(name: String, recorder: String) {
      self.name = name
      self.recorder = recorder
    }

    var mayGo: Bool { isPresent && order != nil && !isWaiting && !isKept && !isLinked && !isForeign }
  }

  enum Saying: CaseIterable { case known, unknown, unlimited }

  static let megabyte: Int64 = 1_000_000
  let path: String
  let total: Int64 = 400 * megabyte
  var random: SplitMix
  var films: [String: Film] = [:]
  var others: Int64 = 60 * megabyte
  /// Of films that are deleted and still take room.
  var held: Int64 = 0
  var late: [(at: Double, bytes: Int64)] = []
  var hasSnapshot = false, isSlow = false, hasLocks = true
  var says = Saying.known
  /// Seconds that have really gone by, those of this run of the system, and the wall clock's error.
  var time = 1e6, uptime = 100.0, offset = 0.0
  var boot = 0, isSynchronized = true
  var deletions = 0, refusals = 0
  var deletedFor: [DeletionReason: Int] = [:]
  /// What was found to be wrong.
  private(set) var faults: [String] = []
  var log: [String] = []
  /// Room that a recorder asks for: how much, how much films have given, and whether it is all or nothing.
  var request: (bytes: Int64, given: Int64)?
  /// The last film that went for lack of room: what was to be unused then, the most that was seen since, and what was
  /// written since.
  var trial: (enough: Int64, best: Int64, written: Int64)?
  var plans: [String: RetentionService.Plan] = [:]

  init(seed: UInt64, in base: String) throws {
    random = SplitMix(seed: seed)
    path = "\(base)/seed-\(seed)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func draw(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
  func chance(_ percent: Int) -> Bool { draw(1...100) <= percent }
  func fail(_ words: String) { faults.append("\(words) [\(log.suffix(6).joined(separator: "; "))]") }

  func pass(_ seconds: Double) {
    time += seconds
    uptime += seconds
    late.removeAll { $0.at <= time }
    see()
  }

  var free: Int64 {
    total - others - held - late.reduce(0) { $0 + $1.bytes }
      - films.values.reduce(0) { $0 + ($1.isPresent ? $1.bytes : 0) }
  }

  private func see() { if let trial { self.trial?.best = max(trial.best, free) } }

  var moment: Moment {
    Moment(
      boot: "\(boot)", uptime: uptime, time: time + (isSynchronized ? 0 : offset), isSynchronized: isSynchronized)
  }

  func ports(of recorder: String) -> RetentionPorts {
    RetentionPorts(
      space: { [self] _ in
        see()
        // Where the system says that there is no limit, that is proof.
        if says == .unlimited { trial?.best = .max }
        return switch says {
        case .known: DiskSpace(free: max(0, free), unused: max(0, free), total: total)
        case .unknown: nil
        case .unlimited: DiskSpace(free: .max, total: .max)
        }
      }, moment: { [self] in moment }, pause: { [self] in pass($0) },
      inspect: { [self] path in
        guard let film = films[String(path.split(separator: "/").last ?? "")], film.isWhole else {
          return FilmInspection(state: .fragmented)
        }
        if film.order == nil {
          film.order = film.begun
          film.isWaiting = plans[recorder]?.hasHook ?? false
        }
        return FilmInspection(state: .whole, seconds: 10, frames: 240)
      }, start: { _ in nil },
      say: { [self] notice in if case .deleted(let film, let reason) = notice { judge(film.film, reason, recorder) } },
      system: RefusingFolder { [self] in $0 == .lock && !hasLocks ? ENOLCK : nil })
  }

  // MARK: The rules

  /// Of those that are there and are what was finished.
  func newest(of recorder: String) -> Film? {
    films.values.filter { $0.recorder == recorder && $0.isPresent && !$0.isForeign && $0.order != nil }
      .max { ($0.order ?? 0) < ($1.order ?? 0) }
  }

  func deletable(by recorder: String) -> [Film] {
    films.values.filter { $0.mayGo && newest(of: $0.recorder) !== $0 && (hasLocks || $0.recorder == recorder) }
  }

  func counted(_ recorder: String) -> [Film] {
    let isAll = plans[recorder]?.limits.scope == .folder
    return films.values.filter { $0.mayGo && (isAll || $0.recorder == recorder) }
  }

  private func judge(_ name: String, _ reason: DeletionReason, _ recorder: String) {
    guard let film = films[name], let limits = plans[recorder]?.limits else {
      return fail("'\(name)' is nobody's film")
    }
    let what = "'\(name)' of \(film.recorder) for \(recorder)'s \(reason)"
    log.append(what)
    if FileManager.default.fileExists(atPath: "\(path)/\(name)") { fail("\(what) is said and not done") }
    if !film.mayGo { fail("\(what) was protected") }
    if newest(of: film.recorder) === film { fail("\(what) was the newest") }
    if !hasLocks, film.recorder != recorder { fail("\(what) went without locks") }
    let counted = counted(recorder), bytes = counted.reduce(0) { $0 + $1.bytes }
    switch reason {
    case .age:
      if time - (film.endedAt ?? time) <= limits.age ?? .infinity { fail("\(what) was not old") }
    case .count: if counted.count <= limits.count ?? .max { fail("\(what): \(counted.count) are not too many") }
    case .size:
      let staying = counted.filter { newest(of: $0.recorder) === $0 }.reduce(0) { $0 + $1.bytes }
      if bytes <= limits.bytes ?? .max { fail("\(what): \(bytes) are not too many") }
      if staying > limits.bytes ?? 0 { fail("\(what): it could not be met") }
    case .free:
      let least = limits.freeBytes ?? 0
      let can = films.values.filter { $0.mayGo && newest(of: $0.recorder) !== $0 }.reduce(0) { $0 + $1.bytes }
      if says != .known || free >= least { fail("\(what): there was enough") }
      if least > total || free + can < least { fail("\(what): it could not be met") }
    case .room:
      if says != .known || request.map({ $0.given >= $0.bytes }) ?? true { fail("\(what): nobody needed it") }
    }
    if [.age, .count, .size].contains(reason), limits.scope == .recorder, film.recorder != recorder {
      fail("\(what) was another's")
    }
    if [.free, .room].contains(reason) {
      if let trial, trial.best.addingSaturated(trial.written) < trial.enough { fail("\(what): the last one went in vain") }
      trial = (free + film.bytes / 2, .min, 0)
      if deletable(by: recorder).contains(where: { ($0.order ?? 0) < (film.order ?? 0) }) {
        fail("\(what) was not the oldest")
      }
    }
    remove(film)
    request?.given += film.bytes
    deletions += 1
    deletedFor[reason, default: 0] += 1
  }

  /// It is gone, and takes room for as long as something holds it.
  func remove(_ film: Film) {
    film.isPresent = false
    if hasSnapshot { held += film.bytes } else if isSlow { late.append((time + 4, film.bytes)) }
    see()
  }

  /// Every film is where the model has it.
  func compare() {
    for film in films.values
    where film.isPresent != FileManager.default.fileExists(atPath: "\(path)/\(film.name)") {
      fail("'\(film.name)' is \(film.isPresent ? "gone without a word" : "still there")")
    }
  }
}
