import Foundation
import TestKit

/// A file system of some kind in a file, mounted for a test.
final class ImageDisk {
  let url: URL
  private let image: URL

  /// Those that this user can make and mount here, by the names of their `mkfs` programs.
  static let available = ["ext4", "xfs", "btrfs", "vfat"].filter { (try? ImageDisk($0)) != nil }

  init(_ kind: String) throws {
    let place = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-disk-\(UUID().uuidString)")
    url = place
    image = place.appendingPathExtension("img")
    do {
      // The least that XFS takes; a hole until it is used.
      try Tool.run(["truncate", "-s", "320M", image.path])
      try Tool.run(["mkfs.\(kind)", image.path])
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try Tool.run(["mount", "-o", "loop", image.path, url.path])
    } catch {
      try? FileManager.default.removeItem(at: url)
      try? FileManager.default.removeItem(at: image)
      throw error
    }
  }

  deinit {
    // What still runs there would hold it.
    _ = try? Tool.run(["umount", "--lazy", url.path])
    try? FileManager.default.removeItem(at: url)
    try? FileManager.default.removeItem(at: image)
  }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: url.path).filter { $0.hasPrefix("take") || $0.hasPrefix("b") }
        .sorted()
    }
  }
}
