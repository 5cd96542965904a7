import CFFmpeg
import Foundation
import Frames
import Glibc
import Synchronization

/// The file under a muxer: created without overwriting, written through, cut back to what is whole after a failure.
///
/// Thread: one at a time; `size` from any.
///
/// `@unchecked Sendable`: everything but the atomic `size` is touched by the one thread that writes.
final class MovieFile: @unchecked Sendable {
  let path: String
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
  init(path: String, overwrite: Bool) throws(CamrecError) {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC
    var descriptor = Glibc.open(path, flags | O_EXCL, 0o666)
    if descriptor < 0, errno == EEXIST, overwrite { descriptor = Glibc.open(path, flags | O_TRUNC, 0o666) }
    guard descriptor >= 0 else {
      let number = errno
      var isDirectory: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
      throw MovieFile.refusal(path, exists && isDirectory.boolValue ? EISDIR : number)
    }
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      Glibc.close(descriptor)
      throw CamrecError(.output, "'\(path)' is no ordinary file; a movie can be written only into one")
    }
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
      throw CamrecError(.defect, "no memory for writing '\(path)'")
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
  func discard() { unlink(path) }

  /// Replaces the file called `other` by this one.
  func take(nameOf other: String) throws(LibavError) {
    var information = stat()
    if stat(other, &information) == 0 { fchmod(descriptor, information.st_mode & 0o7777) }
    guard rename(path, other) == 0 else { throw LibavError(function: "rename", code: CFFmpeg_error(errno)) }
    // The new name has to reach the medium too; a file system that cannot say so loses nothing.
    let directory = Glibc.open((other as NSString).deletingLastPathComponent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if directory >= 0 {
      fsync(directory)
      Glibc.close(directory)
    }
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
    let directory = (path as NSString).deletingLastPathComponent
    guard statvfs(directory.isEmpty ? "." : directory, &information) == 0 else { return nil }
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

  private static func refusal(_ path: String, _ number: Int32) -> CamrecError {
    let cause = SystemError.words(for: number)
    let sentence =
      switch number {
      case EEXIST: "'\(path)' exists already; choose another --output or allow replacing it with --overwrite"
      case EISDIR: "'\(path)' is a directory; name a file in it"
      case ENOENT: "the directory of '\(path)' does not exist; create it or choose another --output"
      case ENOTDIR: "'\(path)' leads through a file as if it were a directory; choose another --output"
      case EACCES, EPERM: "'\(path)' may not be written by this user; choose another --output or change the permissions"
      case EROFS: "'\(path)' is on a read-only file system; choose another --output"
      case ENOSPC, EDQUOT: "there is no space left for '\(path)'"
      case ENAMETOOLONG: "the name '\(path)' is too long for this file system"
      default: "'\(path)' cannot be created"
      }
    return CamrecError(.output, sentence, cause: cause)
  }
}
