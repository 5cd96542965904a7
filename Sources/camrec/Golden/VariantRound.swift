import Foundation
import Frames
import Goldens

/// Runs a case's bake in every way that is asked for, and says where two do not come to the same.
struct VariantRound {
  private let entry: GoldenCase
  private let folder: String
  private let variants: [GoldenVariant]
  private let watch: GoldenPass.Watch

  /// - Parameters:
  ///   - folder: of what is written meanwhile.
  ///   - variants: the first is the one against which the others are held.
  ///   - watch: as `GoldenPass` has it.
  init(_ entry: GoldenCase, folder: String, _ variants: [GoldenVariant], watch: GoldenPass.Watch) {
    self.entry = entry
    self.folder = folder
    self.variants = variants
    self.watch = watch
  }

  /// - Parameter first: what the first variant has come to.
  /// - Returns: what differs, for a person; of each variant the first picture and its first sample.
  /// - Throws: as `GoldenPass.run`.
  func differences(from first: FrameHashes) throws(CamrecError) -> [String] {
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
      sentences.append("\(variant.words): \(sentence) from that with \(variants[0].words)\(sample)")
    }
    return sentences
  }

  private func sample(of number: Int, _ pass: GoldenPass) throws(CamrecError) -> String {
    let wanted = try GoldenPass(entry, folder: folder, variant: variants[0], watch: watch).picture(number)
    let got = try pass.picture(number)
    guard let format = wanted.format, format.layout == got.format?.layout, wanted.bytes.count == got.bytes.count,
      let difference = PixelDifference(
        wanted.bytes, got.bytes, layout: format.layout, width: format.width, height: format.height)
    else { return "baked once more, they are the same" }
    return difference.sentence
  }
}
