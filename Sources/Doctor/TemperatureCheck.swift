import Frames

/// How far the machine is from the temperatures at which it slows down or switches off
/// (Documentation/driver-api/thermal of Linux: `thermal_zone*/temp` and `trip_point_*`, in thousandths of a degree).
public struct TemperatureCheck: DoctorCheck {
  /// Warns this many degrees below a trip point: recording warms an idle rig by about as much.
  static let margin = 15.0

  private let files: SystemFiles

  public init(files: SystemFiles = SystemFiles()) { self.files = files }

  private struct Zone {
    let name: String
    let degrees: Double
    /// The lowest trip point that slows the machine down, and the one that switches it off.
    let passive: Double?
    let critical: Double?
  }

  public func findings() -> [DoctorFinding] {
    let zones = files.names(in: files.sys + "/class/thermal").filter { $0.hasPrefix("thermal_zone") }.compactMap(zone)
    guard !zones.isEmpty else {
      return [DoctorFinding("temperature", .ok, "the kernel finds no thermometer in this machine")]
    }
    return zones.map(finding)
  }

  private func zone(_ name: String) -> Zone? {
    let folder = "\(files.sys)/class/thermal/\(name)"
    guard let degrees = files.number(folder + "/temp"), let type = files.text(folder + "/type") else { return nil }
    var passive: Double?, critical: Double?
    for file in files.names(in: folder) where file.hasPrefix("trip_point_") && file.hasSuffix("_type") {
      let point = String(file.dropLast("type".count))
      // A trip point of 0 or below is not set.
      guard let trip = files.number("\(folder)/\(point)temp"), trip > 0 else { continue }
      switch files.text("\(folder)/\(file)") {
      case "passive", "hot": passive = min(passive ?? .infinity, trip / 1000)
      case "critical": critical = min(critical ?? .infinity, trip / 1000)
      default: break
      }
    }
    return Zone(name: type, degrees: degrees / 1000, passive: passive, critical: critical)
  }

  private func finding(_ zone: Zone) -> DoctorFinding {
    let figures = ["degrees": zone.degrees, "passiveDegrees": zone.passive, "criticalDegrees": zone.critical]
      .compactMapValues { $0 }
    let (limit, does) = zone.passive.map { ($0, "slows down") } ?? (zone.critical ?? .infinity, "switches off")
    let now = "\(zone.name) is at \(DoctorText.number(zone.degrees)) °C"
    guard limit.isFinite else {
      return DoctorFinding("temperature", .ok, "\(now); its limit is not known", figures: figures)
    }
    let sentence = "\(now); the machine \(does) at \(DoctorText.number(limit)) °C"
    let remedy: Sentence =
      "improve the cooling, or reduce the load: a smaller \(setting: .size) or a lower \(setting: .fps)"
    if zone.degrees >= limit {
      return DoctorFinding("temperature", .failure, sentence, remedy: remedy, figures: figures)
    }
    if zone.degrees >= limit - TemperatureCheck.margin {
      return DoctorFinding("temperature", .warning, sentence, remedy: remedy, figures: figures)
    }
    return DoctorFinding("temperature", .ok, sentence, figures: figures)
  }
}
