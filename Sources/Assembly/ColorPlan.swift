import Color
package import Frames
package import Movies

/// The colours that go into the bake, and those that come out of it.
package struct ColorPlan: Hashable, Sendable {
  package let input: ColorDescription
  package let output: ColorDescription
  package let warnings: [String]

  /// - Parameters:
  ///   - camera: what the camera or the clip reports.
  ///   - colorIn: overrides `camera`, except for a range that it does not name.
  ///   - colorOut: the output; `nil` means Rec. 709 with a LUT or a look and the input's colours without. The range is
  ///     limited unless `colorOut` says full.
  ///   - container: of the film; only a .mov cannot state full range.
  /// - Throws: code `usage` if transfer or primaries would have to change without either.
  package init(
    camera: ColorDescription, colorIn: ColorName?, colorOut: ColorName?, changesColors: Bool, container: Container
  ) throws(CamrecError) {
    let input = colorIn?.description(range: camera.range) ?? camera
    var output = colorOut?.description(range: .limited) ?? (changesColors ? .rec709 : input)
    if colorOut == nil { output.range = .limited }
    if !changesColors { try ColorPlan.checkWithoutLUT(input: input, output: output) }
    self.input = input
    self.output = output
    warnings = output.range == .full && container == .mov ? [ColorPlan.fullRange] : []
  }

  /// The warning about a .mov in full range.
  package static let fullRange =
    "the film is in full range, as asked: a .mov's colr atom cannot state that, so Apple's players show it with"
    + " wrong contrast"

  /// Without a LUT the bake changes matrix and range only.
  package static func checkWithoutLUT(input: ColorDescription, output: ColorDescription) throws(CamrecError) {
    let transfersDiffer = input.transfer != output.transfer && input.transfer != .unspecified
    let primariesDiffer = input.primaries != output.primaries && input.primaries != .unspecified
    guard transfersDiffer || primariesDiffer else { return }
    let (from, to) = (ColorName.name(of: input), ColorName.name(of: output))
    let what =
      switch (transfersDiffer, primariesDiffer) {
      case (true, true): "transfer and primaries"
      case (true, false): "transfer"
      default: "primaries"
      }
    // It makes LUTs from log curves and between displays.
    let isMade = (try? LookupTable.make(from: input, to: output, size: 2)) != nil
    let lut: Sentence =
      isMade
      ? "\(setting: .lut) FILE.cube (camrec lut make --from NAME --to NAME makes one)"
      : "\(setting: .lut) FILE.cube, a LUT for \(from)"
    throw CamrecError(
      .usage, about: .colorOut,
      "cannot convert the \(what) of the input, \(from), to \(setting: .colorOut) \(to) without a LUT;"
        + " give \(sentence: lut), or leave out \(setting: .colorOut)")
  }
}
