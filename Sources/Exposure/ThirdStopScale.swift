import Foundation

/// A photographic scale in thirds of an EV, as cameras show it.
///
/// The shown values are rounded for the dial: taken literally, 1/60 and 1/50 are only 0.26 EV apart. By their index,
/// neighbours are exactly 1/3 EV apart. An entry's exact value follows from the anchor, the entry that is shown
/// exactly: `anchor.value · 2^((index − anchor.index) / 3)`.
public protocol ThirdStopScale: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Every entry as it is shown, from less light to more; an entry's index is its place here.
  static var names: [String] { get }
  /// The entry whose shown value is exact.
  static var anchor: (index: Int, value: Double) { get }

  var index: Int { get }
  /// - Precondition: `index` is one of `names`.
  init(index: Int)
}

extension ThirdStopScale {
  /// Every entry, by index.
  public static var all: [Self] { names.indices.map(Self.init(index:)) }

  public static var first: Self { Self(index: 0) }
  public static var last: Self { Self(index: names.count - 1) }

  /// The entry as cameras show it.
  public var name: String { Self.names[index] }
  public var description: String { name }

  /// The value exactly 1/3 EV from its neighbours', in the scale's unit.
  public var exactValue: Double { Self.anchor.value * exp2(Double(index - Self.anchor.index) / 3) }

  /// The entry nearest to `value` in EV, by the exact values. Of two equally near, the one that gives more light;
  /// beyond an end of the scale, that end.
  ///
  /// - Returns: `nil` unless `value`, in the scale's unit, is a finite number greater than zero.
  public static func nearest(to value: Double) -> Self? {
    guard value > 0, value.isFinite else { return nil }
    // Safe to convert to an integer: the logarithm of any such value is bounded.
    let place = (Double(anchor.index) + 3 * log2(value / anchor.value)).rounded(.toNearestOrAwayFromZero)
    return Self(index: Int(min(max(place, 0), Double(names.count - 1))))
  }

  /// How much more light `other` gives: positive towards the end of the scale.
  public func distance(to other: Self) -> ThirdStops { ThirdStops(other.index - index) }

  /// The entry at this distance, or the end of the scale if that is beyond it.
  public func moved(by distance: ThirdStops) -> Self {
    Self(index: min(max(index + distance.count, 0), Self.names.count - 1))
  }

  public static func < (a: Self, b: Self) -> Bool { a.index < b.index }
}
