import ArgumentParser
import Cluster

/// Who works on the items of a list: the cases of a suite, or clips.
struct SharingOptions: ParsableArguments {
  enum Engine: String, ExpressibleByArgument, CaseIterable { case local, slurm }

  @Option(
    help: """
      Work here, or as a job array on the Slurm cluster that 'sbatch' reaches. All files, camrec and the folder of results \
      are at the same paths on its nodes; SBATCH_PARTITION and its kin say the rest. Default: local.
      """) var engine = Engine.local

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Tasks of the job array. Default: four for each processor of the cluster, at most one for each item.",
      valueName: "N"), transform: { try WholeNumber.parse($0, "the number of tasks is", in: 1...1_000_000) }) var tasks:
    Int?

  @Option(
    help: ArgumentHelp(
      """
      Keep each item's outcome in this folder as soon as it is known, and do nothing again whose outcome is there and is of \
      the same inputs and options: a run that was interrupted goes on.
      """, valueName: "DIR"), completion: .directory) var results: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Do one of N parts: every Nth item, beginning with the Kth, counted from 0.", valueName: "K/N"),
    transform: SharingOptions.shard) var shard: Shard?

  func validate() throws {
    if engine == .slurm, shard != nil {
      throw ValidationError("--shard is what the tasks of --engine slurm are told; leave one of them out")
    }
    if engine == .local, tasks != nil { throw ValidationError("--tasks is for --engine slurm") }
  }

  @Sendable private static func shard(_ text: String) throws -> Shard {
    guard let shard = Shard(text) else {
      throw ValidationError("a part is K/N with K from 0 on and below N, 2/8 for one; this is '\(text)'")
    }
    return shard
  }
}
