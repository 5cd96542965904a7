import Color
import Foundation
public import Frames

/// The level of each luma code: log2 of luminance relative to 18 % grey.
///
/// Luma is decoded with the transfer function as if it were that of a grey, which is exact for neutrals and too low for
/// saturated colours. PQ, HLG and unspecified curves, which have no scene value by themselves, are read as BT.709: grey
/// is right within a quarter of an EV, and values far from grey are compressed.
public struct MeterCurve: Hashable, Sendable {
  /// The darkest level that is distinguished, in EV: below it, each 8-bit code spans more than half an EV, and there is
  /// more noise than light.
  public static let floor = Stops(units: -8 * Stops.unitsPerEV)
  /// A signal that full exposure reaches even though luma is a mean of channels that clip one after another.
  static let clippedSignal = 0.985
  /// The upper limit for the black bars of a letterbox after lossy compression; 6.4 EV below grey in Rec. 709, and
  /// below the black of every log curve.
  static let borderSignal = 0.01

  /// By code; never falls.
  public let levels: [Stops]
  /// From this code on a sample counts as clipped.
  public let clippedFrom: Int
  /// Up to this code a sample may belong to a black border.
  public let borderUpTo: Int

  /// - Parameter saturation: the scene-linear value at which the sensor clips, if it is known and below the top of the
  ///   curve (a log curve's); `nil` if the curve ends first.
  public init(color: ColorDescription, bitDepth: Int, saturation: Double? = nil) {
    let scale = CodeScale(range: color.range, bitDepth: bitDepth)
    let transfer = TransferFunction(color.transfer) ?? TransferFunction(.rec709)!
    var levels: [Stops] = [], clippedFrom = scale.maximum, borderUpTo = 0
    let clippedSignal = min(Self.clippedSignal, saturation.map { transfer.encode($0 * 0.985) } ?? 1)
    for code in 0...scale.maximum {
      let signal = Double(code - scale.lumaOffset) / Double(scale.lumaSpan)
      let light = transfer.decode(signal)
      let level = light > 0 ? max(Self.floor, Stops(log2(light / 0.18))) : Self.floor
      levels.append(max(level, levels.last ?? level))
      if signal >= clippedSignal { clippedFrom = min(clippedFrom, code) }
      if signal <= Self.borderSignal { borderUpTo = code }
    }
    self.levels = levels
    self.clippedFrom = clippedFrom
    self.borderUpTo = borderUpTo
  }
}
