import Cluster
import Foundation
import Frames
import Supervision
import Synchronization

/// Has the items of a list worked on by a job array on a Slurm cluster, and waits for what comes out in a shared folder.
///
/// A task does what camrec does with `--shard K/N --results DIR`. It may be run twice, and twice at a time: what is there is not made
/// again, and a file is there whole or not at all. Slurm itself queues a task again whose node goes down; those that end without
/// having done all their items are submitted anew.
///
/// Thread: the one that runs it. `stop` from any.
final class SlurmRound: Sendable {
  private let folder: String
  private let job: SlurmJob
  private let shards: Int
  private let isStopping = Atomic<Bool>(false)
  /// What is in the queue.
  private let underway = Mutex<SlurmJob.Name?>(nil)

  /// How often tasks are submitted that come to nothing.
  private static let attempts = 3
  /// Seconds for which none of the tasks has to be about to run, so that it is not waited for.
  private static let hopelessness = 10.0
  /// Seconds until a job has left the queue that was taken out of it.
  private static let farewell = 60.0
  /// Seconds between two looks, growing; between two questions to the controller; that a program of Slurm's may take.
  private static let pauses = 0.1...3.0
  private static let questions = 2.0
  private static let patience = 120.0
  /// Seconds for which the controller may say nothing, and until it is said again why nothing goes on.
  private static let silence = 900.0
  private static let repetition = 60.0

  /// - Parameters:
  ///   - command: camrec's subcommand, behind which a task's shard is put.
  ///   - arguments: what follows.
  ///   - items: of the list, at least one.
  ///   - folder: of the results, which is there: tasks say there what they say.
  ///   - tasks: into how many parts the list is cut; `nil`: as fits the cluster.
  ///   - cores: processors of a task.
  /// - Throws: code `usage` where Slurm's programs are not there, `device` where its controller does not answer.
  init(command: [String], arguments: [String], items: Int, folder: String, tasks: Int?, cores: Int) throws(CamrecError)
  {
    self.folder = folder
    let most = try SlurmRound.mostTasks()
    let asked = if let tasks { tasks } else { try 4 * SlurmRound.processors() / cores }
    shards = max(1, min(items, most, asked))
    job = SlurmJob(
      name: "camrec-" + command.joined(separator: "-"), command: [try CamrecProgram.path()] + command,
      arguments: arguments, shards: shards, cores: cores, logs: folder, home: FileManager.default.currentDirectoryPath)
  }

  /// Has all items worked on.
  ///
  /// - Parameters:
  ///   - names: the items', by which their outcomes are found.
  ///   - there: the names of which something is there.
  ///   - outcome: what became of an item, where that is there and is the item's.
  ///   - failed: the outcome of an item that was not come to.
  ///   - ended: is told of each outcome as soon as it is there: how many there are, and of which item.
  /// - Returns: the outcomes, in the items' order; without those that are missing because it was stopped.
  /// - Throws: code `output` where the folder of results cannot be written, `device` where the cluster takes no job or does not
  ///   answer.
  func outcomes<Outcome>(
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

  /// Submits tasks until nothing is missing, or several times in turn nothing has come of it. Behind it none is in the queue.
  ///
  /// - Parameter missing: collects what is there, and gives the places of items that are not.
  /// - Returns: why the tasks do not run, where the cluster says that.
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
      HumanText.write("job \(name.number) has \(parts.count) task\(parts.count == 1 ? "" : "s")\n")
      underway.withLock { $0 = name }
      defer { end(name) }
      reason = try wait(for: name) { missing().isEmpty }
      let left = missing()
      failures = left.count < rest.count ? 0 : failures + 1
      rest = left
    }
    return reason
  }

  /// What is said of an item that is missing in the end.
  private func failure(of item: Int, reason: String?) -> CamrecError {
    if let reason {
      return CamrecError(
        .device, "the cluster does not start the task that has it (\(reason)): see squeue(1) and sbatch(1)")
    }
    let log = job.log(item % shards)
    return CamrecError(
      .defect,
      "the task that had it was submitted \(SlurmRound.attempts) times and came to no outcome; its log is '\(log)'",
      cause: SlurmRound.lastLine(of: log))
  }

  /// Takes the job out of the queue without waiting for its end. Any thread.
  func cancel() {
    if let name = underway.withLock({ $0 }) { _ = try? ProgramCall(["scancel"] + name.cancellation, seconds: 5) }
  }

  /// What runs is taken out of the queue; what is there stays. Any thread.
  func stop() { isStopping.store(true, ordering: .relaxed) }

  private var isStopped: Bool { isStopping.load(ordering: .relaxed) }

  // MARK: The queue

  private func submit(_ parts: [Int], _ script: String) throws(CamrecError) -> SlurmJob.Name {
    let call = try SlurmRound.call(["sbatch"] + job.submission(of: parts, script: script))
    guard call.isSuccess, let name = call.output.first.flatMap(SlurmJob.Name.init) else {
      throw CamrecError(.device, "Slurm takes no job", cause: (call.errors + call.output).last)
    }
    return name
  }

  /// Takes a job out of the queue, and waits until none of its tasks runs: they would write into what is removed then.
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

  /// - Returns: `nil` where the controller does not answer.
  private func queue(_ name: SlurmJob.Name) throws(CamrecError) -> SlurmQueue? {
    let call = try SlurmRound.call(["squeue"] + name.question, without: SlurmQueue.hiding)
    // One that has ended a while ago is not known any more.
    guard call.isSuccess || call.errors.contains(where: { $0.contains("Invalid job id") }) else { return nil }
    return SlurmQueue(lines: call.output)
  }

  /// Waits until all is there or the job has left the queue.
  ///
  /// - Parameter isDone: collects what is there.
  /// - Returns: why its tasks will not run, where that is said.
  /// - Throws: code `device` where the controller does not answer for long.
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
            .device,
            "Slurm's controller has not answered for \(Int(SlurmRound.silence / 60)) minutes; what was done lies in "
              + "'\(folder)', and --results goes on with it")
        }
        continue
      }
      answered = asked
      if queue.tasks.isEmpty {
        // What the last task wrote may be seen a little later on another machine.
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

  /// - Parameter hidden: variables that the program does not see.
  private static func call(_ words: [String], without hidden: [String] = []) throws(CamrecError) -> ProgramCall {
    let call = try ProgramCall(hidden.flatMap { ["-u", $0] } + words, seconds: patience)
    guard !call.isMissing else {
      throw CamrecError(
        .usage,
        "there is no '\(words[0])' on this machine; --engine slurm needs Slurm's client (apt install slurm-client)")
    }
    return call
  }

  /// The controller's limit of the numbers of tasks in an array.
  private static func mostTasks() throws(CamrecError) -> Int {
    let call = try call(["scontrol", "show", "config"])
    guard call.isSuccess else {
      throw CamrecError(.device, "Slurm's controller does not answer", cause: call.errors.last)
    }
    let line = call.output.first { $0.hasPrefix("MaxArraySize") }
    let limit = line?.split(separator: "=").last.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) }
    // As slurm.conf(5) has it: the greatest number is one less; 1001 where nothing else is said.
    return max(1, limit ?? 1001)
  }

  /// Of all nodes.
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
