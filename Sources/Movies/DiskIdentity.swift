import Foundation
import Frames
import Platform

/// Identifies a disk while the system runs, by its device and the UUID of its file system. All subvolumes of a btrfs
/// pool share one identity.
public enum DiskIdentity {
  private static let identities = "/dev/disk/by-uuid"

  /// `8:17-2f6c…`; the device alone if the file system has no UUID, or if the system does not list it. `nil` if
  /// `folder` does not exist.
  public static func of(folder: String) -> String? {
    guard let file = try? OpenFile.open(folder, O_RDONLY | O_DIRECTORY) else { return nil }
    defer { close(file) }
    // By its mount, not by `st_dev`: each subvolume has a number of its own, which appears nowhere else.
    guard let information = try? String(contentsOfFile: "/proc/self/fdinfo/\(file)", encoding: .utf8),
      let mounts = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8),
      let mount = mount(information: information, mounts: mounts)
    else { return nil }
    let device = blockDevice(mount.source) ?? mount.device
    for name in ((try? FileManager.default.contentsOfDirectory(atPath: identities)) ?? []).sorted()
    where blockDevice("\(identities)/\(name)") == device { return "\(device)-\(name)" }
    return device
  }

  /// The file system of an open file: its device, and what is mounted.
  ///
  /// - Parameters:
  ///   - information: as proc(5) describes `/proc/[pid]/fdinfo`.
  ///   - mounts: as it describes `/proc/[pid]/mountinfo`: the mount's number first, the device third, the source second
  ///     after ` - `.
  package static func mount(information: String, mounts: String) -> (device: String, source: String)? {
    guard let line = information.split(separator: "\n").first(where: { $0.hasPrefix("mnt_id:") }),
      let number = line.split(whereSeparator: \.isWhitespace).last
    else { return nil }
    for line in mounts.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 2, fields[0] == number, let dash = fields.firstIndex(of: "-"), dash + 2 < fields.count else {
        continue
      }
      return (String(fields[2]), String(fields[dash + 2]))
    }
    return nil
  }

  private static func blockDevice(_ path: String) -> String? {
    var entry = stat()
    guard path.hasPrefix("/"), unsafe stat(path, &entry) == 0, entry.st_mode & S_IFMT == S_IFBLK else { return nil }
    return number(UInt64(entry.st_rdev))
  }

  /// As glibc's makedev: 12 bits of the major number, and 8 and 12 of the minor one.
  package static func number(_ device: UInt64) -> String {
    "\((device >> 8) & 0xfff):\((device & 0xff) | ((device >> 12) & 0xfff00))"
  }
}
