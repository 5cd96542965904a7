import Bake
import Foundation
import Frames
import Kernels

/// One way to run a case: all variants must give the same bits.
struct GoldenVariant: Sendable {
  /// `nil`: the machine's default.
  var workers: Int?
  var level: KernelLevel?
  var place: BakePlace?
  /// From 1; `nil` if each variant runs once.
  var run: Int?

  /// A description for people; may be empty.
  var words: String {
    [
      workers.map { "\($0) worker\($0 == 1 ? "" : "s")" }, level.map(\.rawValue),
      place.map { "baked on \($0.rawValue)" }, run.map { "run \($0)" },
    ].compactMap { $0 }.joined(separator: ", ")
  }
}
