package import Frames

/// A file's SHA-256 as people write it down: 64 hexadecimal digits.
package struct FileDigest: Hashable, Sendable, CustomStringConvertible {
  /// In lower case.
  package let description: String

  /// - Throws: code `usage`.
  package init(parsing text: String) throws(CamrecError) {
    guard text.utf8.count == 64, text.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
      throw CamrecError(.usage, "a SHA-256 has 64 hexadecimal digits; sha256sum prints a file's")
    }
    description = text.lowercased()
  }
}
