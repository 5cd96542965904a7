import Foundation
import Frames
import Movies
import Retention
import TestKit

/// A disk that exists in numbers, with several recorders' films on it as real files in several folders, and the plain
/// rules of what may be deleted: each deletion is held against them in the moment in which it happens.
///
/// Knows nothing of how the service decides, and learns nothing from it but what it says it has deleted. What the world
/// cannot know (what a killed process had still written, what damage has left) it counts in the service's favour.
/// Thread: one.
final class RetentionWorld: @unchecked Sendable {
  /// What lies in a folder. It may be moved away, and another put into its place.
  final class Contents {
    /// Where it lies while it is not in its place.
    let away: String

    init(away: String) { self.away = away }
  }

  final class Folder {
    let path: String
    var contents: Contents
    var others: [Contents] = []

    init(path: String, contents: Contents) {
      self.path = path
      self.contents = contents
    }
  }

  /// A recorder through all its restarts.
  final class Seat: @unchecked Sendable {
    let number: Int, name: String, folder: Folder
    var pattern: String
    var isLiving = false
    /// It started while the disk refused to write who it is.
    var isUnknown = false
    var limits = RetentionLimits()
    var hasHook = false

    init(number: Int, name: String, pattern: String, folder: Folder) {
      (self.number, self.name, self.pattern, self.folder) = (number, name, pattern, folder)
    }
  }

  final class Film {
    let name: String, seat: Seat, contents: Contents, pattern: String
    /// In the order in which recordings began.
    let order: Int
    var bytes: Int64 = 0
    /// Really, in seconds.
    var endedAt: Double?
    var isWaiting: Bool
    var isWhole = false, isKept = false, isLinked = false, isForeign = false
    /// Nothing hindered the catalogue when it began, and when it was entered.
    var hasBegun = false, isEntered = false
    /// Its hook may or may not have been entered.
    var isHookUncertain = false
    /// Another of its name may have taken it on.
    var isLoose = false
    /// Its line in the catalogue may be lost.
    var isDoubtful = false
    /// A kill has left it with the name under which films go, when so much was free.
    var isHidden = false, freeAtKill: Int64 = 0

    init(name: String, seat: Seat, order: Int) {
      (self.name, self.seat, self.order) = (name, seat, order)
      (contents, pattern, isWaiting) = (seat.folder.contents, seat.pattern, seat.hasHook)
    }

    var isInPlace: Bool { seat.folder.contents === contents }
    var path: String { "\(isInPlace ? seat.folder.path : contents.away)/\(name)" }
    /// As far as anybody knows.
    var mayGo: Bool {
      isWhole && isInPlace && (!isWaiting || isHookUncertain) && !isKept && !isLinked && !isForeign
    }
    /// There is no doubt about it.
    var isExact: Bool { hasBegun && isEntered && !isHookUncertain && !isHidden && !isLoose && !isDoubtful }
  }

  enum Saying: CaseIterable { case known, unknown, unlimited }

  static let megabyte: Int64 = 1_000_000
  let path: String
  let total: Int64 = 400 * megabyte
  var random: SplitMix
  let folders: [Folder]
  var seats: [Seat] = []
  private(set) var films: [String: Film] = [:]
  /// Names of films that have gone.
  private(set) var gone: Set<String> = []
  var others: Int64
  /// Little more fits on the disk than the newest films.
  let isTight: Bool
  /// Of films that are deleted and still take room.
  var held: Int64 = 0
  var late: [(at: Double, bytes: Int64)] = []
  private var taken: Int64 = 0
  var hasSnapshot = false, isSlow = false, hasLocks = true
  /// Catalogues take no more lines.
  var isFull = false
  var says = Saying.known
  /// Seconds that have really gone by, those of this run of the system, and the wall clock's error.
  var time = 1e6, uptime = 100.0, offset = 0.0
  var boot = 0, isSynchronized = true
  var deletions = 0, refusals = 0, kills = 0, moves = 0, begun = 0
  var deletedFor: [DeletionReason: Int] = [:]
  /// What was found to be wrong.
  private(set) var faults: [String] = []
  var log: [String] = []
  /// Room that a recorder asks for: how much, what has to be reached for it to be worth a film, and how much films have
  /// given.
  var request: (bytes: Int64, least: Int64, given: Int64)?
  /// The last film that went for lack of room: what was to be unused then, the most that was seen since, and what was
  /// written since.
  var trial: (enough: Int64, best: Int64, written: Int64)?
  /// What is to be unused if a film that was ended after a kill went for lack of room.
  private var hiddenTrial: Int64 = 0
  /// Nobody knows whether what was to go for lack of room has gone.
  var isTrialUncertain = false
  /// System calls before the process that works now is killed; with `fatalCall` only such calls count.
  var callsLeft: Int?
  var fatalCall: RefusingFolder.Call?
  /// A process has left a mark of a deletion that has not happened, for all that is known.
  var mayHaveMark = false
  var isKilled = false

  init(seed: UInt64, in base: String) throws {
    random = SplitMix(seed: seed)
    let path = "\(base)/seed-\(seed)"
    self.path = path
    isTight = Int.random(in: 0...1, using: &random) == 0
    others = Int64(Int.random(in: isTight ? 210...330 : 20...310, using: &random)) * RetentionWorld.megabyte
    folders = (0...1).map { Folder(path: "\(path)/films-\($0)", contents: Contents(away: "\(path)/away-\($0)-0")) }
    for path in folders.map(\.path) + [sockets] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func draw(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
  func chance(_ percent: Int) -> Bool { draw(1...100) <= percent }
  func fail(_ words: String) { faults.append("\(words) [\(log.suffix(8).joined(separator: "; "))]") }

  func pass(_ seconds: Double) {
    time += seconds
    uptime += seconds
    late.removeAll { $0.at <= time }
    see()
  }

  var free: Int64 { total - others - held - late.reduce(0) { $0 + $1.bytes } - taken }

  /// What somebody does to films and folders after a kill leaves nobody to say whether a marked film was deleted.
  func confuseMarks() { if mayHaveMark { isTrialUncertain = true } }

  /// What went last has still to show.
  var isTrialPending: Bool {
    isTrialUncertain || free < max(trial?.enough ?? 0, hiddenTrial) || films.values.contains(where: \.isHidden)
  }

  /// Beside the control sockets: it lasts as long as the system runs.
  private var sockets: String { "\(path)/sockets" }

  func reboot() throws {
    (boot, uptime) = (boot + 1, 1)
    try FileManager.default.removeItem(atPath: sockets)
    try FileManager.default.createDirectory(atPath: sockets, withIntermediateDirectories: true)
  }

  private func see() { if let trial { self.trial?.best = max(trial.best, free) } }

  var moment: Moment {
    Moment(
      boot: "\(boot)", uptime: uptime, time: time + (isSynchronized ? 0 : offset), isSynchronized: isSynchronized)
  }

  /// - Parameter takesAll: what is full is another disk.
  private func system(of seat: Seat, takesAll: Bool = false) -> RefusingFolder {
    RefusingFolder { [self] call in
      if isKilled { return EIO }
      if let left = callsLeft, fatalCall.map({ $0 == call }) ?? true {
        callsLeft = left - 1
        if left <= 0 {
          isKilled = true
          if request != nil || seat.limits.freeBytes != nil { mayHaveMark = true }
          return EIO
        }
      }
      if call == .lock, !hasLocks { return ENOLCK }
      return call == .write && isFull && !takesAll ? ENOSPC : nil
    }
  }

  func ports(of seat: Seat) -> RetentionPorts {
    let marks = DiskMarks(folder: sockets, disk: "disk", system: system(of: seat, takesAll: true))
    return RetentionPorts(
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
      inspect: { [self] path, _ in
        guard let film = films[String(path.split(separator: "/").last ?? "")], film.isWhole else {
          return FilmInspection(state: .fragmented)
        }
        return FilmInspection(state: .whole, seconds: 10, frames: 240)
      }, start: { _ in nil },
      say: { [self] notice in
        guard case .deleted(let film, let reason) = notice else { return }
        // One that is killed says nothing any more; what it has still done is judged all the same.
        if isKilled, films[film.film].map({ isThere($0) || isHidden($0) }) ?? true { return }
        judge(film.film, reason, seat)
      },
      system: system(of: seat), marks: { _ in marks })
  }

  // MARK: What happens to films

  func begin(_ film: Film) {
    films[film.name] = film
    film.hasBegun = hasLocks && !isFull
    if !hasLocks || isFull || film.seat.isUnknown { film.isLoose = true }
  }

  func grow(_ film: Film, _ bytes: Int64) {
    film.bytes += bytes
    taken += bytes
    truncate(film.path, off_t(film.bytes))
  }

  /// It is gone, and takes room for as long as something holds it.
  func remove(_ film: Film) {
    films[film.name] = nil
    gone.insert(film.name)
    taken -= film.bytes
    if hasSnapshot { held += film.bytes } else if isSlow { late.append((time + 4, film.bytes)) }
    see()
  }

  func films(in folder: Folder) -> [Film] { films.values.filter { $0.contents === folder.contents } }

  /// Others of their name may take on the films of those that do not live.
  func loosen() {
    for film in films.values where !film.isLoose {
      let namesakes = seats.filter { $0.folder === film.seat.folder && $0.name == film.seat.name }
      let isOwn = film.seat.isLiving && !film.seat.isUnknown && film.pattern == film.seat.pattern
      // Which of two of one pattern goes on with which films nobody can say.
      let isMixed = namesakes.contains { $0 !== film.seat && $0.pattern == film.pattern }
      if !isOwn, namesakes.contains(where: { $0 !== film.seat && $0.isLiving }) || isMixed { film.isLoose = true }
    }
  }

  /// Somebody takes a folder's contents away, and puts others there: new ones, or those that were there before.
  func move(_ folder: Folder) throws {
    confuseMarks()
    let manager = FileManager.default
    try manager.moveItem(atPath: folder.path, toPath: folder.contents.away)
    let old = folder.contents
    if !folder.others.isEmpty, chance(60) {
      folder.contents = folder.others.remove(at: draw(0...(folder.others.count - 1)))
      try manager.moveItem(atPath: folder.contents.away, toPath: folder.path)
    } else {
      moves += 1
      folder.contents = Contents(away: "\(path)/away-\(moves)")
      try manager.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    }
    folder.others.append(old)
    // Who has been what there is another question when it comes back.
    for film in films.values where film.contents === old {
      let namesakes = seats.filter { $0.folder === folder && $0.name == film.seat.name }
      if namesakes.count > 1 { film.isLoose = true }
      if !film.isEntered { (film.hasBegun, film.isHookUncertain) = (false, true) }
    }
  }

  /// Something happens to a folder's catalogue.
  func damage(_ folder: Folder) throws {
    let path = "\(folder.path)/.camrec-films.jsonl"
    guard let file = FileHandle(forUpdatingAtPath: path) else { return }
    defer { try? file.close() }
    let size = Int(try file.seekToEnd())
    guard size > 0 else { return }
    switch draw(0...3) {
    case 0:
      // A line that was torn costs no other.
      log.append("torn")
      return file.write(Data("{\"finished\":{\"film\":\"front-1.mov\",\"bytes\":1".utf8))
    case 1: try file.truncate(atOffset: UInt64(draw(0...size)))
    default:
      try file.seek(toOffset: UInt64(draw(0...(size - 1))))
      file.write(Data(repeating: chance(50) ? 0 : 0xff, count: draw(1...60)))
    }
    log.append("damage")
    confuseMarks()
    for film in films(in: folder) {
      // Where its line is lost, whoever enters it again says whether it waits.
      (film.isDoubtful, film.isHookUncertain) = (true, true)
      // One that was changed may be entered anew, as it is now.
      if !film.isEntered || film.isForeign { (film.hasBegun, film.isEntered, film.isForeign) = (false, false, false) }
    }
  }

  // MARK: The rules

  /// Films that stay whatever the limits say: the newest of every recorder, of those that are there and are what was
  /// finished. Of those that another may have taken on the newest of its name.
  ///
  /// - Parameter isExact: as if those did not exist of which there is a doubt.
  func staying(in folder: Folder, isExact: Bool = false) -> Set<ObjectIdentifier> {
    var newest: [String: Film] = [:]
    for film in films(in: folder)
    where film.isWhole && !film.isForeign && !film.isHidden && (!isExact || film.isExact) {
      let seats = seats.filter { $0 === film.seat || film.isLoose && $0.name == film.seat.name }
      for key in ["name \(film.seat.name)"] + seats.map({ "seat \($0.number)" })
      where film.order > newest[key]?.order ?? -1 {
        newest[key] = film
      }
    }
    // One that may not be known, or not as this recorder's, may be known all the same: then none before it is the
    // newest.
    return Set(
      newest.filter { key, film in
        film.hasBegun && (key.hasPrefix("name") || !film.isLoose && hasLocks)
      }.values.map { ObjectIdentifier($0) })
  }

  /// That may go when there is too little room.
  func deletable(by seat: Seat) -> [Film] {
    let staying = staying(in: seat.folder)
    return films(in: seat.folder).filter {
      $0.mayGo && !staying.contains(ObjectIdentifier($0)) && (hasLocks || $0.seat.name == seat.name)
    }
  }

  /// That may go without any doubt.
  func surelyDeletable(by seat: Seat) -> [Film] {
    let staying = staying(in: seat.folder, isExact: true)
    return deletable(by: seat).filter { $0.isExact && !staying.contains(ObjectIdentifier($0)) }
  }

  func counted(_ seat: Seat) -> [Film] {
    films(in: seat.folder).filter {
      $0.mayGo
        && (seat.limits.scope == .folder || $0.seat === seat || $0.seat.name == seat.name && ($0.isLoose || !hasLocks))
    }
  }

  static func bytes(_ films: [Film]) -> Int64 { films.reduce(0) { $0 + $1.bytes } }

  private func judge(_ name: String, _ reason: DeletionReason, _ seat: Seat) {
    guard let film = films[name] else { return fail("'\(name)' is nobody's film") }
    let limits = seat.limits, what = "'\(name)' for \(seat.name) \(seat.number)'s \(reason)"
    log.append(what)
    if isThere(film) { fail("\(what) is said and not done") }
    judgeAlways(film, what, seat)
    let counted = counted(seat), bytes = RetentionWorld.bytes(counted), staying = staying(in: seat.folder)
    switch reason {
    case .age:
      if time - (film.endedAt ?? time) <= limits.age ?? .infinity { fail("\(what) was not old") }
    case .count:
      if counted.count <= limits.count ?? .max { fail("\(what): \(counted.count) are not too many") }
    case .size:
      let least = RetentionWorld.bytes(counted.filter { staying.contains(ObjectIdentifier($0)) && $0.isExact })
      if bytes <= limits.bytes ?? .max { fail("\(what): \(bytes) are not too many") }
      if least > limits.bytes ?? 0 { fail("\(what): it could not be met") }
    case .free:
      let least = limits.freeBytes ?? 0, can = RetentionWorld.bytes(deletable(by: seat))
      if says != .known || free >= least { fail("\(what): there was enough") }
      if least > total || free + can < least { fail("\(what): it could not be met") }
    case .room:
      guard says == .known, let request, request.given < request.bytes else {
        fail("\(what): nobody needed it")
        break
      }
      if request.given == 0, free + RetentionWorld.bytes(deletable(by: seat)) < request.least {
        fail("\(what): all together do not suffice")
      }
    }
    if [.age, .count, .size].contains(reason), limits.scope == .recorder, film.seat !== seat,
      film.seat.name != seat.name || !film.isLoose && hasLocks
    {
      fail("\(what) was another's")
    }
    if [.free, .room].contains(reason) {
      if let trial, trial.best.addingSaturated(trial.written) < trial.enough {
        fail("\(what): the last one went in vain")
      }
      trial = (free + film.bytes / 2, .min, 0)
      (isTrialUncertain, mayHaveMark, hiddenTrial) = (false, false, 0)
      if film.hasBegun, surelyDeletable(by: seat).contains(where: { $0.order < film.order }) {
        fail("\(what) was not the oldest")
      }
    }
    remove(film)
    request?.given += film.bytes
    deletions += 1
    deletedFor[reason, default: 0] += 1
  }

  private func judgeAlways(_ film: Film, _ what: String, _ seat: Seat) {
    if !film.isInPlace { fail("\(what) lies where no recorder records any more") }
    if film.seat.folder !== seat.folder { fail("\(what) lies in another folder") }
    if !film.mayGo { fail("\(what) was protected") }
    if staying(in: film.seat.folder).contains(ObjectIdentifier(film)) { fail("\(what) was the newest") }
    if !hasLocks, film.seat.name != seat.name { fail("\(what) went without locks") }
  }

  // MARK: What is there

  private func isThere(_ film: Film) -> Bool { FileManager.default.fileExists(atPath: film.path) }

  /// It has the name under which films go.
  private func isHidden(_ film: Film) -> Bool {
    let place = film.isInPlace ? film.seat.folder.path : film.contents.away
    return ((try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []).contains { name in
      guard name.hasPrefix(".camrec-"), name.hasSuffix(".deleting"),
        let file = FileHandle(forReadingAtPath: "\(place)/\(name)")
      else { return false }
      defer { try? file.close() }
      let head = Data("film \(film.name)\n".utf8)
      return (try? file.read(upToCount: head.count)) == head
    }
  }

  /// What a process has left that was killed in the middle of something.
  func lookAfterKill(of seat: Seat) {
    for film in films.values where !film.isHidden && !isThere(film) {
      guard isHidden(film) else {
        fail("'\(film.name)' is gone without a word")
        continue
      }
      judgeAlways(film, "'\(film.name)' by one that was killed", seat)
      (film.isHidden, film.freeAtKill) = (true, free)
    }
  }

  /// Every film is where the model has it.
  func compare() {
    for film in films.values where film.isHidden {
      if isThere(film) {
        film.isHidden = false
      } else if !isHidden(film) {
        // The next start has done what was begun.
        if film.isKept { fail("'\(film.name)' was kept, and was deleted under its hidden name") }
        remove(film)
        hiddenTrial = max(hiddenTrial, film.freeAtKill + film.bytes / 2)
      }
    }
    for film in films.values where !film.isHidden && !isThere(film) {
      fail("'\(film.name)' is gone without a word")
    }
  }

  /// After the last step: nothing is left in the middle, and what has gone stays gone.
  func compareAtEnd() {
    compare()
    for folder in folders {
      let names = Set((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
      if hasLocks, names.contains(where: { $0.hasSuffix(".deleting") }) { fail("a deletion was never ended") }
      for name in names.intersection(gone) { fail("'\(name)' has come back") }
    }
  }
}
