package import Color
import Foundation
package import Frames
import Kernels
package import Looks
import Photos
import Platform
import RecorderAPI
import StillMetadata

/// A look for photographs, with all that they share made once.
///
/// Thread: any number at once.
package struct PhotoLook: Sendable {
  /// The colours of the result.
  package enum Output: String, Hashable, Sendable, Codable, CaseIterable {
    case srgb
    case displayP3 = "display-p3"

    package var space: RGBSpace { self == .srgb ? .rec709 : .displayP3 }
    /// As ICC profiles name it.
    package var name: String { self == .srgb ? "sRGB" : "Display P3" }
    /// The weights of red, green and blue.
    package var luma: SIMD3<Double> { self == .srgb ? [0.2126, 0.7152, 0.0722] : RGBSpace.displayP3.toXYZ.rows.1 }
  }

  package struct Settings: Hashable, Sendable, Codable {
    /// EV, added to the look's exposure.
    package var exposure: Double
    package var grainSeed: UInt64
    /// Whose grain it is, counted from 0.
    package var frame: Int64
    /// `nil`: Display P3 for photographs with colours that sRGB has not, else sRGB.
    package var output: Output?
    /// Of a JPEG, 1 to 100.
    package var quality: Int
    package var overwrite: Bool

    package init(
      exposure: Double = 0, grainSeed: UInt64 = UInt64(Grade.usualSeed), frame: Int64 = 0, output: Output? = nil,
      quality: Int = 92, overwrite: Bool = false
    ) {
      self.exposure = exposure
      self.grainSeed = grainSeed
      self.frame = frame
      self.output = output
      self.quality = quality
      self.overwrite = overwrite
    }
  }

  private let look: Look
  private let settings: Settings
  /// From encoded Display P3 to the same.
  private let table: RGBTable
  /// From Display P3 to sRGB.
  private let toSRGB: RGBConversion
  private let curve: TransferFunction

  /// Points per side of the table.
  private static let tableSize = 65
  /// Rows of a photograph that are in memory.
  private static let stripRows = 64

  /// - Throws: code `defect` if Display P3 is unknown.
  package init(_ look: Look, _ settings: Settings) throws(CamrecError) {
    guard let curve = TransferFunction(.srgb) else { throw CamrecError(.defect, "there is no curve for sRGB") }
    let shown = ColorDescription(matrix: .rec709, range: .full, transfer: .srgb, primaries: .displayP3)
    let chain = try LookChain(look, from: shown, to: shown)
    let sampled = try LookupTable.sampled(size: Self.tableSize, title: nil, reached: { _ in }) {
      chain.displayP3(linear: curve.decode($0))
    }
    guard let lattice = sampled.lattice else { throw CamrecError(.defect, "a look has no table") }
    self.look = look
    self.settings = settings
    self.curve = curve
    table = RGBTable(lattice)
    toSRGB = RGBConversion(
      curves: RGBProfile.displayP3.curves, matrix: RGBSpace.displayP3.matrix(to: .rec709),
      encode: { curve.encode(SIMD3(repeating: $0)).x })
  }

  /// Applies the look to a file. The result is written as a whole or not at all.
  ///
  /// - Parameter isStopped: asked now and then.
  /// - Returns: what the user should know of it, as sentences.
  /// - Throws: code `input` or `output`; code `usage` if both are the same file; code `interrupted` when stopped.
  package func apply(to input: String, output: String, isStopped: () -> Bool) throws(CamrecError) -> [String] {
    guard let format = PhotoFormat(path: output) else {
      throw CamrecError(.usage, "'\(output)' must end in .jpg, .png or .tif")
    }
    guard PathText(input).resolved != PathText(output).resolved else {
      throw CamrecError(.usage, "'\(output)' is the photograph itself; choose another name")
    }
    _ = try NamedFile.open(input, "photograph")
    let file = try NewFile.file(output, overwrite: settings.overwrite)
    var reader = try PhotoReader(path: input)
    let source = reader.facts
    var notes: [String] = []
    guard let exif = PhotoExif(reading: source.exif) else {
      throw CamrecError(.defect, "there is no memory for the metadata of '\(input)'")
    }
    if !exif.isRead { notes.append("the EXIF of '\(input)' is broken and is left out") }
    if let words = exif.software.flatMap({ LookIdentity.stated(in: $0) }) {
      notes.append("'\(input)' already has the look \(words), so the result has two looks")
    }
    let profile = try Self.profile(of: source, exif, path: input, notes: &notes)
    if let sentence = remark(onGrainOf: source) { notes.append(sentence) }
    let isWide = source.channels == 3 && profile.isWiderThanSRGB
    let to = settings.output ?? (isWide ? .displayP3 : .srgb)

    let told = LookIdentity(name: look.name, version: look.version, seed: settings.grainSeed)
    exif.edit(software: told.software, isSRGB: to == .srgb, orientation: source.orientation)
    var result = PhotoFacts(
      format: format, width: source.width, height: source.height, bits: format == .jpeg ? 8 : source.bits)
    result.orientation = exif.orientation
    result.profile = try ICCProfile.bytes(name: to.name, space: to.space)
    result.exif = exif.bytes
    result.xmp = source.xmp
    for name in result.leaveOutLongMetadata() {
      notes.append("the \(name) of '\(input)' is left out, because it is longer than a JPEG holds (64 KiB)")
    }
    if source.hasMoreXMP {
      notes.append("a part of the XMP of '\(input)' is left out (extended XMP, beyond 64 KiB)")
    }
    let kernel = try kernel(for: source, profile, to, resultBits: result.bits)
    try file.replace { (descriptor) throws(CamrecError) in
      var writer = try PhotoWriter(file: descriptor, path: output, facts: result, quality: settings.quality)
      try run(&reader, kernel, result, &writer, isStopped)
      try writer.finish()
    }
    if reader.strayBytes > 0 {
      notes.append(
        "'\(input)' may be damaged: some of its data belongs to no pixel; look at '\(output)', and if it is damaged, "
          + "use a copy of the photograph")
    }
    return notes
  }

  private var grain: GrainKernel.Settings? {
    guard look.grain.intensity > 0 else { return nil }
    return GrainKernel.Settings(intensity: look.grain.intensity, size: look.grain.size, seed: settings.grainSeed)
  }

  /// About grain that would be smaller than a pixel in so small a photograph; `nil` for others. All that it is about
  /// get the same sentence.
  private func remark(onGrainOf photo: PhotoFacts) -> String? {
    let least = look.grain.size.inverse.doubleValue
    guard grain != nil, Double(min(photo.width, photo.height)) < least else { return nil }
    return "in photographs with a shorter side below \(Int(saturating: least.rounded(.up))) pixels, the grain's sigma "
      + "is 1 pixel, the smallest"
  }

  /// Strip by strip.
  private func run(
    _ reader: inout PhotoReader, _ kernel: PhotoKernel, _ result: PhotoFacts, _ writer: inout PhotoWriter,
    _ isStopped: () -> Bool
  ) throws(CamrecError) {
    let source = reader.facts, most = min(Self.stripRows, source.height)
    var before = [UInt8](repeating: 0, count: most * source.rowBytes)
    var after = [UInt8](repeating: 0, count: most * result.rowBytes)
    var row = 0
    while row < source.height {
      if isStopped() { throw CamrecError(.interrupted, "it was stopped before its end") }
      let count = min(most, source.height - row)
      try reader.read(rows: count, into: &before)
      kernel.apply(rows: row..<row + count, of: before, to: &after, number: settings.frame)
      try writer.write(rows: count, from: after)
      row += count
    }
  }

  private func kernel(
    for source: PhotoFacts, _ profile: RGBProfile, _ to: Output, resultBits: Int
  ) throws(CamrecError) -> PhotoKernel {
    let gain = exp2(look.exposure + settings.exposure), curve = curve
    var before: RGBConversion?
    if !profile.isDisplayP3 || gain != 1 {
      before = RGBConversion(
        curves: profile.curves, matrix: Matrix3(diagonal: SIMD3(repeating: gain)) * profile.toDisplayP3,
        encode: { curve.encode(SIMD3(repeating: $0)).x })
    }
    return try PhotoKernel(
      PhotoKernel.Steps(before: before, table: table, after: to == .srgb ? toSRGB : nil),
      grain: grain, luma: to.luma,
      format: PhotoKernel.Format(
        width: source.width, height: source.height, channels: source.channels, bits: source.bits,
        resultBits: resultBits))
  }

  private static func profile(
    of facts: PhotoFacts, _ exif: borrowing PhotoExif, path: String, notes: inout [String]
  ) throws(CamrecError) -> RGBProfile {
    if !facts.profile.isEmpty {
      return try RGBProfile(reading: facts.profile, channels: facts.channels, path: path)
    }
    if facts.isSRGB { return .sRGB }
    if exif.isAdobeRGB { return .adobeRGB }
    notes.append("'\(path)' has no colour profile; assuming sRGB")
    return .sRGB
  }
}
