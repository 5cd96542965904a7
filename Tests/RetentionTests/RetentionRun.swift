import Foundation
import Frames
import Movies
import Retention

/// What happens to a world, drawn from a seed.
final class RetentionRun {
  private typealias Film = RetentionWorld.Film
  private typealias Seat = RetentionWorld.Seat

  private struct Recorder {
    var service: RetentionService
    var space: SpaceGuard
    var full: SpaceGuard.Full
    var written: Int64 = 0
  }

  let world: RetentionWorld
  private var recorders: [Int: Recorder] = [:]
  private var patterns = 0
  private var isAtEnd = false
  private static let rate = 1e6
  private static let MB = RetentionWorld.megabyte
  /// What the rules say of room: a film is finished in five seconds and 8 MiB, and ten seconds more are worth a film.
  private static let reserve = Int64(rate * 5) + 8 << 20
  private static let least = reserve + Int64(rate * 10)

  init(seed: UInt64, in base: String) throws {
    world = try RetentionWorld(seed: seed, in: base)
    // One name may have several recorders in a folder, and recorders in several.
    let names =
      world.isTight && world.chance(60)
      ? ["front", "side"] : pick(["front", "side", "side"], ["front", "front", "side"], ["front", "side", "front"])
    for (number, name) in names.enumerated() {
      seat(name, number, in: world.folders[number == 2 && world.chance(40) ? 1 : 0])
    }
    seat("front", names.count, in: world.folders[1])
    drawHooks()
    for seat in world.seats { start(seat) }
  }

  private func seat(_ name: String, _ number: Int, in folder: RetentionWorld.Folder) {
    let pattern = world.chance(85) ? "\(name)\(number)_%t" : "\(name)_%t"
    world.seats.append(Seat(number: number, name: name, pattern: pattern, folder: folder))
  }

  func run(steps: Int) throws {
    for _ in 0..<steps {
      try step(world.seats[world.draw(0...(world.seats.count - 1))])
      world.compare()
      if !world.faults.isEmpty { return }
    }
    // All is well again: what was begun is ended.
    (world.hasLocks, world.isFull) = (true, false)
    for seat in world.seats {
      stop(seat)
      start(seat)
    }
    world.compareAtEnd()
    if world.faults.isEmpty { expectRoom() }
  }

  private func step(_ seat: Seat) throws {
    world.pass(Double(world.draw(1...2600)))
    // A process may be killed between any two system calls.
    let isKill = world.chance(12)
    if isKill {
      world.callsLeft = world.draw(0...pick(15, 60, 250))
      // Few calls change a film: most kills would miss them.
      if world.chance(40) { (world.fatalCall, world.callsLeft) = (pick(.rename, .unlink, .write), world.draw(0...2)) }
    }
    switch world.isTight && world.chance(40) ? 0 : world.draw(0...111) {
    case 0..<54: if try record(seat) { restart(seat) }
    case 54..<60: try hook(seat)
    case 60..<65:
      // No disk holds more than it has.
      world.others += min(Int64(world.draw(0...330)) * RetentionRun.MB - world.others, max(0, world.free))
    case 65..<69: world.hasSnapshot.toggle()
    case 69..<72: (world.hasSnapshot, world.held) = (false, 0)
    case 72..<74: world.isSlow.toggle()
    case 74..<77: (world.isSynchronized, world.offset) = (world.chance(50), Double(world.draw(-9...9)) * 3e7)
    case 77..<81: restart(seat)
    case 81..<83:
      stop(seat)
      world.loosen()
    case 83..<85: change(seat)
    case 85..<87: try reboot()
    case 87..<89: world.says = RetentionWorld.Saying.allCases[world.draw(0...2)]
    case 89..<91: world.says = .known
    case 91..<93: toggleLocks()
    case 93..<99: try somebody()
    case 99..<102: recover()
    case 102..<105:
      world.log.append("move \(seat.folder.path.suffix(1))")
      try world.move(seat.folder)
    case 105..<107: try world.damage(seat.folder)
    case 107..<108: world.isFull = true
    default: world.isFull = false
    }
    world.log.append("\(seat.name) \(seat.number) \(world.free / RetentionRun.MB) MB")
    if recorders[seat.number] != nil { work(seat) } else if !world.isKilled, world.chance(30) { start(seat) }
    bury(seat)
    world.loosen()
  }

  private func pick<T>(_ choices: T...) -> T { choices[world.draw(0...(choices.count - 1))] }

  // MARK: Recorders

  private func drawHooks() {
    var hooks: [String: Bool] = [:]
    for seat in world.seats {
      let key = "\(seat.name) \(seat.folder.path)"
      seat.hasHook = hooks[key] ?? world.chance(30)
      hooks[key] = seat.hasHook
    }
    // What is entered from now on may or may not wait.
    for film in world.films.values where !film.isEntered { film.isHookUncertain = true }
  }

  private func start(_ seat: Seat) {
    seat.limits = RetentionLimits(
      age: pick(nil, nil, nil, 3000, 20000), count: pick(nil, nil, 1, 2, 4),
      bytes: pick(nil, nil, 100_000, 60 * RetentionRun.MB, 120 * RetentionRun.MB),
      freeBytes: pick(nil, nil, 50 * RetentionRun.MB, 200 * RetentionRun.MB, 999_999_000_000_000_000),
      scope: pick(.recorder, .recorder, .folder))
    if world.isTight, world.chance(75) { seat.limits = RetentionLimits() }
    let plan = RetentionService.Plan(
      limits: seat.limits, recorder: seat.name, hasHook: seat.hasHook, pattern: seat.pattern)
    let full: SpaceGuard.Full = world.chance(world.isTight ? 90 : 70) ? .rotate : .stop
    world.log.append("\(seat.name) \(seat.number) starts")
    seat.isLiving = true
    seat.isUnknown = world.isFull || !world.hasLocks
    recorders[seat.number] = Recorder(
      service: RetentionService(plan, ports: world.ports(of: seat)), space: SpaceGuard(marks: [], full: full),
      full: full)
    work(seat)
  }

  private func stop(_ seat: Seat) {
    if let recorder = recorders[seat.number], world.chance(50) {
      recorder.service.end(beside: "\(seat.folder.path)/next.mov")
    }
    recorders[seat.number] = nil
    seat.isLiving = false
  }

  private func restart(_ seat: Seat) {
    stop(seat)
    // It is its own successor, unless it was killed in the middle of saying who it is.
    start(seat)
  }

  /// Its films have other names from now on.
  private func change(_ seat: Seat) {
    stop(seat)
    patterns += 1
    seat.pattern = "\(seat.name)-\(patterns)_%t"
    world.loosen()
    start(seat)
  }

  private func reboot() throws {
    (world.callsLeft, world.fatalCall) = (nil, nil)
    try world.reboot()
    for seat in world.seats {
      recorders[seat.number] = nil
      seat.isLiving = false
    }
    world.loosen()
    if world.chance(60) { drawHooks() }
    for seat in world.seats where world.chance(85) { start(seat) }
  }

  private func toggleLocks() {
    world.hasLocks.toggle()
    // What is written meanwhile says no more than a name.
    for film in world.films.values where !film.isEntered { film.isLoose = true }
  }

  /// One that was killed is gone, with all that it has known; most are started again at once.
  private func bury(_ seat: Seat) {
    (world.callsLeft, world.fatalCall) = (nil, nil)
    guard world.isKilled else { return }
    world.kills += 1
    world.log.append("\(seat.name) \(seat.number) is killed")
    // Its descriptors are closed with it.
    recorders[seat.number] = nil
    seat.isLiving = false
    world.isKilled = false
    world.lookAfterKill(of: seat)
    for film in world.films.values where film.seat.name == seat.name && !film.isEntered { film.isLoose = true }
    world.loosen()
    if world.chance(80) { start(seat) }
  }

  private func work(_ seat: Seat) {
    guard let recorder = recorders[seat.number] else { return }
    recorder.service.work(beside: "\(seat.folder.path)/next.mov", writtenBytes: recorder.written)
  }

  // MARK: Recording

  /// - Returns: it is cut off, and the recorder starts again.
  private func record(_ seat: Seat) throws -> Bool {
    guard var recorder = recorders[seat.number], admit(seat, recorder), !world.isKilled else { return false }
    world.begun += 1
    let film = Film(name: "\(seat.name)\(seat.number)-\(world.begun).mov", seat: seat, order: world.begun)
    let head = Data("film \(film.name)\n".utf8)
    try head.write(to: URL(fileURLWithPath: film.path))
    // Whoever writes a film has its lock.
    let lock = open(film.path, O_RDWR | O_CLOEXEC)
    defer { close(lock) }
    flock(lock, LOCK_EX | LOCK_NB)
    world.begin(film)
    world.grow(film, Int64(head.count))
    recorder.service.began(film.path)
    recorder.service.work(beside: film.path, writtenBytes: recorder.written)
    // What a killed process has not entered is never known.
    if world.isKilled { film.hasBegun = false }
    let path = "\(seat.folder.path)/\(film.name)"
    let isCut = world.chance(6)
    loop: for _ in 0..<world.draw(1...(world.isTight ? 4 : 8)) where !world.isKilled {
      world.pass(5)
      // A write that is refused ends a film.
      guard world.free >= 6 * RetentionRun.MB else { break }
      world.grow(film, 5 * RetentionRun.MB)
      recorder.written += 5 * RetentionRun.MB
      world.trial?.written += 5 * RetentionRun.MB
      if world.chance(1) {
        world.log.append("move \(seat.folder.path.suffix(1)) meanwhile")
        try world.move(seat.folder)
      }
      if world.chance(10) { meanwhile(seat) }
      guard let space = world.ports(of: seat).space(path) else { continue }
      let decisions = recorder.space.look(
        SpaceGuard.Look(
          time: world.uptime, freeBytes: space.free, reclaimableBytes: recorder.service.reclaimableBytes,
          writtenBytes: recorder.written, closingBytes: 0, expectedBytesPerSecond: RetentionRun.rate,
          isRecording: true))
      for decision in decisions {
        switch decision {
        case .makeRoom(let target, _):
          world.request = (target.bytes - world.free, RetentionRun.least, 0)
          killSoon()
          recorder.service.makeRoom(target, beside: path, writtenBytes: recorder.written)
          world.request = nil
        case .stop: break loop
        case .warn: break
        }
      }
      recorder.service.work(beside: path, writtenBytes: recorder.written)
    }
    recorders[seat.number] = recorder
    if world.isKilled { return false }
    if isCut { return true }
    (film.isWhole, film.endedAt) = (true, world.time)
    flock(lock, LOCK_UN)
    recorder.service.finished(.init(path: path, seconds: 10, frames: 240, lost: 0))
    recorder.service.work(beside: path, writtenBytes: recorder.written)
    guard !world.isKilled, !world.isFull, film.isInPlace, world.films[film.name] != nil else { return false }
    film.isEntered = true
    expectEntry(film)
    expectLimits(seat)
    return false
  }

  /// Others go on while one records.
  private func meanwhile(_ seat: Seat) {
    guard world.callsLeft == nil else { return }
    let request = world.request
    world.request = nil
    for other in world.seats where other !== seat { work(other) }
    world.request = request
  }

  /// What makes room is killed oftener than what does not: between its marks and the deletion.
  private func killSoon() {
    guard world.callsLeft == nil, !isAtEnd, world.chance(25) else { return }
    (world.fatalCall, world.callsLeft) = (pick(.rename, .rename, .unlink, .synchronize), world.draw(0...2))
  }

  private func admit(_ seat: Seat, _ recorder: Recorder) -> Bool {
    let needed = RetentionRun.reserve * 2, rotates = recorder.full == .rotate
    let free = world.free, can = RetentionWorld.bytes(world.surelyDeletable(by: seat))
    world.request = rotates ? (max(0, needed - free), needed, 0) : nil
    defer { world.request = nil }
    if free < needed { killSoon() }
    let before = world.deletions, isPending = world.isTrialPending
    let refused = recorder.service.admit(
      "\(seat.folder.path)/next.mov", needed: SpaceGuard.needed(bytesPerSecond: RetentionRun.rate),
      bytesPerSecond: RetentionRun.rate, mayDelete: rotates)
    if world.isKilled { return false }
    if refused != nil { world.refusals += 1 }
    if refused != nil, !rotates, world.deletions > before { world.fail("films went where none may") }
    if world.says != .known || free >= needed, refused != nil { world.fail("a film was refused that has room") }
    if refused != nil, rotates, can >= needed - free, world.hasLocks, !world.hasSnapshot, !world.isSlow, !world.isFull,
      world.deletions > before || !isPending
    {
      world.fail("a film was refused for which room could be made")
    }
    return refused == nil
  }

  /// A film that was finished is in the catalogue of the folder in which it lies.
  private func expectEntry(_ film: Film) {
    let catalogue = try? String(
      decoding: Data(contentsOf: URL(fileURLWithPath: "\(film.seat.folder.path)/.camrec-films.jsonl")), as: UTF8.self)
    if catalogue?.contains("\"film\":\"\(film.name)\"") != true { world.fail("'\(film.name)' was not entered") }
  }

  /// Where nothing hinders them the limits are kept.
  private func expectLimits(_ seat: Seat) {
    let limits = seat.limits, staying = world.staying(in: seat.folder)
    guard world.hasLocks, !seat.isUnknown, world.films(in: seat.folder).allSatisfy({ $0.isExact || $0.isKept }) else {
      return
    }
    // What was recorded with another pattern comes to be its own a minute later.
    let counted = world.counted(seat).filter { $0.isExact && $0.seat === seat && $0.pattern == seat.pattern }
    let others = counted.filter { !staying.contains(ObjectIdentifier($0)) }
    if let most = limits.count, limits.scope == .recorder, !others.isEmpty, counted.count > max(1, most) {
      // The newest may be one that is protected.
      if counted.count > others.count || counted.count > most {
        world.fail("\(seat.name) \(seat.number) has \(counted.count) films of \(most)")
      }
    }
    if let age = limits.age, limits.scope == .recorder {
      for film in others {
        guard let ended = film.endedAt, world.time - ended > age, world.boot == 0 else { continue }
        world.fail("'\(film.name)' is too old")
      }
    }
    let can = RetentionWorld.bytes(world.surelyDeletable(by: seat)), late = world.late.reduce(0) { $0 + $1.bytes }
    // What went for another limit may show within ten seconds; a snapshot has it show never.
    if let least = limits.freeBytes, world.says == .known, !world.isTrialPending,
      world.free + late < least, !world.hasSnapshot, world.free + can >= least, least <= world.total
    {
      world.fail("\(seat.name) \(seat.number) has not made room")
    }
  }

  /// Once all has settled, room is made wherever it can be, film after film.
  private func expectRoom() {
    isAtEnd = true
    (world.hasSnapshot, world.isSlow, world.says) = (false, false, .known)
    for seat in world.seats {
      world.pass(70)
      for other in world.seats { work(other) }
      guard var recorder = recorders[seat.number] else { continue }
      recorder.full = .rotate
      world.others += max(0, world.free - 15 * RetentionRun.MB)
      world.log.append("\(seat.name) \(seat.number) at last, \(world.free / RetentionRun.MB) MB")
      _ = admit(seat, recorder)
    }
    world.compare()
  }

  // MARK: Others

  private func hook(_ seat: Seat) throws {
    guard let service = recorders[seat.number]?.service, seat.hasHook else { return }
    let policy = HookPolicy(mostTries: 3), now = world.moment, isSuccess = world.chance(40)
    var handled: Film?
    defer {
      if world.isKilled { handled?.isHookUncertain = true }
    }
    do throws(CamrecError) {
      _ = try service.withFolder { (folder) throws(CamrecError) in
        let next = policy.next(among: try folder.entriesForOwnHook(at: now), of: seat.name, at: now) {
          folder.catalogue.seconds(from: $0, to: $1)
        }
        guard case .run(let film, let tries) = next else { return }
        let outcome = isSuccess ? .done : policy.outcome(afterTries: tries + 1)
        handled = world.films[film.film]
        try folder.hooked(.init(id: film.id, outcome: outcome, tries: tries + 1, moment: now, error: "no network"))
        if outcome != .failed { handled?.isWaiting = false }
      }
    } catch {
      // A catalogue that takes no line, or nothing any more.
      if !world.isKilled, !world.isFull { throw error }
      handled?.isHookUncertain = true
    }
  }

  private func recover() {
    for film in world.films.values where !film.isWhole && film.endedAt == nil && film.isInPlace {
      (film.isWhole, film.endedAt) = (true, world.time)
      world.grow(film, 1000)
    }
  }

  /// People, backups and other programs.
  private func somebody() throws {
    let all = world.films.values.filter { $0.isWhole && $0.isInPlace && !$0.isForeign && !$0.isHidden }
      .sorted { $0.name < $1.name }
    guard !all.isEmpty else { return }
    let film = all[world.draw(0...(all.count - 1))]
    switch world.draw(0...3) {
    case 0:
      try KeepMark.set(!film.isKept, film: film.path)
      film.isKept.toggle()
    case 1:
      try FileManager.default.removeItem(atPath: film.path)
      if film.isLinked { try FileManager.default.removeItem(atPath: second(film)) }
      world.remove(film)
      world.confuseMarks()
    case 2:
      // What is changed before it is entered is entered so.
      guard film.isEntered, !film.isDoubtful else { return }
      world.grow(film, 1)
      film.isForeign = true
      world.confuseMarks()
    default:
      if film.isLinked {
        try FileManager.default.removeItem(atPath: second(film))
      } else {
        try FileManager.default.linkItem(atPath: film.path, toPath: second(film))
      }
      film.isLinked.toggle()
    }
  }

  private func second(_ film: Film) -> String { "\(film.seat.folder.path)/second-\(film.name)" }
}
