/// A distance on a third-stop scale, counted in thirds of an EV.
///
/// Distances are whole numbers, so that ranges add up and compare exactly: 24 thirds are 8 EV.
public struct ThirdStops: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Thirds of an EV; negative towards darker.
  public let count: Int

  public init(_ count: Int) { self.count = count }

  public var ev: Double { Double(count) / 3 }

  /// As a light meter writes it: `8`, `7⅓`, `−⅔`.
  public var description: String {
    let whole = count.magnitude / 3, rest = ["", "⅓", "⅔"][Int(count.magnitude % 3)]
    return (count < 0 ? "−" : "") + (whole > 0 || rest.isEmpty ? "\(whole)" : "") + rest
  }

  public static func < (a: ThirdStops, b: ThirdStops) -> Bool { a.count < b.count }
}
