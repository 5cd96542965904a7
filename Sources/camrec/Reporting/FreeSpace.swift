import Foundation

/// What is left on the file system of a path.
enum FreeSpace {
  static func bytes(beside path: String) -> Int64? {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    return (try? FileManager.default.attributesOfFileSystem(forPath: folder))?[.systemFreeSize]
      .flatMap { ($0 as? NSNumber)?.int64Value }
  }
}
