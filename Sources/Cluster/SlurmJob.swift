/// A Slurm job array that runs the same command once for each requested shard.
///
/// Source of options and variables: the manual pages sbatch(1) and slurm.conf(5) of Slurm 22.05.
public struct SlurmJob: Hashable, Sendable {
  public let name: String
  /// Program and subcommand; the shard option goes between these and the arguments.
  private let command: [String]
  private let arguments: [String]
  private let shards: Int
  /// Processors per task.
  private let cores: Int
  /// The folder for the tasks' output, and their working folder.
  private let logs: String
  private let home: String

  /// - Parameters:
  ///   - name: the job's name in the queue.
  ///   - command: program and subcommand.
  ///   - arguments: what follows the shard option.
  ///   - shards: the number of parts that the work is divided into.
  ///   - cores: processors per task.
  ///   - logs: the folder for the tasks' output.
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

  /// The shell script that each task runs. Every word is quoted.
  public var script: String {
    let shard = ["--shard", "\"$SLURM_ARRAY_TASK_ID/\(shards)\""]
    let words = command.map(SlurmJob.quoted) + shard + arguments.map(SlurmJob.quoted)
    return "#!/bin/sh\nexec \(words.joined(separator: " "))\n"
  }

  /// The arguments of `sbatch` that submit some of the shards.
  ///
  /// Slurm requeues a task whose node goes down or that another job displaces (`--requeue`); its log then continues.
  public func submission(of indexes: [Int], script: String) -> [String] {
    [
      "--parsable", "--requeue", "--open-mode=append", "--job-name=\(name)", "--ntasks=1", "--cpus-per-task=\(cores)",
      "--array=\(SlurmJob.list(indexes))", "--chdir=\(home)", "--output=\(SlurmJob.escaped(logs))/task-%a.log", script,
    ]
  }

  /// The log of a task.
  public func log(_ index: Int) -> String { "\(logs)/task-\(index).log" }

  /// Identifies a job to Slurm's programs.
  public struct Name: Hashable, Sendable {
    public let number: String
    /// `nil`: the default cluster.
    public let cluster: String?

    /// Reads the output of `sbatch --parsable`: the job's number and, if there are several clusters, a semicolon and
    /// the cluster's name; `nil` for anything else.
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

    /// The arguments of `squeue` that print one line per task.
    public var question: [String] { place + ["--noheader", "--array", "--jobs=\(number)", "--format=%K|%T|%r"] }
  }

  /// The indexes in Slurm's notation: `0-3,7`.
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

  /// Escapes `%`, which begins a pattern in `--output`.
  private static func escaped(_ path: String) -> String { path.replacing("%", with: "%%") }
}
