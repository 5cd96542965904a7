import Foundation

/// A place in the machine whose temperature the kernel knows, from `/sys/class/thermal`
/// (Documentation/driver-api/thermal/sysfs-api.rst of the kernel).
public struct ThermalZone: Hashable, Sendable {
  /// `thermal_zone0`.
  public var name: String
  /// The driver's name for it: `x86_pkg_temp`, `cpu-thermal`.
  public var type: String
  public var celsius: Double
  /// The lowest temperature at which the machine slows down (a passive trip point), warns (a hot one) or switches off
  /// (a critical one), if the driver reports one.
  public var limit: Double?

  public init(name: String, type: String, celsius: Double, limit: Double? = nil) {
    self.name = name
    self.type = type
    self.celsius = celsius
    self.limit = limit
  }

  public static let folder = "/sys/class/thermal"

  /// All zones that report a temperature now, sorted by number; may be empty. Any thread; reading a sensor may take
  /// milliseconds.
  public static func all(in folder: String = ThermalZone.folder) -> [ThermalZone] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.compactMap { name -> (Int, ThermalZone)? in
      guard name.hasPrefix("thermal_zone"), let number = Int(name.dropFirst("thermal_zone".count)) else { return nil }
      let place = "\(folder)/\(name)"
      // A sensor that is asleep answers with an error, or with an impossible temperature.
      guard let celsius = degrees("\(place)/temp"), plausible.contains(celsius) else { return nil }
      let type = text("\(place)/type") ?? name
      return (number, ThermalZone(name: name, type: type, celsius: celsius, limit: limit(place)))
    }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// The zone nearest to its limit, and how many degrees are left; negative above the limit.
  ///
  /// - Parameter limit: for all zones, in degrees Celsius; `nil`: each zone's own, leaving out zones without one.
  public static func nearest(to limit: Double?, among zones: [ThermalZone]) -> (zone: ThermalZone, distance: Double)? {
    zones.compactMap { zone in (limit ?? zone.limit).map { (zone, $0 - zone.celsius) } }.min { $0.1 < $1.1 }
  }

  private static let plausible = -60.0...200.0

  private static func limit(_ place: String) -> Double? {
    var lowest: Double?
    var number = 0
    while let type = text("\(place)/trip_point_\(number)_type") {
      defer { number += 1 }
      guard ["passive", "hot", "critical"].contains(type), let celsius = degrees("\(place)/trip_point_\(number)_temp"),
        celsius > 0, plausible.contains(celsius)
      else { continue }
      lowest = min(lowest ?? celsius, celsius)
    }
    return lowest
  }

  /// The kernel reports thousandths of a degree.
  private static func degrees(_ path: String) -> Double? { text(path).flatMap(Double.init).map { $0 / 1000 } }

  private static func text(_ path: String) -> String? {
    (try? String(contentsOfFile: path, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
