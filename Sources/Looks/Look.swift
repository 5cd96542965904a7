public import Color
public import Frames

/// How pictures are made to look: exposure, a tone curve, a table of colours, desaturation of highlights, and grain. A
/// LUT can hold all but the grain. `LookChain` applies it.
///
/// Documentation/Looks.md describes the file that it is read from (`LookFile`).
public struct Look: Sendable {
  /// How highlights lose colour, by luma.
  public struct Desaturation: Hashable, Sendable {
    /// The luma of encoded Display P3 where it begins, 0…1.
    public let from: Double
    /// The luma where it is full, above `from`, up to 1.
    public let to: Double
    /// 0: nothing; 1: grey.
    public let amount: Double

    public init(from: Double, to: Double, amount: Double) {
      self.from = from
      self.to = to
      self.amount = amount
    }

    /// How far each channel moves towards luma where the luma is this: amount · t² · (3 − 2t), with t = (luma − from) /
    /// (to − from) within 0…1.
    public func share(luma: Double) -> Double {
      let t = min(max((luma - from) / (to - from), 0), 1)
      return amount * t * t * (3 - 2 * t)
    }
  }

  /// The film's grain.
  public struct Grain: Hashable, Sendable {
    /// Twice its greatest sigma, as a part of the signal, 0…1.
    public let intensity: Double
    /// The sigma of its blur, as a part of the picture's shorter side: 1/3000.
    public let size: Rational

    public init(intensity: Double, size: Rational) {
      self.intensity = intensity
      self.size = size
    }
  }

  /// Where a look comes from.
  public struct Derivation: Hashable, Sendable {
    /// The command that makes the look file and its table.
    public let command: String
    public let sources: [String]

    public init(command: String, sources: [String]) {
      self.command = command
      self.sources = sources
    }
  }

  /// As `--look` names it: lower-case letters, digits and hyphens.
  public let name: String
  /// The look's own version, from 1.
  public let version: Int
  /// What people call it.
  public let title: String
  public let derivation: Derivation
  /// EV, −10…10.
  public let exposure: Double
  public let curve: ToneCurve
  /// From encoded Display P3 to encoded Display P3, `tableSize` points per side, for inputs from 0 to 1.
  public let table: LookupTable.Lattice
  /// SHA-256 of the table's file, lower-case hexadecimal.
  public let tableSHA256: String
  public let desaturation: Desaturation
  public let grain: Grain

  /// Points per side of a look's table.
  public static let tableSize = 64

  public init(
    name: String, version: Int, title: String, derivation: Derivation, exposure: Double, curve: ToneCurve,
    table: LookupTable.Lattice, tableSHA256: String, desaturation: Desaturation, grain: Grain
  ) {
    self.name = name
    self.version = version
    self.title = title
    self.derivation = derivation
    self.exposure = exposure
    self.curve = curve
    self.table = table
    self.tableSHA256 = tableSHA256
    self.desaturation = desaturation
    self.grain = grain
  }
}
