package import Cluster

/// Where the clips of a list, or the cases of a suite, are processed.
package struct SharingSettings: Hashable, Sendable, Codable {
  package enum Engine: String, CaseIterable, Sendable, Codable {
    case local
    /// A job array on the Slurm cluster that `sbatch` reaches.
    case slurm
  }

  package var engine = Engine.local
  /// Of the job array; `nil`: four per processor of the cluster, divided by the jobs; at most one per clip or case.
  package var tasks: Int?
  /// The folder for outcomes; what has one there is skipped.
  package var results: String?
  /// The part to run; `nil`: all.
  package var shard: Shard?

  package init(engine: Engine = Engine.local, tasks: Int? = nil, results: String? = nil, shard: Shard? = nil) {
    self.engine = engine
    self.tasks = tasks
    self.results = results
    self.shard = shard
  }
}
