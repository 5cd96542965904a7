package import Bake
package import Color
import Foundation

/// What happens to the pixels between camera and encoder.
package struct BakeSettings: Hashable, Sendable, Codable {
  /// The path of a .cube file; there is a LUT or a look, not both.
  package var lut: String?
  /// A look's name, or the path of its file.
  package var look: String?
  /// Of the look's grain, 0 to 4294967295; `nil`: `Grade.usualSeed`.
  package var grainSeed: Int?
  package var interpolation = Interpolation.tetrahedral
  package var dither = Dither.none
  /// Threads that bake, 1 to 256; `nil`: one less than the cores.
  package var workers: Int?
  package var bakeOn = BakePlace.cpu
  /// The colours before the bake; `nil`: as the source reports them.
  package var colorIn: ColorName?
  /// The colours of the film; `nil`: Rec. 709 with a LUT or a look, otherwise those before the bake.
  package var colorOut: ColorName?

  package init(
    lut: String? = nil, look: String? = nil, grainSeed: Int? = nil,
    interpolation: Interpolation = Interpolation.tetrahedral, dither: Dither = Dither.none, workers: Int? = nil,
    bakeOn: BakePlace = BakePlace.cpu, colorIn: ColorName? = nil, colorOut: ColorName? = nil
  ) {
    self.lut = lut
    self.look = look
    self.grainSeed = grainSeed
    self.interpolation = interpolation
    self.dither = dither
    self.workers = workers
    self.bakeOn = bakeOn
    self.colorIn = colorIn
    self.colorOut = colorOut
  }

  /// - Parameter cores: the cores that bake and encoder share; `nil`: all.
  package func workerCount(cores: Int?) -> Int {
    workers ?? max(1, (cores ?? ProcessInfo.processInfo.activeProcessorCount) - 1)
  }
}
