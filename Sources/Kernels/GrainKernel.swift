import CKernels
import Color
import Foundation
public import Frames

/// Grain for the luma of one frame format, with its tables in integers.
///
/// White noise from a counter-based generator, keyed by seed, frame and position, is blurred by a Gaussian. It is added
/// to luma with an amplitude that depends on the luma itself. Seed, frame and position alone decide on each sample, so
/// that any division of a frame, any number of threads and any instruction set gives the same bits.
///
/// Thread: any number at once, also on different rows of one frame. Only the initializer allocates.
///
/// `@unchecked Sendable`: only the initializer writes `grain` and the amplitudes that it points to.
public final class GrainKernel: @unchecked Sendable {
  /// What the grain looks like.
  public struct Settings: Hashable, Sendable {
    /// Twice the greatest sigma, as a part of the signal from black to white, 0…1.
    public var intensity: Double
    /// The sigma of the blur, as a part of the picture's shorter side.
    public var size: Rational
    public var seed: UInt64

    public init(intensity: Double, size: Rational, seed: UInt64) {
      self.intensity = intensity
      self.size = size
      self.seed = seed
    }

    /// The sigma of the blur in pixels, 1…20: `size` of the shorter side, so that a picture looks the same when it is
    /// turned. Grain smaller than a pixel cannot be drawn.
    public func sigma(width: Int, height: Int) -> Double {
      min(max(Double(min(width, height)) * size.doubleValue, 1), 20)
    }

    /// Sigma by luma, both as parts of the signal: intensity/2 · g(y) / max g with g(y) = (1 − y) · √(−ln(1 − y)). That
    /// is what random grains give that cover a part 1 − y of the picture; the greatest value is at y = 1 − 1/√e.
    public func deviation(luma: Double) -> Double {
      guard luma > 0, luma < 1 else { return 0 }
      let clear = 1 - luma
      return intensity / 2 * clear * (-log(clear)).squareRoot() / (exp(-0.5) * 0.5.squareRoot())
    }
  }

  public let settings: Settings
  private let grain: UnsafeMutablePointer<ck_grain>
  private let amplitude: UnsafeMutableBufferPointer<UInt16>
  private let format: FrameFormat

  /// - Parameters:
  ///   - format: the frames' format; strides do not matter.
  ///   - level: a supported instruction set; `nil` for `KernelLevel.chosen()`.
  /// - Throws: code `usage` for a level that `KernelLevel.chosen` refuses.
  public init(_ settings: Settings, format: FrameFormat, level: KernelLevel? = nil) throws(CamrecError) {
    let level: KernelLevel = if let level { level } else { try .chosen() }
    let scale = CodeScale(range: format.color.range, bitDepth: format.layout.bitDepth)
    let blur = GrainBlur(sigma: settings.sigma(width: format.width, height: format.height))
    var prepared = ck_grain()
    prepared.kernels = level.kernels
    prepared.layout = format.layout.components
    prepared.width = Int32(format.width)
    prepared.height = Int32(format.height)
    blur.fill(&prepared)
    let lumas = (0...Int(prepared.layout.max_code)).map {
      Double($0 - scale.lumaOffset) / Double(scale.lumaSpan)
    }
    let amplitudes = GrainAmplitudes(settings, blur: blur, lumas: lumas, span: Double(scale.lumaSpan))
    amplitude = .allocate(capacity: lumas.count)
    _ = amplitude.initialize(from: amplitudes.values)
    prepared.amplitude = UnsafePointer(amplitude.baseAddress)
    prepared.shift = Int32(amplitudes.shift)
    self.settings = settings
    self.format = format
    grain = .allocate(capacity: 1)
    grain.initialize(to: prepared)
  }

  deinit {
    grain.deallocate()
    amplitude.deallocate()
  }

  /// The blur's weights from the middle on, in 2^−15, and what the blurred noise is multiplied by, by code, in
  /// 2^−shift.
  package var constants: (weights: [Int16], amplitudes: [UInt16], shift: Int) {
    let weights = withUnsafeBytes(of: grain.pointee.weights) { bytes in
      Array(bytes.bindMemory(to: Int16.self).prefix(Int(grain.pointee.radius) + 1))
    }
    return (weights, Array(amplitude), Int(grain.pointee.shift))
  }

  /// Adds the grain of frame `number` to the whole of `frame`.
  ///
  /// - Precondition: the frame has the size and layout that the kernel was prepared for.
  public func add(to frame: inout Frame, number: Int64) {
    add(rows: 0..<format.height, of: frame.storage, frame.format, number: number)
  }

  /// Adds the grain to some rows of a frame, while other threads do so to others. The caller holds the frame meanwhile.
  ///
  /// - Parameter number: the frame's; each has grain of its own.
  /// - Precondition: the frame has the size and layout that the kernel was prepared for.
  public func add(rows: Range<Int>, of storage: FrameStorage, _ format: FrameFormat, number: Int64) {
    precondition(format.hasShape(of: self.format), "a frame of another format")
    precondition(rows.lowerBound >= 0 && rows.upperBound <= format.height, "rows outside the frame")
    var picture = storage.picture(format)
    ck_grain_rows(grain, settings.seed, number, &picture, Int32(rows.lowerBound), Int32(rows.upperBound))
  }
}
