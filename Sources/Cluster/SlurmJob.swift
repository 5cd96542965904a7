/// A job array of Slurm: the same command once for each shard that is asked for.
///
/// Source of options and variables: the manual pages sbatch(1) and slurm.conf(5) of Slurm 22.05.
public struct SlurmJob: Hashable, Sendable {
  public let name: String
  /// Program and subcommand; the shard is put in between these and the arguments.
  private let command: [String]
  private let arguments: [String]
  private let shards: Int
  /// Processors of a task.
  private let cores: Int
  /// Where what a task says goes; where it runs.
  private let logs: String
  private let home: String

  /// - Parameters:
  ///   - name: as the queue shows it.
  ///   - command: program and subcommand.
  ///   - arguments: what follows, without the shard.
  ///   - shards: into how many parts the work is cut.
  ///   - cores: processors of a task.
  ///   - logs: the folder of what tasks say.
  ///   - home: their working folder.
  public init(name: String, command: [String], arguments: [String], shards: Int, cores: Int, logs: String, home: String)
  {
    self.name = name
    self.command = command
    self.arguments = arguments
    self.shards = shards
    self.cores = cores
    self.logs = logs
    self.home = home
  }

  /// What each task runs. A shell reads it: every word is quoted, and none is taken for anything else.
  public var script: String {
    let shard = ["--shard", "\"$SLURM_ARRAY_TASK_ID/\(shards)\""]
    let words = command.map(SlurmJob.quoted) + shard + arguments.map(SlurmJob.quoted)
    return "#!/bin/sh\nexec \(words.joined(separator: " "))\n"
  }

  /// The arguments of `sbatch` that submit some of the shards.
  ///
  /// A task whose node goes down, or that another job displaces, is queued again (`--requeue`), and says on in its log.
  public func submission(of indexes: [Int], script: String) -> [String] {
    [
      "--parsable", "--requeue", "--open-mode=append", "--job-name=\(name)", "--ntasks=1", "--cpus-per-task=\(cores)",
      "--array=\(SlurmJob.list(indexes))", "--chdir=\(home)", "--output=\(SlurmJob.escaped(logs))/task-%a.log", script,
    ]
  }

  /// The log of a task.
  public func log(_ index: Int) -> String { "\(logs)/task-\(index).log" }

  /// A job as Slurm's programs are told of it.
  public struct Name: Hashable, Sendable {
    public let number: String
    /// `nil`: the one that is asked anyway.
    public let cluster: String?

    /// Reads what `sbatch --parsable` says: the job's number, and behind a semicolon a cluster's name where there are several.
    public init?(_ said: String) {
      let words = said.split(separator: ";", omittingEmptySubsequences: false)
      guard let number = words.first, !number.isEmpty, number.allSatisfy({ ("0"..."9").contains($0) }) else {
        return nil
      }
      self.number = String(number)
      cluster = words.count > 1 && !words[1].isEmpty ? String(words[1]) : nil
    }

    private var place: [String] { cluster.map { ["--clusters=\($0)"] } ?? [] }

    /// The arguments of `scancel`.
    public var cancellation: [String] { place + [number] }

    /// The arguments of `squeue` for its tasks, a line each.
    public var question: [String] { place + ["--noheader", "--array", "--jobs=\(number)", "--format=%K|%T|%r"] }
  }

  /// Rising numbers as Slurm writes them: `0-3,7`.
  static func list(_ indexes: [Int]) -> String {
    var runs: [ClosedRange<Int>] = []
    for index in indexes.sorted() {
      if let last = runs.last, index <= last.upperBound + 1 {
        runs[runs.count - 1] = last.lowerBound...max(index, last.upperBound)
      } else {
        runs.append(index...index)
      }
    }
    return runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
  }

  private static func quoted(_ word: String) -> String { "'\(word.replacing("'", with: "'\\''"))'" }

  /// A `%` would be a pattern.
  private static func escaped(_ path: String) -> String { path.replacing("%", with: "%%") }
}
