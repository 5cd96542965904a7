import Foundation

/// Times as people read them at a glance.
package enum TimeText {
  /// `0:01:23`.
  package static func clock(_ seconds: Double) -> String {
    let whole = Int(min(max(seconds.isNaN ? 0 : seconds, 0), 1e12))
    return String(format: "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60)
  }

  /// An exposure time: `1/48 s`, `1/59.9 s`, `0.5 s`.
  package static func exposure(_ seconds: Double) -> String {
    guard seconds > 0, seconds < 0.3 else { return "\(NumberText.short(seconds.isFinite ? max(0, seconds) : 0)) s" }
    let inverse = 1 / seconds
    let isWhole = abs(inverse - inverse.rounded()) < max(0.05, inverse * 0.0005)
    return String(format: isWhole ? "1/%.0f s" : "1/%.1f s", inverse)
  }

  /// `45 s`, `30 min`, `3:12 h`, `12 h`, `3 days`.
  package static func span(_ seconds: Double) -> String {
    let whole = Int(min(max(seconds.isNaN ? 0 : seconds, 0), 1e12)), minutes = whole / 60, hours = minutes / 60
    switch whole {
    case ..<120: return "\(whole) s"
    case ..<7200: return "\(minutes) min"
    case ..<36000: return String(format: "%d:%02d h", hours, minutes % 60)
    case ..<172_800: return "\(hours) h"
    default: return "\(hours / 24) days"
    }
  }
}
