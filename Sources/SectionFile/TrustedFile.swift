public import Frames
public import Foundation
import Platform

/// Reads a whole file that nobody else can have written.
///
/// A rig file, a hook's program and saved settings decide what camrec does as its own user, while nobody watches:
/// whoever can write or replace such a file can make camrec write anywhere. So the file and every folder above it must
/// belong to this user or to root, and neither the group nor others may write them. In a folder with the sticky bit,
/// such as /tmp, nobody can replace others' files.
public enum TrustedFile {
  /// - Parameters:
  ///   - limit: its size in bytes, at most.
  ///   - user: who may own the file, besides root.
  /// - Throws: code `input`: the file is missing, not a regular file, too large, cannot be read, or can be written by
  ///   others, with the command that fixes this.
  public static func read(
    path: String, limit: Int, user: uid_t = geteuid()
  ) throws(CamrecError) -> [UInt8] {
    // Without waiting for the other end of a pipe.
    let descriptor: Int32
    do throws(SystemCallError) { descriptor = try OpenFile.open(path, O_RDONLY | O_NONBLOCK) } catch {
      throw CamrecError(.input, "'\(path)' cannot be opened", cause: error.words)
    }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    try SystemCall.perform("fstat", or: .input, "'\(path)' cannot be examined") {
      unsafe fstat(descriptor, &status)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      let what = status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "a device, pipe or socket"
      throw CamrecError(.input, "'\(path)' is \(what), not a file")
    }
    if let sentence = trouble(path: path, status: status, user: user) { throw CamrecError(.input, sentence) }
    let bytes: [UInt8]
    do {
      bytes = Array(try file.read(upToCount: limit + 1) ?? Data())
    } catch {
      throw CamrecError(.input, "'\(path)' cannot be read", cause: error.localizedDescription)
    }
    guard bytes.count <= limit else {
      throw CamrecError(.input, "'\(path)' is larger than \(limit) bytes; this is probably the wrong file")
    }
    return bytes
  }

  /// Who else could have written it, with the remedy; `nil`: nobody.
  public static func trouble(path: String, user: uid_t = geteuid()) -> String? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return trouble(path: path, status: status, user: user)
  }

  private static func trouble(path: String, status: stat, user: uid_t) -> String? {
    let real = PathText(path).resolved
    if let sentence = trouble(of: "'\(path)'", at: real, status, user) { return sentence }
    var folder = real
    while folder != "/" {
      folder = PathText(folder).folder
      var status = stat()
      guard unsafe stat(folder, &status) == 0 else { return nil }
      if status.st_mode & S_ISVTX != 0 { continue }
      if let sentence = trouble(of: "the folder '\(folder)' of '\(path)'", at: folder, status, user) { return sentence }
    }
    return nil
  }

  private static func trouble(of what: String, at path: String, _ status: stat, _ user: uid_t) -> String? {
    let quoted = "'\(path.replacing("'", with: "'\\''"))'"
    if status.st_uid != user, status.st_uid != 0 {
      return "\(what) belongs to user \(status.st_uid), who could change what camrec does as user \(user);"
        + " run: chown \(user) \(quoted)"
    }
    let others = status.st_mode & S_IWOTH != 0 ? "anybody" : (status.st_mode & S_IWGRP != 0 ? "its group" : nil)
    return others.map {
      "\(what) can be written by \($0), who could change what camrec does; run: chmod go-w \(quoted)"
    }
  }
}
