public import Foundation
public import Frames

/// Where a film goes: a path, and the container that its extension chooses.
public struct OutputPath: Hashable, Sendable {
  public let path: String
  public let container: Container

  /// Fills in the `strftime` patterns of `pattern` (C11, 7.27.3.5) with the local time of `date`.
  ///
  /// - Throws: code `usage`: the path is empty, too long, or its extension is no container's.
  public init(pattern: String, date: Date) throws(CamrecError) {
    guard !pattern.isEmpty else { throw CamrecError(.usage, "the output has no name; give --output PATH") }
    guard let path = OutputPath.filled(pattern, date) else {
      throw CamrecError(
        .usage, "the output's name is longer than \(OutputPath.longest) bytes; choose a shorter --output")
    }
    let name = (path as NSString).pathExtension.lowercased()
    guard let container = Container(rawValue: name) else {
      let isDirectory =
        (try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType) == .typeDirectory
      throw isDirectory
        ? CamrecError(.output, "'\(path)' is a directory; name a file in it")
        : CamrecError(
          .usage, "the output '\(path)' ends in none of .mov, .mkv and .framemd5, which choose what is written")
    }
    self.path = path
    self.container = container
  }

  /// Tells early what creating the file would tell late. Creates nothing.
  ///
  /// - Throws: code `output`: the path is a directory, exists and may not be replaced, or lies where nothing can be
  ///   created.
  public func check(overwrite: Bool) throws(CamrecError) {
    var isDirectory: ObjCBool = false
    let exists = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
    if isDirectory.boolValue { throw CamrecError(.output, "'\(path)' is a directory; name a file in it") }
    if exists && !overwrite {
      throw CamrecError(
        .output, "'\(path)' exists already; choose another --output or allow replacing it with --overwrite")
    }
    let folder = (path as NSString).deletingLastPathComponent
    // With "/." behind it a file in the directory's place says ENOTDIR.
    let place = exists ? path : (folder.isEmpty ? "" : folder + "/") + "."
    let number = unsafe access(place, exists ? W_OK : W_OK | X_OK) == 0 ? 0 : errno
    switch number {
    case 0: return
    case ENOENT:
      throw CamrecError(.output, "the directory of '\(path)' does not exist; create it or choose another --output")
    case ENOTDIR:
      throw CamrecError(.output, "'\(path)' leads through a file as if it were a directory; choose another --output")
    case EROFS: throw CamrecError(.output, "'\(path)' is on a read-only file system; choose another --output")
    default:
      throw CamrecError(
        .output, "'\(path)' may not be written by this user; choose another --output or change the permissions",
        cause: SystemError.words(for: number))
    }
  }

  /// Whether writing here would write over the file at `other`, be it through a link.
  public func isSameFile(as other: String) -> Bool {
    var here = stat(), there = stat()
    guard unsafe stat(path, &here) == 0, unsafe stat(other, &there) == 0 else { return false }
    return here.st_dev == there.st_dev && here.st_ino == there.st_ino
  }

  /// As PATH_MAX.
  private static let longest = 4096

  private static func filled(_ pattern: String, _ date: Date) -> String? {
    guard pattern.utf8.count < longest else { return nil }
    guard pattern.contains("%") else { return pattern }
    var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
    var fields = unsafe tm()
    guard unsafe localtime_r(&seconds, &fields) != nil else { return nil }
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: longest) { buffer in
      guard let base = buffer.baseAddress else { return nil }
      let count = unsafe strftime(base, longest, pattern, &fields)
      guard count > 0 else { return nil }
      return unsafe String(
        decoding: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]), as: UTF8.self)
    }
  }
}
