import CFFmpeg
import Foundation
import Frames
import Glibc
import Movies
import Synchronization

/// The file under a muxer: created without overwriting, written through, cut back to what is whole after a failure.
///
/// Thread: one at a time; `size` from any.
///
/// `@unchecked Sendable`: everything but the atomic `size` is touched by the one thread that writes.
final class MovieFile: @unchecked Sendable {
  /// The file's own name, also where it was opened through a link; `nil` before it has one.
  private var path: String?
  private let descriptor: Int32
  private(set) var output: UnsafeMutablePointer<AVIOContext>?
  /// The first system error of a write, 0 while all went well.
  private(set) var failure: Int32 = 0
  private let highest = Atomic<Int64>(0)
  private var position: Int64 = 0

  /// Bytes of the file so far.
  var size: Int64 { highest.load(ordering: .relaxed) }

  /// Creates `path`; an existing file is replaced only with `overwrite`.
  ///
  /// - Throws: code `output`.
  convenience init(path: String, overwrite: Bool) throws(CamrecError) {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC
    var descriptor = Glibc.open(path, flags | O_EXCL, 0o666)
    if descriptor < 0, errno == EEXIST, overwrite { descriptor = Glibc.open(path, flags | O_TRUNC, 0o666) }
    guard descriptor >= 0 else {
      let number = errno
      var information = stat()
      let isDirectory = stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
      throw OutputPath.refusal(path, isDirectory ? EISDIR : number)
    }
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      Glibc.close(descriptor)
      throw OutputPath.notAFile(path)
    }
    try self.init(descriptor, path: MovieFile.resolved(path))
  }

  /// Creates a file in `directory` that has no name, so that nothing is left of it unless it takes one; where the file
  /// system has no such files, a hidden one.
  ///
  /// - Throws: code `output`.
  convenience init(temporaryIn directory: String) throws(CamrecError) {
    // O_TMPFILE, a macro that Swift does not import (open(2)).
    let descriptor = Glibc.open(directory, 0o20000000 | O_DIRECTORY | O_RDWR | O_CLOEXEC, 0o666)
    if descriptor < 0 {
      try self.init(path: MovieFile.temporaryName(in: directory), overwrite: false)
    } else {
      try self.init(descriptor, path: nil)
    }
  }

  private init(_ descriptor: Int32, path: String?) throws(CamrecError) {
    self.path = path
    self.descriptor = descriptor
    let bufferSize: Int32 = 1 << 16
    if let buffer = av_malloc(Int(bufferSize)) {
      output = CFFmpeg_openOutput(
        buffer.assumingMemoryBound(to: UInt8.self), bufferSize, Unmanaged.passUnretained(self).toOpaque(),
        { file, bytes, count in MovieFile.at(file).write(bytes, Int(count)) },
        { file, offset, whence in MovieFile.at(file).seek(offset, whence) })
      if output == nil { av_free(buffer) }
    }
    guard output != nil else {
      discard()
      throw CamrecError(.defect, "no memory for writing a movie's file")
    }
  }

  deinit {
    if let output {
      av_free(output.pointee.buffer)
      var output: UnsafeMutablePointer<AVIOContext>? = output
      avio_context_free(&output)
    }
    Glibc.close(descriptor)
  }

  /// Removes the file again.
  func discard() {
    if let path { unlink(path) }
  }

  /// The file that `path` means in the end, so that a symbolic link stays one.
  static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private static func temporaryName(in directory: String) -> String {
    "\(directory)/.camrec-\(getpid())-\(UInt32.random(in: .min ... .max)).mov"
  }

  /// Replaces the file called `other` by this one.
  func take(nameOf other: String) throws(LibavError) {
    let path = try name(in: MovieFile.directory(of: other))
    var information = stat()
    if stat(other, &information) == 0 { fchmod(descriptor, information.st_mode & 0o7777) }
    guard rename(path, other) == 0 else { throw LibavError(function: "rename", code: CFFmpeg_error(errno)) }
    // The new name has to reach the medium too; a file system that cannot say so loses nothing.
    let directory = Glibc.open(MovieFile.directory(of: other), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if directory >= 0 {
      fsync(directory)
      Glibc.close(directory)
    }
  }

  /// The file's name, given to it where it has none.
  private func name(in directory: String) throws(LibavError) -> String {
    if let path { return path }
    // A link never replaces a file, so it gets a name that is free first.
    let name = MovieFile.temporaryName(in: directory)
    guard linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 else {
      throw LibavError(function: "linkat", code: CFFmpeg_error(errno))
    }
    path = name
    return name
  }

  /// The directory that `path` lies in.
  static func directory(of path: String) -> String {
    let directory = (path as NSString).deletingLastPathComponent
    return directory.isEmpty ? "." : directory
  }

  /// Cuts the file back to its first `size` bytes.
  func truncate(to size: Int64) {
    if ftruncate(descriptor, off_t(size)) == 0 { highest.store(size, ordering: .relaxed) }
  }

  /// Waits until the file's bytes are on the medium.
  func synchronize() throws(LibavError) {
    guard fsync(descriptor) == 0 else { throw LibavError(function: "fsync", code: CFFmpeg_error(errno)) }
  }

  /// Bytes that are free where `path` lies; `nil` where the system does not say.
  static func freeSpace(beside path: String) -> Int64? {
    var information = statvfs()
    guard statvfs(directory(of: path), &information) == 0 else { return nil }
    return Int64(information.f_bavail) * Int64(information.f_frsize)
  }

  private static func at(_ opaque: UnsafeMutableRawPointer?) -> MovieFile {
    Unmanaged<MovieFile>.fromOpaque(opaque!).takeUnretainedValue()
  }

  private func write(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    guard let bytes else { return 0 }
    // After a failure nothing may follow, or the file would have a hole where the lost bytes were.
    if failure != 0 { return CFFmpeg_error(failure) }
    var done = 0
    while done < count {
      let written = pwrite(descriptor, bytes + done, count - done, off_t(position))
      if written < 0, errno == EINTR { continue }
      guard written > 0 else {
        failure = written < 0 ? errno : ENOSPC
        return CFFmpeg_error(failure)
      }
      done += written
      position += Int64(written)
      if position > size { highest.store(position, ordering: .relaxed) }
    }
    return Int32(count)
  }

  private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    switch whence {
    case AVSEEK_SIZE: return size
    case SEEK_SET: position = offset
    case SEEK_CUR: position += offset
    case SEEK_END: position = size + offset
    default: return Int64(CFFmpeg_error(EINVAL))
    }
    return position
  }
}
