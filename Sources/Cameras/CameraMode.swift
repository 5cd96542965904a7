public import Frames

/// A pixel format that a camera offers, and how its pictures get into the bake.
public struct OfferedFormat: Hashable, Sendable {
  /// In the order in which camrec prefers them where nothing is asked for.
  public enum Route: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// The bake reads it as it is.
    case direct
    /// Uncompressed; repacked first.
    case repacked
    /// JPEG pictures.
    case decoded
    /// A vendor's format, by the system's converter.
    case vendor
    /// Uncompressed and gray.
    case gray
    /// Nothing here reads it.
    case unreadable

    public static func < (a: Route, b: Route) -> Bool { a.rawValue < b.rawValue }
  }

  /// The driver's code.
  public let code: FourCC
  /// What `--pixel-format` calls it: the first is shown, all are understood. Lower case.
  public let names: [String]
  public let route: Route

  /// - Precondition: there is a name.
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
