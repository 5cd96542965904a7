package import Bake
import Foundation
import Frames
package import Kernels

/// One way to run a case: all variants must give the same bits.
package struct GoldenVariant: Sendable {
  /// `nil`: the machine's default.
  package var workers: Int?
  package var level: KernelLevel?
  package var place: BakePlace?
  /// From 1; `nil` if each variant runs once.
  package var run: Int?

  package init(workers: Int? = nil, level: KernelLevel? = nil, place: BakePlace? = nil, run: Int? = nil) {
    self.workers = workers
    self.level = level
    self.place = place
    self.run = run
  }

  /// A description for people; may be empty.
  package var words: String {
    [
      workers.map { "\($0) worker\($0 == 1 ? "" : "s")" }, level.map(\.rawValue),
      place.map { "baked on \($0.rawValue)" }, run.map { "run \($0)" },
    ].compactMap { $0 }.joined(separator: ", ")
  }
}
