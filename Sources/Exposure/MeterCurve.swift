import Color
import Foundation
public import Frames

/// What each luma code is worth: log2 of luminance relative to 18 % grey.
///
/// Luma is decoded by the transfer function as if it were a grey's, which is exact for neutrals and low for saturated
/// colours. PQ, HLG and unspecified curves, which have no scene value by themselves, are read as BT.709: grey lies
/// within a quarter of a stop, and what is far from grey is compressed.
public struct MeterCurve: Hashable, Sendable {
  /// As dark as is told apart, in EV: below it 8-bit codes stand for more than half a stop each, and noise for more
  /// than light.
  public static let floor = Stops(units: -8 * Stops.unitsPerEV)
  /// A signal that full exposure reaches also where luma is a mean of channels that clip one after another.
  static let clippedSignal = 0.985
  /// No brighter than the black bars of a letterbox after lossy compression; 6.4 EV below grey in Rec. 709, and below
  /// the black of every log curve.
  static let borderSignal = 0.01

  /// By code; never falls.
  public let levels: [Stops]
  /// From this code on a sample counts as clipped.
  public let clippedFrom: Int
  /// Up to this code a sample may belong to a black border.
  public let borderUpTo: Int

  /// - Parameter saturation: the scene-linear value at which the sensor clips, where that is known and below the top of
  ///   the curve (a log curve's); `nil` where the curve is full first.
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
