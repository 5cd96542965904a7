import Foundation

/// Identifies a file that is too large to read again, by its size and the time of its last change.
package struct FileState: Hashable, Sendable, Codable {
  /// `none` if the file cannot be examined.
  package let text: String

  package init(_ path: String) {
    var facts = stat()
    let isThere = unsafe stat(path, &facts) == 0
    text = isThere ? "\(facts.st_size) \(facts.st_mtim.tv_sec).\(facts.st_mtim.tv_nsec)" : "none"
  }
}
