import Foundation

/// What is left on the file system of a path.
public enum FreeSpace {
  /// Bytes that are free for this user where `path` lies; `nil` where the system does not say.
  public static func bytes(beside path: String) -> Int64? {
    let folder = (path as NSString).deletingLastPathComponent
    var information = statvfs()
    guard unsafe statvfs(folder.isEmpty ? "." : folder, &information) == 0 else { return nil }
    // Some file systems have more than there are numbers.
    let (bytes, isMore) = UInt64(information.f_bavail).multipliedReportingOverflow(by: UInt64(information.f_frsize))
    return isMore ? .max : Int64(clamping: bytes)
  }
}
