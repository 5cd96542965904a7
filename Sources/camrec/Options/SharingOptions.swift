import ArgumentParser
import Assembly
import Cluster
import Jobs

/// What a command shares out, in the words of its help.
protocol SharedWork: Sendable {
  static var verb: String { get }
  static var noun: String { get }
}

enum ClipWork: SharedWork {
  static let verb = "Bake", noun = "clip"
}

enum CaseWork: SharedWork {
  static let verb = "Run", noun = "case"
}

/// Where the clips of a list, or the cases of a suite, are processed.
struct SharingOptions<Work: SharedWork>: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Run here, or as a job array on the Slurm cluster that 'sbatch' reaches.",
      discussion: """
        All files, camrec and the results folder must have the same paths on its nodes. Set other options of sbatch by \
        variables such as SBATCH_PARTITION.
        """, valueName: "ENGINE")) var engine = SharingSettings.Engine.local

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Number of tasks in the job array. Default: four per processor of the cluster, divided by --jobs, or fewer if"
        + " there is less to do.",
      valueName: "N"), transform: { try WholeNumber.parse($0, "the number of tasks is", in: 1...1_000_000) }) var tasks:
    Int?

  @Option(
    help: ArgumentHelp(
      "Save each \(Work.noun)'s result in this folder, and skip \(Work.noun)s that have one.",
      discussion: """
        camrec saves a result as soon as it is known, and skips only \(Work.noun)s that have one from the same inputs \
        and options. To continue an interrupted run, give the same folder again.
        """, valueName: "DIR"), completion: .directory) var results: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "\(Work.verb) one of N parts: every Nth \(Work.noun) from \(Work.noun) K on (the first is 0).", valueName: "K/N"),
    transform: Shard.init(parsing:)) var shard: Shard?

  var settings: SharingSettings { SharingSettings(engine: engine, tasks: tasks, results: results, shard: shard) }

  func validate() throws {
    if engine == .slurm, shard != nil {
      throw ValidationError("--shard and --engine slurm exclude each other: give one of them")
    }
    if engine == .local, tasks != nil { throw ValidationError("--tasks is for --engine slurm") }
  }
}

extension Shard {
  fileprivate init(parsing text: String) throws {
    guard let shard = Shard(text) else {
      throw ValidationError("a part is K/N with K from 0 to N - 1, as in 2/8; not '\(text)'")
    }
    self = shard
  }
}

extension SharingSettings.Engine: ExpressibleByArgument {}
