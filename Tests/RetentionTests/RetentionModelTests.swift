import Foundation
import Frames
import Movies
import Retention
import Synchronization
import Testing
import TestSupport

/// Two recorders in one folder, against failing hooks, disks that fill, snapshots, clocks that step and restarts.
///
/// `scripts/soak-retention` runs it at large.
@Suite struct RetentionModelTests {
  @Test func noFilmGoesThatTheRulesKeep() throws {
    let environment = ProcessInfo.processInfo.environment
    let seeds = environment["CAMREC_RETENTION_SEEDS"].flatMap { Int($0) } ?? 1000
    let steps = environment["CAMREC_RETENTION_STEPS"].flatMap { Int($0) } ?? 14
    let first = environment["CAMREC_RETENTION_FIRST"].flatMap { Int($0) } ?? 1
    // Each line of the catalogue is synchronised: in memory that costs nothing.
    let shared = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
    let base = "\(shared)/camrec-retention-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: base, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: base) }
    let faults = Mutex<[String]>([]), sum = Mutex<[String: Int]>([:])
    DispatchQueue.concurrentPerform(iterations: seeds) { index in
      let seed = first + index
      do {
        let run = try RetentionRun(seed: UInt64(seed), in: base)
        try run.run(steps: steps)
        faults.withLock { $0 += run.world.faults.prefix(3).map { "seed \(seed): \($0)" } }
        sum.withLock {
          $0["films", default: 0] += run.world.films.count
          $0["refused", default: 0] += run.world.refusals
          $0["hours", default: 0] += Int((run.world.time - 1e6) / 3600)
          for (reason, count) in run.world.deletedFor { $0["\(reason)", default: 0] += count }
        }
      } catch {
        faults.withLock { $0.append("seed \(seed): \(error)") }
      }
    }
    let found = faults.withLock { $0 }, figures = sum.withLock { $0 }
    #expect(found.isEmpty, "\(found.count): \(found.prefix(5).joined(separator: "\n"))")
    // Else nothing was tried.
    for reason in DeletionReason.allCases where seeds * steps >= 10000 {
      #expect(figures["\(reason)"] ?? 0 > 0, "\(figures)")
    }
    if environment["CAMREC_RETENTION_SEEDS"] != nil {
      print("retention: " + figures.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))
    }
  }
}

/// What happens to a world, drawn from a seed.
private final class RetentionRun {
  private struct Recorder {
    var service: RetentionService
    var space: SpaceGuard
    var full: SpaceGuard.Full
    var film: RetentionWorld.Film?
    var written: Int64 = 0
  }

  let world: RetentionWorld
  private var recorders: [String: Recorder] = [:]
  private static let names = ["front", "side"]
  private static let rate = 1e6
  private static let MB = RetentionWorld.megabyte
  private var names = 0

  init(seed: UInt64, in base: String) throws {
    world = try RetentionWorld(seed: seed, in: base)
    for name in RetentionRun.names { restart(name) }
  }

  func run(steps: Int) throws {
    for _ in 0..<steps {
      try step(RetentionRun.names[world.draw(0...1)])
      world.compare()
      if !world.faults.isEmpty { return }
    }
  }

  private func step(_ name: String) throws {
    world.pass(Double(world.draw(1...2600)))
    switch world.draw(0...99) {
    case 0..<52: try record(name)
    case 52..<62: try hook(name)
    case 62..<67: 
      // No disk holds more than it has.
      world.others += min(Int64(world.draw(0...330)) * RetentionRun.MB - world.others, max(0, world.free))
    case 67..<72: world.hasSnapshot.toggle()
    case 72..<75: (world.hasSnapshot, world.held) = (false, 0)
    case 75..<77: world.isSlow.toggle()
    case 77..<80: (world.isSynchronized, world.offset) = (world.chance(50), Double(world.draw(-9...9)) * 3e7)
    case 80..<84: restart(name)
    case 84..<86: reboot()
    case 86..<88: world.says = RetentionWorld.Saying.allCases[world.draw(0...2)]
    case 88..<90: world.says = .known
    case 90..<92: world.hasLocks.toggle()
    case 92..<98: try somebody()
    default: recover()
    }
    world.log.append("\(name) \(world.free / RetentionRun.MB) MB")
    work(name)
  }

  private func pick<T>(_ choices: T...) -> T { choices[world.draw(0...(choices.count - 1))] }

  private func restart(_ name: String) {
    let limits = RetentionLimits(
      age: pick(nil, nil, nil, 3000, 20000), count: pick(nil, nil, 1, 2, 4),
      bytes: pick(nil, nil, 100_000, 60 * RetentionRun.MB, 120 * RetentionRun.MB),
      freeBytes: pick(nil, nil, 50 * RetentionRun.MB, 200 * RetentionRun.MB, 999_999_000_000_000_000),
      scope: pick(.recorder, .recorder, .folder))
    let plan = RetentionService.Plan(limits: limits, recorder: name, hasHook: world.chance(30))
    world.plans[name] = plan
    let full: SpaceGuard.Full = world.chance(70) ? .rotate : .stop
    world.log.append("\(name) starts")
    recorders[name] = Recorder(
      service: RetentionService(plan, ports: world.ports(of: name)), space: SpaceGuard(marks: [], full: full),
      full: full)
  }

  private func reboot() {
    world.boot += 1
    world.uptime = 1
    for name in RetentionRun.names { restart(name) }
  }

  private func path(_ film: RetentionWorld.Film) -> String { "\(world.path)/\(film.name)" }

  private func work(_ name: String) {
    guard let recorder = recorders[name] else { return }
    recorder.service.work(beside: "\(world.path)/next.mov", writtenBytes: recorder.written)
  }

  // MARK: Recording

  private func record(_ name: String) throws {
    guard var recorder = recorders[name], admit(name, recorder) else { return }
    names += 1
    let film = RetentionWorld.Film(name: "\(name)-\(names).mov", recorder: name)
    film.begun = names
    world.films[film.name] = film
    let head = Data("film \(film.name)".utf8)
    try head.write(to: URL(fileURLWithPath: path(film)))
    film.bytes = Int64(head.count)
    recorder.service.began(path(film))
    recorder.service.work(beside: path(film), writtenBytes: recorder.written)
    let isCut = world.chance(4)
    loop: for _ in 0..<world.draw(1...8) {
      world.pass(5)
      // A write that is refused ends a film.
      guard world.free >= 6 * RetentionRun.MB else { break }
      grow(film, 5 * RetentionRun.MB)
      recorder.written += 5 * RetentionRun.MB
      world.trial?.written += 5 * RetentionRun.MB
      guard let space = world.ports(of: name).space(path(film)) else { continue }
      let decisions = recorder.space.look(
        SpaceGuard.Look(
          time: world.uptime, freeBytes: space.free, reclaimableBytes: recorder.service.reclaimableBytes,
          writtenBytes: recorder.written, closingBytes: 0, expectedBytesPerSecond: RetentionRun.rate,
          isRecording: true))
      for decision in decisions {
        switch decision {
        case .makeRoom(let target, let room):
          world.request = (target.bytes - room.freeBytes, 0)
          recorder.service.makeRoom(target, beside: path(film))
          world.request = nil
        case .stop: break loop
        case .warn: break
        }
      }
      recorder.service.work(beside: path(film), writtenBytes: recorder.written)
    }
    recorders[name] = recorder
    if isCut { return restart(name) }
    (film.isWhole, film.endedAt) = (true, world.time)
    recorder.service.finished(.init(path: path(film), seconds: 10, frames: 240, lost: 0))
    recorder.service.work(beside: path(film), writtenBytes: recorder.written)
    expectLimits(name)
  }

  private func grow(_ film: RetentionWorld.Film, _ bytes: Int64) {
    film.bytes += bytes
    truncate(path(film), off_t(film.bytes))
  }

  private func admit(_ name: String, _ recorder: Recorder) -> Bool {
    let needed = SpaceGuard.needed(bytesPerSecond: RetentionRun.rate), rotates = recorder.full == .rotate
    let free = world.free
    let can = world.deletable(by: name).reduce(0) { $0 + $1.bytes }
    world.request = rotates ? (max(0, needed - free), 0) : nil
    defer { world.request = nil }
    let before = world.deletions
    let refused = recorder.service.admit(
      "\(world.path)/next.mov", needed: needed, bytesPerSecond: RetentionRun.rate, mayDelete: rotates)
    if refused != nil { world.refusals += 1 }
    if refused != nil, !rotates, world.deletions > before { world.fail("films went where none may") }
    if world.says != .known || free >= needed, refused != nil { world.fail("a film was refused that has room") }
    if refused != nil, rotates, can >= needed - free, world.hasLocks, !world.hasSnapshot, !world.isSlow,
      world.deletions > before || world.trial == nil
    {
      world.fail("a film was refused for which room could be made")
    }
    return refused == nil
  }

  /// Where nothing hinders them the limits are kept.
  private func expectLimits(_ name: String) {
    guard let limits = world.plans[name]?.limits, world.hasLocks else { return }
    let counted = world.counted(name)
    if let most = limits.count, limits.scope == .recorder, counted.count > max(1, most) {
      // The newest may be one that is protected.
      let isOne = world.newest(of: name)?.mayGo ?? false
      if isOne || counted.count > most { world.fail("\(name) has \(counted.count) films of \(most)") }
    }
    if let age = limits.age, limits.scope == .recorder {
      for film in counted where film !== world.newest(of: name) {
        if let ended = film.endedAt, world.time - ended > age, world.boot == 0 {
          world.fail("'\(film.name)' is too old")
        }
      }
    }
    let can = world.deletable(by: name).reduce(0) { $0 + $1.bytes }
    let late = world.late.reduce(0) { $0 + $1.bytes }
    // What went for another limit may show within ten seconds; a snapshot has it show never.
    if let least = limits.freeBytes, world.says == .known, world.trial == nil, world.free + late < least,
      !world.hasSnapshot,
      world.free + can >= least
    {
      world.fail("\(name) has not made room")
    }
  }

  // MARK: Others

  private func hook(_ name: String) throws {
    guard let service = recorders[name]?.service, world.plans[name]?.hasHook == true else { return }
    let policy = HookPolicy(mostTries: 3), now = world.moment, isSuccess = world.chance(40)
    _ = try service.withFolder { (folder) throws(CamrecError) in
      let next = policy.next(among: try folder.entries(at: now), of: name, at: now) {
        folder.catalogue.seconds(from: $0, to: $1)
      }
      guard case .run(let film, let tries) = next else { return }
      let outcome = isSuccess ? .done : policy.outcome(afterTries: tries + 1)
      try folder.hooked(.init(id: film.id, outcome: outcome, tries: tries + 1, moment: now, error: "no network"))
      if outcome != .failed { world.films[film.film]?.isWaiting = false }
    }
  }

  private func recover() {
    for film in world.films.values where !film.isWhole && film.endedAt == nil {
      (film.isWhole, film.endedAt) = (true, world.time)
      grow(film, 1000)
    }
  }

  /// People, backups and other programs.
  private func somebody() throws {
    let all = world.films.values.filter { $0.isPresent && $0.order != nil && !$0.isForeign }
      .sorted { $0.name < $1.name }
    guard !all.isEmpty else { return }
    let film = all[world.draw(0...(all.count - 1))]
    switch world.draw(0...3) {
    case 0:
      try KeepMark.set(!film.isKept, film: path(film))
      film.isKept.toggle()
    case 1:
      try FileManager.default.removeItem(atPath: path(film))
      world.remove(film)
    case 2:
      grow(film, 1)
      film.isForeign = true
    default:
      let second = "\(world.path)/second-\(film.name)"
      if film.isLinked {
        try FileManager.default.removeItem(atPath: second)
      } else {
        try FileManager.default.linkItem(atPath: path(film), toPath: second)
      }
      film.isLinked.toggle()
    }
  }
}
