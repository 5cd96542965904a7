import Foundation

/// A photographic scale in thirds of a stop, as cameras print it.
///
/// The printed values are rounded for the dial: 1/60 and 1/50 are only 0.26 EV apart when taken to the letter.
/// Neighbours are exactly 1/3 EV apart by their index, and an entry's exact value follows from the one entry that is
/// printed exactly, the anchor: `anchor.value · 2^((index − anchor.index) / 3)`.
public protocol ThirdStopScale: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Every entry as it is printed, from less light to more; an entry's index is its place here.
  static var names: [String] { get }
  /// The entry whose printed value is the exact one.
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

  /// As cameras print it.
  public var name: String { Self.names[index] }
  public var description: String { name }

  /// The value that stands exactly 1/3 EV from its neighbours', in the scale's unit.
  public var exactValue: Double { Self.anchor.value * exp2(Double(index - Self.anchor.index) / 3) }

  /// The entry that is nearest to `value` in EV, judged by the exact values. Where two are equally near, the one that
  /// gives more light; beyond an end of the scale, that end.
  ///
  /// - Returns: `nil` unless `value`, in the scale's unit, is a finite number greater than zero.
  public static func nearest(to value: Double) -> Self? {
    guard value > 0, value.isFinite else { return nil }
    // Bounded before it becomes an integer; the logarithm of any such value is.
    let place = (Double(anchor.index) + 3 * log2(value / anchor.value)).rounded(.toNearestOrAwayFromZero)
    return Self(index: Int(min(max(place, 0), Double(names.count - 1))))
  }

  /// How much lighter `other` is: positive towards the end of the scale.
  public func distance(to other: Self) -> ThirdStops { ThirdStops(other.index - index) }

  /// The entry that lies so far away, or the end of the scale where that lies beyond it.
  public func moved(by distance: ThirdStops) -> Self {
    Self(index: min(max(index + distance.count, 0), Self.names.count - 1))
  }

  public static func < (a: Self, b: Self) -> Bool { a.index < b.index }
}
