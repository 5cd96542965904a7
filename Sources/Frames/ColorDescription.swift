/// What the code values of a frame mean. Pixels never travel without it.
public struct ColorDescription: Hashable, Sendable {
  public var matrix: ColorMatrix
  public var range: ColorRange
  public var transfer: TransferCharacteristic
  public var primaries: ColorPrimaries

  public init(
    matrix: ColorMatrix, range: ColorRange, transfer: TransferCharacteristic, primaries: ColorPrimaries
  ) {
    self.matrix = matrix
    self.range = range
    self.transfer = transfer
    self.primaries = primaries
  }

  public static let rec709 = ColorDescription(matrix: .rec709, range: .limited, transfer: .rec709, primaries: .rec709)
  public static let rec601 = ColorDescription(
    matrix: .rec601, range: .limited, transfer: .rec709, primaries: .smpte170m)
  public static let rec2020 = ColorDescription(
    matrix: .rec2020, range: .limited, transfer: .rec709, primaries: .rec2020)
  public static let appleLog = ColorDescription(
    matrix: .rec2020, range: .limited, transfer: .appleLog, primaries: .rec2020)
  public static let slog3 = cameraLog(.slog3, .sGamut3Cine)
  public static let vlog = cameraLog(.vlog, .vGamut)
  public static let logC3 = cameraLog(.logC3, .alexaWideGamut)
  public static let logC4 = cameraLog(.logC4, .alexaWideGamut4)
  public static let fLog2 = cameraLog(.fLog2, .rec2020)
  public static let cLog3 = cameraLog(.cLog3, .cinemaGamut)

  /// The cameras' log curves, each with its maker's primaries.
  public static let logs = [appleLog, slog3, vlog, logC3, logC4, fLog2, cLog3]

  private static func cameraLog(_ transfer: TransferCharacteristic, _ primaries: ColorPrimaries) -> ColorDescription {
    ColorDescription(matrix: .rec709, range: .limited, transfer: transfer, primaries: primaries)
  }
}

/// The Y'CbCr matrix, by the luma coefficients of its standard (BT.601-7, BT.709-6, BT.2020-2 non-constant luminance).
public enum ColorMatrix: String, Hashable, Sendable, CaseIterable {
  case rec601, rec709, rec2020
}

/// `limited`: luma 16…235 and chroma 16…240 of 8 bits (scaled by 2ⁿ⁻⁸); `full`: 0…2ⁿ−1.
public enum ColorRange: String, Hashable, Sendable, CaseIterable {
  case limited, full
}

/// The transfer function that the R'G'B' values are coded with.
public enum TransferCharacteristic: String, Hashable, Sendable, CaseIterable {
  case rec709, srgb, linear, appleLog = "apple-log", slog3, vlog, logC3 = "logc3", logC4 = "logc4"
  case fLog2 = "flog2", cLog3 = "clog3", pq, hlg
  /// Not known.
  case unspecified
}

/// The chromaticities of the primaries and the white point.
public enum ColorPrimaries: String, Hashable, Sendable, CaseIterable {
  case rec709, smpte170m, bt470bg, rec2020, displayP3 = "display-p3"
  case sGamut3Cine = "s-gamut3.cine", vGamut = "v-gamut", alexaWideGamut = "alexa-wide-gamut"
  case alexaWideGamut4 = "alexa-wide-gamut-4", cinemaGamut = "cinema-gamut"
  case unspecified
}
