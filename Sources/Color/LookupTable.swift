/// How values between a lattice's grid points are interpolated.
public enum Interpolation: String, Hashable, Sendable, Codable, CaseIterable {
  case tetrahedral, trilinear
}

/// A colour lookup table as in a .cube file: per-channel curves, a 3D lattice, or curves before a lattice.
///
/// Samples are kept as they are in the file; they may be negative or above 1.
public struct LookupTable: Sendable {
  /// Three curves over one domain.
  public struct Curves: Sendable {
    /// Points per curve, 2…65536.
    public let size: Int
    /// `size` × 3: red, green, blue of each point.
    public let samples: [Float]
    /// The input that the first and the last point stand for, per channel.
    public let domainMin: SIMD3<Double>
    public let domainMax: SIMD3<Double>

    public init(size: Int, samples: [Float], domainMin: SIMD3<Double> = .zero, domainMax: SIMD3<Double> = .one) {
      precondition(samples.count == size * 3, "a curve has three samples a point")
      self.size = size
      self.samples = samples
      self.domainMin = domainMin
      self.domainMax = domainMax
    }
  }

  /// A cube of grid points.
  public struct Lattice: Sendable {
    /// Points per side, 2…256.
    public let size: Int
    /// `size`³ × 3, red index fastest.
    public let samples: [Float]
    public let domainMin: SIMD3<Double>
    public let domainMax: SIMD3<Double>

    public init(size: Int, samples: [Float], domainMin: SIMD3<Double> = .zero, domainMax: SIMD3<Double> = .one) {
      precondition(samples.count == size * size * size * 3, "a lattice has size³ points of three samples")
      self.size = size
      self.samples = samples
      self.domainMin = domainMin
      self.domainMax = domainMax
    }
  }

  public let title: String?
  /// Applied first, each channel by itself.
  public let curves: Curves?
  public let lattice: Lattice?
  /// The table reads, or gives, video-range values: 64/1023 stands for 0 and 940/1023 for 1 (Resolve,
  /// `LUT_IN_VIDEO_RANGE`).
  public let inputIsVideoRange: Bool
  public let outputIsVideoRange: Bool
  /// SHA-256 of the file, lower-case hexadecimal; empty for a table that was made in memory.
  public let sha256: String
  /// Oddities that the reader found but could read; each sentence names its line.
  public let warnings: [String]

  public init(
    title: String? = nil, curves: Curves? = nil, lattice: Lattice?, inputIsVideoRange: Bool = false,
    outputIsVideoRange: Bool = false, sha256: String = "", warnings: [String] = []
  ) {
    precondition(curves != nil || lattice != nil, "a table has curves, a lattice or both")
    self.title = title
    self.curves = curves
    self.lattice = lattice
    self.inputIsVideoRange = inputIsVideoRange
    self.outputIsVideoRange = outputIsVideoRange
    self.sha256 = sha256
    self.warnings = warnings
  }
}
