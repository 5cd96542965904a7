import Foundation
import Frames
import Platform

/// How much room a file system has, in bytes.
public struct DiskSpace: Hashable, Sendable {
  /// Free for this user.
  public var free: Int64
  /// Free for anybody, root included. It grows at once when something is deleted, even while the part reserved for root
  /// is in use.
  public var unused: Int64
  public var total: Int64

  public init(free: Int64, unused: Int64? = nil, total: Int64) {
    self.free = free
    self.unused = unused ?? free
    self.total = total
  }

  /// From what statvfs(3) reports, in blocks of `blockBytes`. `nil` if that is no real size: a file system without an
  /// answer reports 0 blocks, and one without a limit reports more than any disk has.
  public init?(blocks: UInt64, freeBlocks: UInt64, availableBlocks: UInt64, blockBytes: UInt64) {
    func bytes(_ count: UInt64) -> Int64? {
      let (bytes, isMore) = count.multipliedReportingOverflow(by: blockBytes)
      return isMore || bytes >= DiskSpace.unlimited ? nil : Int64(bytes)
    }
    guard blocks > 0, blockBytes > 0, let total = bytes(blocks), let unused = bytes(freeBlocks),
      let free = bytes(availableBlocks)
    else { return nil }
    self.init(free: free, unused: unused, total: total)
  }

  /// 1 EiB.
  private static let unlimited: UInt64 = 1 << 60
}

/// The room that is left on the file system of a path.
public enum FreeSpace {
  /// The room where `path` lies; `nil` where the system does not say.
  public static func disk(beside path: String) -> DiskSpace? {
    let folder = PathText(path).folder
    var information = statvfs()
    guard unsafe statvfs(folder.isEmpty ? "." : folder, &information) == 0 else { return nil }
    return DiskSpace(
      blocks: UInt64(information.f_blocks), freeBlocks: UInt64(information.f_bfree),
      availableBlocks: UInt64(information.f_bavail), blockBytes: UInt64(information.f_frsize))
  }

  /// Bytes that are free for this user where `path` lies; `nil` where the system does not say.
  public static func bytes(beside path: String) -> Int64? { disk(beside: path)?.free }
}
