import Assembly
import Cluster
import Foundation
package import Frames
import Platform
import Reporting
import Supervision
import Synchronization

/// Processes the items of a list with a Slurm job array, and waits for the outcomes in a shared folder.
///
/// Each task runs camrec with `--shard K/N --results DIR`. A task may run twice, even at the same time: it skips items
/// that have an outcome, and files appear complete or not at all. Slurm requeues a task whose node goes down; this
/// class resubmits tasks that end with items left.
///
/// Thread: the one that runs it. `stop` from any.
package final class SlurmRound: Sendable {
  private let folder: String
  private let job: SlurmJob
  private let shards: Int
  private let isStopping = Atomic<Bool>(false)
  /// The job in the queue.
  private let underway = Mutex<SlurmJob.Name?>(nil)

  /// Submissions without any new outcome before it gives up.
  private static let attempts = 3
  /// Gives up when no task has been startable for this many seconds.
  private static let hopelessness = 10.0
  /// Seconds to wait for a cancelled job to leave the queue.
  private static let farewell = 60.0
  /// Seconds between two looks into the folder, increasing.
  private static let pauses = 0.1...3.0
  /// Seconds between two queries of the controller.
  private static let questions = 2.0
  /// The longest time that a program of Slurm's may take, in seconds.
  private static let patience = 120.0
  /// Gives up when the controller has not answered for this many seconds.
  private static let silence = 900.0
  /// Seconds between two messages on the state of the queue.
  private static let repetition = 60.0

  /// - Parameters:
  ///   - command: camrec's subcommand; a task's shard follows it.
  ///   - arguments: what follows the shard.
  ///   - items: the number of items in the list, at least one.
  ///   - folder: the existing folder for the results and the tasks' logs.
  ///   - tasks: the number of parts; `nil`: as many as suit the cluster.
  ///   - cores: processors per task.
  /// - Throws: code `usage` if Slurm's programs are missing, `device` if its controller does not answer.
  package init(
    command: [String], arguments: [String], items: Int, folder: String, tasks: Int?, cores: Int
  ) throws(CamrecError) {
    self.folder = folder
    let most = try SlurmRound.mostTasks()
    let asked = if let tasks { tasks } else { try 4 * SlurmRound.processors() / cores }
    shards = max(1, min(items, most, asked))
    job = SlurmJob(
      name: "camrec-" + command.joined(separator: "-"), command: [try CamrecProgram.path()] + command,
      arguments: arguments, shards: shards, cores: cores, logs: folder, home: FileManager.default.currentDirectoryPath)
  }

  /// Processes all items.
  ///
  /// - Parameters:
  ///   - names: the items' names, by which their outcomes are found.
  ///   - there: the names that have a file in the folder.
  ///   - outcome: the outcome of the item at an index; `nil` if there is none from the same inputs.
  ///   - failed: makes the outcome of an item that no task has finished.
  ///   - ended: called with each outcome as soon as it is there: the number of outcomes so far, and the item's index.
  /// - Returns: the outcomes, in the items' order; after `stop`, without those that are missing.
  /// - Throws: code `output` if the results folder cannot be written, `device` if the cluster does not accept a job or
  ///   does not answer.
  package func outcomes<Outcome>(
    of names: [String], there: () -> Set<String>, outcome: (Int) -> Outcome?, failed: (Int, CamrecError) -> Outcome,
    ended: (Int, Int, Outcome) -> Void
  ) throws(CamrecError) -> [Outcome] {
    var outcomes = [Outcome?](repeating: nil, count: names.count)
    var count = 0
    func take(_ outcome: Outcome, _ index: Int) {
      outcomes[index] = outcome
      count += 1
      ended(count, index, outcome)
    }
    func missing() -> [Int] {
      let there = there()
      return names.indices.filter { index in
        if outcomes[index] == nil, there.contains(names[index]), let outcome = outcome(index) { take(outcome, index) }
        return outcomes[index] == nil
      }
    }
    let reason = try run(missing: missing)
    if !isStopped { for index in missing() { take(failed(index, failure(of: index, reason: reason)), index) } }
    return outcomes.compactMap { $0 }
  }

  /// Submits tasks until no outcome is missing, or until `attempts` submissions in a row have brought none. Afterwards
  /// no task is in the queue.
  ///
  /// - Parameter missing: collects the outcomes that are there, and returns the indexes of the other items.
  /// - Returns: why the tasks do not run, if the cluster says so.
  /// - Throws: as `outcomes`.
  private func run(missing: () -> [Int]) throws(CamrecError) -> String? {
    let script = "\(folder)/task.sh"
    let mark = AtomicFile.Mark(name: "job script", text: "\"$SLURM_ARRAY_TASK_ID/")
    try AtomicFile(path: script, mark: mark, mode: 0o755).replace(with: job.script.utf8)
    var reason: String?
    var failures = 0
    var rest = missing()
    while failures < SlurmRound.attempts, reason == nil, !rest.isEmpty, !isStopped {
      let parts = Set(rest.map { $0 % shards }).sorted()
      let name = try submit(parts, script)
      HumanText.write("submitted job \(name.number) with \(parts.count) task\(parts.count == 1 ? "" : "s")\n")
      underway.withLock { $0 = name }
      defer { end(name) }
      reason = try wait(for: name) { missing().isEmpty }
      let left = missing()
      failures = left.count < rest.count ? 0 : failures + 1
      rest = left
    }
    return reason
  }

  /// The error for an item whose outcome is missing at the end.
  private func failure(of item: Int, reason: String?) -> CamrecError {
    if let reason {
      return CamrecError(
        .device, "the cluster does not start this item's task (\(reason)); see squeue(1) and sbatch(1)")
    }
    let log = job.log(item % shards)
    return CamrecError(
      .defect,
      "this item's task was submitted \(SlurmRound.attempts) times without a result; see its log '\(log)'",
      cause: SlurmRound.lastLine(of: log))
  }

  /// Cancels the job without waiting for its end. Any thread.
  package func cancel() {
    if let name = underway.withLock({ $0 }) { _ = try? ProgramCall(["scancel"] + name.cancellation, seconds: 5) }
  }

  /// Cancels the running job; keeps the outcomes that are there. Any thread.
  package func stop() { isStopping.store(true, ordering: .relaxed) }

  private var isStopped: Bool { isStopping.load(ordering: .relaxed) }

  // MARK: The queue

  private func submit(_ parts: [Int], _ script: String) throws(CamrecError) -> SlurmJob.Name {
    let call = try SlurmRound.call(["sbatch"] + job.submission(of: parts, script: script))
    guard call.isSuccess, let name = call.output.first.flatMap(SlurmJob.Name.init) else {
      throw CamrecError(.device, "Slurm does not accept the job", cause: (call.errors + call.output).last)
    }
    return name
  }

  /// Cancels a job, and waits until none of its tasks runs: they would write into a folder that is removed afterwards.
  private func end(_ name: SlurmJob.Name) {
    let start = MonotonicTime.now()
    while let queue = try? queue(name), !queue.tasks.isEmpty,
      SlurmRound.seconds(.now(), since: start) < SlurmRound.farewell
    {
      cancel()
      Thread.sleep(forTimeInterval: 0.3)
    }
    underway.withLock { $0 = nil }
  }

  /// - Returns: `nil` if the controller does not answer.
  private func queue(_ name: SlurmJob.Name) throws(CamrecError) -> SlurmQueue? {
    let call = try SlurmRound.call(["squeue"] + name.question, without: SlurmQueue.hiding)
    // Slurm forgets a job some time after its end.
    guard call.isSuccess || call.errors.contains(where: { $0.contains("Invalid job id") }) else { return nil }
    return SlurmQueue(lines: call.output)
  }

  /// Waits until all outcomes are there or the job has left the queue.
  ///
  /// - Parameter isDone: collects the outcomes that are there, and returns whether these are all.
  /// - Returns: why its tasks will not run, if Slurm says so.
  /// - Throws: code `device` if the controller does not answer for `silence` seconds.
  private func wait(for name: SlurmJob.Name, isDone: () -> Bool) throws(CamrecError) -> String? {
    var pause = SlurmRound.pauses.lowerBound
    var asked = MonotonicTime.now()
    var answered = asked
    var said = (words: "", at: asked)
    var hopeful = asked
    while !isStopped {
      Thread.sleep(forTimeInterval: pause)
      pause = min(pause * 1.3, SlurmRound.pauses.upperBound)
      if isDone() { return nil }
      let now = MonotonicTime.now()
      guard SlurmRound.seconds(now, since: asked) >= SlurmRound.questions else { continue }
      let found = try queue(name)
      asked = MonotonicTime.now()
      guard let queue = found else {
        guard SlurmRound.seconds(asked, since: answered) < SlurmRound.silence else {
          throw CamrecError(
            .device, about: nil,
            "Slurm's controller has not answered for \(Int(SlurmRound.silence / 60)) minutes; the results so far are "
              + "in '\(folder)'; to continue from them, add \(setting: .results) \(folder)")
        }
        continue
      }
      answered = asked
      if queue.tasks.isEmpty {
        // What the last task wrote may appear a little later on this machine.
        Thread.sleep(forTimeInterval: 1)
        _ = isDone()
        return nil
      }
      if let reason = queue.hopeless {
        if SlurmRound.seconds(asked, since: hopeful) >= SlurmRound.hopelessness { return reason }
      } else {
        hopeful = asked
      }
      if queue.words != said.words, SlurmRound.seconds(asked, since: said.at) >= SlurmRound.repetition {
        HumanText.write("job \(name.number): \(queue.words)\n")
        said = (queue.words, asked)
      }
    }
    return nil
  }

  private static func seconds(_ time: MonotonicTime, since start: MonotonicTime) -> Double {
    Double(time - start) / 1e9
  }

  // MARK: The cluster

  /// - Parameter hidden: environment variables to hide from the program.
  private static func call(_ words: [String], without hidden: [String] = []) throws(CamrecError) -> ProgramCall {
    let call = try ProgramCall(hidden.flatMap { ["-u", $0] } + words, seconds: patience)
    guard !call.isMissing else {
      throw CamrecError(
        .usage, about: .engine,
        "there is no '\(words[0])' on this machine; \(setting: .engine) slurm needs Slurm's client "
          + "(apt install slurm-client)")
    }
    return call
  }

  /// The controller's limit on the number of tasks in an array.
  private static func mostTasks() throws(CamrecError) -> Int {
    let call = try call(["scontrol", "show", "config"])
    guard call.isSuccess else {
      throw CamrecError(.device, "Slurm's controller does not answer", cause: call.errors.last)
    }
    let line = call.output.first { $0.hasPrefix("MaxArraySize") }
    let limit = line?.split(separator: "=").last.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) }
    // slurm.conf(5): the greatest index is one less; the default is 1001.
    return max(1, limit ?? 1001)
  }

  /// The processors of all nodes together.
  private static func processors() throws(CamrecError) -> Int {
    let call = try call(["sinfo", "--noheader", "--format=%C"])
    // Allocated, idle, other, and all.
    let total = call.output.compactMap {
      $0.split(separator: "/").last.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) }
    }
    return max(1, total.reduce(0, +))
  }

  private static func lastLine(of log: String) -> String? {
    guard let file = try? InputFile(path: log) else { return nil }
    let bytes = try? file.bytes(at: UInt64(max(0, file.size - 4096)), count: 4096)
    return String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n").last.map(String.init)
  }
}
