import Foundation
import Frames
import Platform

/// How large a file may become on its disk.
public enum FileSizeLimit {
  /// FAT keeps a file's size in 32 bits (Microsoft, "FAT: General Overview of On-Disk Format", DIR_FileSize).
  public static let fat: Int64 = (1 << 32) - 1
  /// The kernel's names for FAT.
  private static let fatNames: Set<Substring> = ["vfat", "msdos"]

  /// The largest size of a file beside `path`, and the reason in words; `nil` if no limit is known.
  public static func bytes(beside path: String) -> (bytes: Int64, reason: String)? {
    var limit = rlimit()
    let isLimited = unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0
    let process = isLimited && limit.rlim_cur < rlim_t(Int64.max) ? Int64(limit.rlim_cur) : .max
    if isOnFAT(path), process > fat { return (fat, "the disk is formatted with FAT, where files stay below 4 GiB") }
    if process < .max { return (process, "this process may not write larger files (ulimit -f)") }
    return nil
  }

  private static func isOnFAT(_ path: String) -> Bool { fileSystem(beside: path).map(fatNames.contains) ?? false }

  /// Whether a file there keeps its inode number when its file system is mounted again. FAT has no such numbers, so the
  /// kernel makes them up.
  public static func hasLastingInodes(beside path: String) -> Bool {
    fileSystem(beside: path).map { !fatNames.union(["exfat"]).contains($0) } ?? true
  }

  private static func fileSystem(beside path: String) -> Substring? {
    var folder = path, entry = stat()
    // A folder that is yet to be made lies where its parent does.
    repeat {
      folder = PathText(folder).folder
    } while unsafe !["", "/"].contains(folder) && stat(folder, &entry) != 0
    guard unsafe stat(folder.isEmpty ? "." : folder, &entry) == 0,
      let mounts = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)
    else { return nil }
    return fileSystem(ofDevice: DiskIdentity.number(UInt64(entry.st_dev)), mounts: mounts)
  }

  /// The kernel's name of the file system on a device.
  ///
  /// - Parameters:
  ///   - device: its numbers: `8:17`.
  ///   - mounts: as proc(5) describes `/proc/[pid]/mountinfo`: the device third, the file system after ` - `.
  package static func fileSystem(ofDevice device: String, mounts: String) -> Substring? {
    for line in mounts.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 2, fields[2] == device, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count else {
        continue
      }
      return fields[dash + 1]
    }
    return nil
  }
}
