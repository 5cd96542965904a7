import Glibc

/// By what a file is known again that is too large to be read once more: its size and the time of its last change.
struct FileState: Hashable, Sendable, Codable {
  /// `none` where it cannot be looked at.
  let text: String

  init(_ path: String) {
    var facts = stat()
    let isThere = unsafe stat(path, &facts) == 0
    text = isThere ? "\(facts.st_size) \(facts.st_mtim.tv_sec).\(facts.st_mtim.tv_nsec)" : "none"
  }
}
