/// The tasks of a job that have not ended, as Slurm's queue lists them.
public struct SlurmQueue: Hashable, Sendable {
  public struct Task: Hashable, Sendable {
    /// `RUNNING`, `PENDING` and so on.
    public let state: String
    /// Why it is not running.
    public let reason: String

    public init(state: String, reason: String) {
      self.state = state
      self.reason = reason
    }
  }

  /// The tasks by their index in the array.
  public let tasks: [Int: Task]

  /// Environment variables that hide tasks from `squeue`.
  public static let hiding = ["ACCOUNT", "LICENSES", "NAMES", "PARTITION", "QOS", "STATES", "USERS"].map {
    "SQUEUE_\($0)"
  }

  /// Reads the lines of `squeue`, and skips any others.
  public init(lines: [String]) {
    var tasks: [Int: Task] = [:]
    for line in lines {
      let words = line.split(separator: "|", maxSplits: 2, omittingEmptySubsequences: false).map { $0.trimmingSpaces }
      guard words.count == 3, let index = Int(words[0]) else { continue }
      tasks[index] = Task(state: words[1], reason: words[2])
    }
    self.tasks = tasks
  }

  /// Reasons for which a task waits until somebody intervenes.
  private static let forGood = [
    "JobHeldAdmin", "JobHeldUser", "launch failed requeued held", "job requeued in held state", "BadConstraints",
    "PartitionConfig", "PartitionTimeLimit", "PartitionNodeLimit", "InvalidAccount", "InvalidQOS",
    "DependencyNeverSatisfied",
  ]

  /// Why no task will start by itself; `nil` if one runs or may start.
  public var hopeless: String? {
    let reasons = tasks.values.map { task -> String? in
      if ["REQUEUE_HOLD", "SPECIAL_EXIT"].contains(task.state) { return task.state }
      return task.state == "PENDING" ? SlurmQueue.forGood.first { task.reason.contains($0) } : nil
    }
    guard let first = reasons.first, reasons.allSatisfy({ $0 != nil }) else { return nil }
    return first
  }

  /// A summary for people: `3 running, 12 pending (Resources)`.
  public var words: String {
    let states = Dictionary(grouping: tasks.values, by: \.state)
    return states.sorted { $0.key < $1.key }.map { (state, tasks) in
      let reasons = Set(tasks.map(\.reason)).subtracting(["None", ""]).sorted()
      return "\(tasks.count) \(state.lowercased())" + (reasons.isEmpty ? "" : " (\(reasons.joined(separator: ", ")))")
    }.joined(separator: ", ")
  }
}

extension Substring {
  fileprivate var trimmingSpaces: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
