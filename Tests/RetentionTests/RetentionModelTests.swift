import Foundation
import Retention
import Synchronization
import Testing

/// Recorders that share folders, a disk and even a name, against failing hooks, disks that fill, snapshots, clocks that
/// step, restarts, kills between any two system calls, folders that move and catalogues that are damaged or full.
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
          $0["films", default: 0] += run.world.begun
          $0["refused", default: 0] += run.world.refusals
          $0["kills", default: 0] += run.world.kills
          $0["moves", default: 0] += run.world.moves
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
      let seedsFound = Set(found.compactMap { Int($0.dropFirst(5).prefix { $0 != ":" }) }).sorted()
      if let first = seedsFound.first { print("retention: \(seedsFound.count) seeds with faults, the first \(first)") }
      print("retention: " + figures.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))
    }
  }
}
