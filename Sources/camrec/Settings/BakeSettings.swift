import Bake
import Color
import Foundation

/// What happens to the pixels between camera and encoder.
struct BakeSettings: Hashable, Sendable, Codable {
  /// The path of a .cube file; there is a LUT or a look, not both.
  var lut: String?
  /// A look's name, or the path of its file.
  var look: String?
  /// Of the look's grain, 0 to 4294967295; `nil`: `Grade.usualSeed`.
  var grainSeed: Int?
  var interpolation = Interpolation.tetrahedral
  var dither = Dither.none
  /// Threads that bake, 1 to 256; `nil`: one less than the cores.
  var workers: Int?
  var bakeOn = BakePlace.cpu
  /// The colours before the bake; `nil`: as the source reports them.
  var colorIn: ColorName?
  /// The colours of the film; `nil`: Rec. 709 with a LUT or a look, otherwise those before the bake.
  var colorOut: ColorName?

  /// - Parameter cores: the cores that bake and encoder share; `nil`: all.
  func workerCount(cores: Int?) -> Int {
    workers ?? max(1, (cores ?? ProcessInfo.processInfo.activeProcessorCount) - 1)
  }
}
