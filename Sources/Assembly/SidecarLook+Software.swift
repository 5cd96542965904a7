import Reporting
package import Sidecar

extension SidecarLook {
  /// EXIF's Software of a still with this look: `camrec 0.2.0, look portra-400, version 1, grain seed 1`.
  package var software: String { "camrec \(Product.version), look \(words)" }
}
