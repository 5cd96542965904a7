package import RecorderAPI
import Reporting

extension LookIdentity {
  /// EXIF's Software of a still with this look: `camrec 0.2.0, look portra-400, version 1, grain seed 1`.
  package var software: String { "camrec \(Product.version), look \(words)" }

  /// The look that a still has, from its Software: `portra-400, version 1, grain seed 1`; `nil` for one without.
  package static func stated(in software: String) -> String? {
    let parts = software.split(separator: ", look ", maxSplits: 1)
    guard parts.count == 2, parts[0].hasPrefix("camrec ") else { return nil }
    return String(parts[1])
  }
}
