import Cluster

/// Where the clips of a list, or the cases of a suite, are processed.
struct SharingSettings: Hashable, Sendable {
  enum Engine: String, CaseIterable, Sendable {
    case local
    /// A job array on the Slurm cluster that `sbatch` reaches.
    case slurm
  }

  var engine = Engine.local
  /// Of the job array; `nil`: four per processor of the cluster, at most one per clip or case.
  var tasks: Int?
  /// The folder for outcomes; what has one there is skipped.
  var results: String?
  /// The part to run; `nil`: all.
  var shard: Shard?
}
