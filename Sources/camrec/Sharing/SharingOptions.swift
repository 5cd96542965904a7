import ArgumentParser
import Cluster

/// Where the items of a list, the cases of a suite or clips, are processed.
struct SharingOptions: ParsableArguments {
  enum Engine: String, ExpressibleByArgument, CaseIterable { case local, slurm }

  @Option(
    help: """
      Run here, or as a job array on the Slurm cluster that 'sbatch' reaches. All files, camrec and the results folder \
      must have the same paths on its nodes; set SBATCH_PARTITION and similar variables for the rest. Default: local.
      """) var engine = Engine.local

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Number of tasks in the job array. Default: four per processor of the cluster, at most one per item.",
      valueName: "N"), transform: { try WholeNumber.parse($0, "the number of tasks is", in: 1...1_000_000) }) var tasks:
    Int?

  @Option(
    help: ArgumentHelp(
      """
      Save each item's result in this folder as soon as it is known, and skip items that already have a result from \
      the same inputs and options. To continue an interrupted run, give the same folder again.
      """, valueName: "DIR"), completion: .directory) var results: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Run one of N parts: every Nth item, starting with item K, counted from 0.", valueName: "K/N"),
    transform: SharingOptions.shard) var shard: Shard?

  func validate() throws {
    if engine == .slurm, shard != nil {
      throw ValidationError("--shard and --engine slurm exclude each other: give one of them")
    }
    if engine == .local, tasks != nil { throw ValidationError("--tasks is for --engine slurm") }
  }

  @Sendable private static func shard(_ text: String) throws -> Shard {
    guard let shard = Shard(text) else {
      throw ValidationError("a part is K/N with K from 0 to N - 1, as in 2/8; not '\(text)'")
    }
    return shard
  }
}
