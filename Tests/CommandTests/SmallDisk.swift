import Foundation
import TestKit

/// A file system of a few megabytes in memory, for tests that fill one.
final class SmallDisk {
  let url: URL

  /// Whether this user may mount one.
  static let isAvailable = (try? SmallDisk(megabytes: 1)) != nil

  init(megabytes: Int) throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-disk-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    do {
      try Tool.run(["mount", "-t", "tmpfs", "-o", "size=\(megabytes)m,mode=0755", "tmpfs", url.path])
    } catch {
      try? FileManager.default.removeItem(at: url)
      throw error
    }
  }

  deinit {
    // What still runs there would hold it.
    _ = try? Tool.run(["umount", "--lazy", url.path])
    try? FileManager.default.removeItem(at: url)
  }

  /// Without those that are hidden.
  func names(_ suffix: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") }
      .sorted()
  }

  /// Writes a file that takes all room but so many bytes.
  func fill(leaving bytes: Int) throws {
    let free = try FileManager.default.attributesOfFileSystem(forPath: url.path)[.systemFreeSize] as? Int ?? 0
    try Data(count: max(0, free - bytes)).write(to: url.appendingPathComponent("filler"))
  }

  /// Makes the disk as small as what is on it and so many bytes, at once.
  func shrink(leaving bytes: Int) throws {
    for _ in 0..<100 {
      let facts = try FileManager.default.attributesOfFileSystem(forPath: url.path)
      let used = (facts[.systemSize] as? Int ?? 0) - (facts[.systemFreeSize] as? Int ?? 0)
      // It is refused where more was written since.
      if (try? resize(to: "\(used + bytes)")) != nil { return }
    }
    throw NotShrunk()
  }

  struct NotShrunk: Error {}

  /// - Parameter size: as mount(8) has it: `60m`.
  func resize(to size: String) throws { try Tool.run(["mount", "-o", "remount,size=\(size)", url.path]) }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}
