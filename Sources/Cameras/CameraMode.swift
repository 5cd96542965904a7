public import Frames

/// A pixel format that a camera offers, and how its frames reach the bake.
public struct OfferedFormat: Hashable, Sendable {
  /// In camrec's order of preference, used when no format is requested.
  public enum Route: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// The bake reads it directly.
    case direct
    /// Uncompressed; repacked first.
    case repacked
    /// JPEG frames.
    case decoded
    /// A vendor's format, decoded by the system's converter.
    case vendor
    /// Uncompressed and gray.
    case gray
    /// camrec cannot read it.
    case unreadable

    public static func < (a: Route, b: Route) -> Bool { a.rawValue < b.rawValue }
  }

  /// The driver's code.
  public let code: FourCC
  /// The names for `--pixel-format`, in lower case: the first is shown, all are accepted.
  public let names: [String]
  public let route: Route

  /// - Precondition: `names` is not empty.
  public init(code: FourCC, names: [String], route: Route) {
    precondition(!names.isEmpty, "a pixel format has a name")
    self.code = code
    self.names = names
    self.route = route
  }

  public var name: String { names[0] }
}

/// One pixel format at one size, with its rates.
public struct CameraMode: Hashable, Sendable {
  public let format: OfferedFormat
  public let size: PictureSize
  public let rates: RateOffer

  public init(format: OfferedFormat, size: PictureSize, rates: RateOffer) {
    self.format = format
    self.size = size
    self.rates = rates
  }
}
