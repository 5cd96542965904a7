import CFFmpeg
public import Frames

/// The kind of a clip's samples, to tell what a film keeps of them.
public struct ClipSamples: Hashable, Sendable {
  /// FFmpeg's name: `yuv444p10le`.
  public let name: String
  /// The layout that holds them as they are; `nil` if there is none.
  public let layout: PixelLayout?
  public let bitDepth: Int
  /// How many pixels share a chroma sample, horizontally and vertically; `nil` for grey.
  let shared: (width: Int, height: Int)?
  let isRGB: Bool
  let hasAlpha: Bool

  init(_ format: AVPixelFormat) {
    name = format.name
    layout = PixelLayout(format)
    bitDepth = format.bitDepth
    isRGB = format.isRGB
    hasAlpha = format.hasAlpha
    shared = format.isGray ? nil : (1 << Int(format.chromaShifts.0), 1 << Int(format.chromaShifts.1))
  }

  public static func == (a: ClipSamples, b: ClipSamples) -> Bool { a.name == b.name }
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// Says what a film of this layout loses of the samples; `nil` if it keeps all.
  public func reduction(to layout: PixelLayout) -> String? {
    var losses: [String] = []
    let kept = (width: layout.chroma.across, height: layout.chroma.down)
    if let shared, shared.width < kept.width || shared.height < kept.height {
      let own = isRGB ? "R'G'B'" : ClipSamples.notation(shared)
      losses.append("chroma is reduced from \(own) to \(ClipSamples.notation(kept))")
    }
    if bitDepth > layout.bitDepth { losses.append("\(bitDepth) bits become \(layout.bitDepth)") }
    if hasAlpha { losses.append("transparency is left out") }
    guard !losses.isEmpty else { return nil }
    return losses.count < 3 ? losses.joined(separator: " and ") : "\(losses[0]), \(losses[1]) and \(losses[2])"
  }

  private static func notation(_ shared: (width: Int, height: Int)) -> String {
    switch shared {
    case (1, 1): "4:4:4"
    case (1, 2): "4:4:0"
    case (2, 1): "4:2:2"
    case (2, 2): "4:2:0"
    case (4, 1): "4:1:1"
    default: "\(shared.width)x\(shared.height)"
    }
  }
}
