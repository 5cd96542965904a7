import CKernels
import Foundation
public import Frames

/// An instruction set of the kernels. All give the same bits.
public enum KernelLevel: String, Hashable, Sendable, CaseIterable {
  case scalar, neon, avx2, avx512

  /// The environment variable that names a level to use instead of the best one, for tests and comparisons.
  public static let variable = "CAMREC_CPU"

  /// The levels that this processor, its system and this build support, the best last; `scalar` is always included.
  public static let supported = allCases.filter { ck_kernels_at($0.number) != nil }

  /// The best level, or the one that the environment variable `CAMREC_CPU` names.
  ///
  /// - Throws: code `usage` for an unknown name, or for a level that is not `supported`.
  public static func chosen() throws(CamrecError) -> KernelLevel {
    try chosen(environment: ProcessInfo.processInfo.environment)
  }

  /// The same for another environment.
  public static func chosen(environment: [String: String]) throws(CamrecError) -> KernelLevel {
    guard let name = environment[variable], !name.isEmpty else { return supported.last ?? .scalar }
    let choice = supported.map(\.rawValue).joined(separator: ", ")
    guard let level = KernelLevel(rawValue: name) else {
      throw CamrecError(
        .usage, "\(variable) is '\(name)', which is not an instruction set of the bake; choose from \(choice)")
    }
    guard supported.contains(level) else {
      throw CamrecError(.usage, "\(variable) is '\(name)', which this processor does not have; choose from \(choice)")
    }
    return level
  }

  /// The table of functions, for a supported level.
  var kernels: UnsafePointer<ck_kernels> {
    guard let kernels = ck_kernels_at(number) else { preconditionFailure("\(rawValue) is not supported here") }
    return kernels
  }

  private var number: ck_level {
    switch self {
    case .scalar: CK_SCALAR
    case .neon: CK_NEON
    case .avx2: CK_AVX2
    case .avx512: CK_AVX512
    }
  }
}
