package import Color
package import Frames
package import Kernels
package import Looks
package import RecorderAPI

/// What gives a film its colours: a LUT, a look, or nothing.
package enum Grade: Sendable {
  case none
  case lut(LookupTable)
  /// - Parameter seed: of the grain.
  case look(Look, seed: UInt64)

  /// The seed of the grain if none is given.
  package static let usualSeed = 1

  /// Reads what the settings name.
  ///
  /// - Throws: code `input` if a file is wrong, code `usage` if there is no such look.
  package init(_ options: BakeSettings) throws(CamrecError) {
    self =
      if let path = options.lut {
        .lut(try LookupTable(readingFile: path))
      } else if let look = options.look {
        try .reading(look: look, seed: options.grainSeed)
      } else {
        .none
      }
  }

  /// - Parameters:
  ///   - text: a look's name, or the path of its file.
  ///   - seed: of the grain; `nil` for the usual one.
  /// - Throws: code `usage` if there is no such look, code `input` if its file or table is wrong.
  package static func reading(look text: String, seed: Int? = nil) throws(CamrecError) -> Grade {
    .look(try LookChoice(text).read().look, seed: UInt64(seed ?? usualSeed))
  }

  /// The files that `init` reads: the LUT, or the look file and its table. They may be missing.
  package static func files(_ options: BakeSettings) -> [String] {
    if let path = options.lut { return [path] }
    guard let look = options.look else { return [] }
    let path = (try? LookChoice(look))?.path ?? look
    return (try? LookFile.files(path: path)) ?? [path]
  }

  /// Whether transfer function and primaries may change.
  package var changesColors: Bool { if case .none = self { false } else { true } }

  /// For people, behind what works with it: ` with the LUT`; empty for nothing.
  package var words: String {
    switch self {
    case .none: ""
    case .lut: " with the LUT"
    case .look: " with the look"
    }
  }

  /// The LUT as it was read; `nil` for a look.
  package var lut: LookupTable? { if case .lut(let lut) = self { lut } else { nil } }

  /// The look as sidecars and events tell of it.
  package var look: LookIdentity? {
    guard case .look(let look, let seed) = self else { return nil }
    return LookIdentity(name: look.name, version: look.version, seed: seed)
  }

  /// As `look`, with the grain's sigma in frames of this size, to a thousandth of a pixel.
  package func lookIdentity(width: Int, height: Int) -> LookIdentity? {
    var told = look
    told?.sigma = grain.map { ($0.sigma(width: width, height: height) * 1000).rounded() / 1000 }
    return told
  }

  /// The same look with grain of another seed.
  package func seeded(_ seed: UInt64) -> Grade {
    if case .look(let look, _) = self { .look(look, seed: seed) } else { self }
  }

  /// The table to bake between these colours.
  ///
  /// - Throws: code `usage` if the look cannot be applied to such colours, or cannot give them.
  package func table(from input: ColorDescription, to output: ColorDescription) throws(CamrecError) -> LookupTable? {
    switch self {
    case .none: return nil
    case .lut(let lut): return lut
    case .look(let look, _): return try LookTables.table(of: look, from: input, to: output)
    }
  }

  package var grain: GrainKernel.Settings? {
    guard case .look(let look, let seed) = self, look.grain.intensity > 0 else { return nil }
    return GrainKernel.Settings(intensity: look.grain.intensity, size: look.grain.size, seed: seed)
  }
}
