import Foundation
package import Frames
package import Goldens

/// Runs a case's bake in every variant, and reports those with another result.
package struct VariantRound {
  private let entry: GoldenCase
  private let folder: String
  private let variants: [GoldenVariant]
  private let watch: GoldenPass.Watch

  /// - Parameters:
  ///   - folder: for temporary files.
  ///   - variants: the others are compared with the first.
  ///   - watch: as for `GoldenPass`.
  package init(_ entry: GoldenCase, folder: String, _ variants: [GoldenVariant], watch: GoldenPass.Watch) {
    self.entry = entry
    self.folder = folder
    self.variants = variants
    self.watch = watch
  }

  /// - Parameter first: the result of the first variant.
  /// - Returns: the differences, for people: of each variant the first frame and its first sample.
  /// - Throws: as `GoldenPass.run`.
  package func differences(from first: FrameHashes) throws(CamrecError) -> [String] {
    var sentences: [String] = []
    for variant in variants.dropFirst() {
      let pass = GoldenPass(entry, folder: folder, variant: variant, watch: watch)
      let hashes = try pass.bake()
      try watch.check()
      guard hashes != first else { continue }
      let found = FrameComparison(golden: first, film: hashes).differences
      let sentence = found.first?.sentence(golden: first) ?? "the texts differ"
      var sample = ""
      if case .changed(let run)? = found.first { sample = try ": \(self.sample(of: run.lowerBound, pass))" }
      sentences.append("\(variant.words), compared with \(variants[0].words): \(sentence)\(sample)")
    }
    return sentences
  }

  private func sample(of number: Int, _ pass: GoldenPass) throws(CamrecError) -> String {
    let wanted = try GoldenPass(entry, folder: folder, variant: variants[0], watch: watch).picture(number)
    let got = try pass.picture(number)
    guard let format = wanted.format, format.layout == got.format?.layout, wanted.bytes.count == got.bytes.count,
      let difference = PixelDifference(
        wanted.bytes, got.bytes, layout: format.layout, width: format.width, height: format.height)
    else { return "baked again, they are the same" }
    return difference.sentence
  }
}
