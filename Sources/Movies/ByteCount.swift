import Foundation

/// A byte count for display: `38.4 MB`, in powers of ten.
package struct ByteCount: CustomStringConvertible {
  package let bytes: Int64
  package init(_ bytes: Int64) { self.bytes = bytes }

  package var description: String {
    switch bytes {
    case 1_000_000_000...: String(format: "%.2f GB", Double(bytes) / 1e9)
    case 1_000_000...: String(format: "%.1f MB", Double(bytes) / 1e6)
    case 1000...: String(format: "%.1f kB", Double(bytes) / 1e3)
    default: "\(bytes) bytes"
    }
  }
}
