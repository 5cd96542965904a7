public import Frames

/// What the codes of a picture mean as it is shown, as numbers: those of ITU-T H.273 where it has one, and camrec's own
/// from 128 on.
public struct MonitorColors: Hashable, Sendable {
  /// Matrix coefficients: 0 for R'G'B', 1 Rec. 709, 6 Rec. 601, 9 Rec. 2020.
  public var matrix: UInt8
  /// 0 limited, 1 full.
  public var range: UInt8
  /// Transfer characteristics: 1 Rec. 709, 2 unspecified, 8 linear, 13 sRGB, 16 PQ, 18 HLG; camrec's own are logs.
  public var transfer: UInt8
  /// Colour primaries: 1 Rec. 709, 2 unspecified, 5 BT.470 B and G, 6 SMPTE 170M, 9 Rec. 2020, 12 Display P3; camrec's
  /// own are the gamuts of cameras.
  public var primaries: UInt8

  public init(matrix: UInt8, range: UInt8, transfer: UInt8, primaries: UInt8) {
    self.matrix = matrix
    self.range = range
    self.transfer = transfer
    self.primaries = primaries
  }

  /// Nothing is known, as in a text.
  public static let unspecified = MonitorColors(matrix: 2, range: 0, transfer: 2, primaries: 2)

  public init(_ color: ColorDescription) {
    self.init(
      matrix: color.matrix.monitorNumber, range: color.range == .full ? 1 : 0, transfer: color.transfer.monitorNumber,
      primaries: color.primaries.monitorNumber)
  }

  /// Of R'G'B' values of full range, as in a PNG.
  public static func rgb(_ transfer: TransferCharacteristic, _ primaries: ColorPrimaries) -> MonitorColors {
    MonitorColors(
      matrix: 0, range: 1, transfer: transfer.monitorNumber, primaries: primaries.monitorNumber)
  }

  /// `nil` for R'G'B', and for a matrix or a range that this version does not know.
  public var description: ColorDescription? {
    guard let matrix = ColorMatrix.allCases.first(where: { $0.monitorNumber == matrix }), range <= 1 else { return nil }
    return ColorDescription(
      matrix: matrix, range: range == 1 ? .full : .limited,
      transfer: transferCharacteristic, primaries: colorPrimaries)
  }

  /// `unspecified` for a number that this version does not know.
  public var transferCharacteristic: TransferCharacteristic {
    TransferCharacteristic.allCases.first { $0.monitorNumber == transfer } ?? .unspecified
  }

  /// `unspecified` for a number that this version does not know.
  public var colorPrimaries: ColorPrimaries {
    ColorPrimaries.allCases.first { $0.monitorNumber == primaries } ?? .unspecified
  }
}

extension ColorMatrix {
  /// ITU-T H.273, table 4.
  public var monitorNumber: UInt8 {
    switch self {
    case .rec709: 1
    case .rec601: 6
    case .rec2020: 9
    }
  }
}

extension TransferCharacteristic {
  /// ITU-T H.273, table 3; camrec's own from 128 on.
  public var monitorNumber: UInt8 {
    switch self {
    case .rec709: 1
    case .unspecified: 2
    case .linear: 8
    case .srgb: 13
    case .pq: 16
    case .hlg: 18
    case .appleLog: 128
    case .slog3: 129
    case .vlog: 130
    case .logC3: 131
    case .logC4: 132
    case .fLog2: 133
    case .cLog3: 134
    }
  }
}

extension ColorPrimaries {
  /// ITU-T H.273, table 2; camrec's own from 128 on.
  public var monitorNumber: UInt8 {
    switch self {
    case .rec709: 1
    case .unspecified: 2
    case .bt470bg: 5
    case .smpte170m: 6
    case .rec2020: 9
    case .displayP3: 12
    case .sGamut3Cine: 128
    case .vGamut: 129
    case .alexaWideGamut: 130
    case .alexaWideGamut4: 131
    case .cinemaGamut: 132
    }
  }
}
