package import Foundation
import Frames
import Platform
import Synchronization

/// A file on a real disk, open for reading and writing. Closed with the object.
package final class SystemFile: FilePort {
  private let descriptor: Int32
  private let name: Mutex<String>
  /// The file could not be found, and its folder has been searched already.
  private let isMissing = Atomic<Bool>(false)

  /// Mode of new files, less the umask: the group may read, others may not.
  package static let mode: mode_t = 0o640

  /// - Parameters:
  ///   - descriptor: belongs to this object from here on.
  ///   - path: the file's own name.
  package init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    name = Mutex(path)
  }

  deinit { close(descriptor) }

  package func write(_ bytes: RawSpan, at offset: Int64) throws(FileFailure) -> Int {
    while true {
      let written = unsafe bytes.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
      if written >= 0 { return written }
      if errno != EINTR { throw FileFailure("pwrite", errno) }
    }
  }

  package func read(at offset: Int64, count: Int) throws(FileFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = unsafe bytes.withUnsafeMutableBytes {
        unsafe pread(descriptor, $0.baseAddress?.advanced(by: filled), count - filled, off_t(offset) + off_t(filled))
      }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw FileFailure("pread", errno) }
      guard got > 0 else { break }
      filled += got
    }
    bytes.removeLast(count - filled)
    return bytes
  }

  package func truncate(to size: Int64) throws(FileFailure) {
    guard ftruncate(descriptor, off_t(size)) == 0 else { throw FileFailure("ftruncate", errno) }
  }

  package func synchronize() throws(FileFailure) {
    while fdatasync(descriptor) != 0 {
      guard errno == EINTR else { throw FileFailure(FileFailure.synchronization, errno) }
    }
  }

  package func synchronizeFolder() throws(FileFailure) {
    do throws(FolderSync.Failure) {
      try FolderSync.synchronize(folderOf: path)
    } catch {
      throw FileFailure(error.call, error.number)
    }
  }

  // MARK: Its name

  package var path: String { name.withLock { $0 } }

  package var descriptorPath: String? { "/proc/\(getpid())/fd/\(descriptor)" }

  package func look() -> FilePlace {
    var own = stat()
    guard unsafe fstat(descriptor, &own) == 0 else { return .unknown }
    if SystemFile.isFile(own, at: path) {
      isMissing.store(false, ordering: .relaxed)
      return .inPlace
    }
    guard OpenFile.hasSteadyNumber(descriptor) else { return .unknown }
    guard own.st_nlink > 0 else { return .unlinked }
    guard let path = otherName(own) else { return .unknown }
    name.withLock { $0 = path }
    return .renamed(path)
  }

  private static func isFile(_ own: stat, at path: String) -> Bool {
    var there = stat()
    return unsafe stat(path, &there) == 0 && there.st_dev == own.st_dev && there.st_ino == own.st_ino
  }

  /// The name that the kernel has for it now or, if that is not the file, a second link in the same folder.
  private func otherName(_ own: stat) -> String? {
    let now = OutputPath.resolved("/proc/self/fd/\(descriptor)")
    if SystemFile.isFile(own, at: now), !now.hasPrefix("/proc/") { return now }
    guard !isMissing.exchange(true, ordering: .relaxed) else { return nil }
    let folder = PathText(path).folderOrDot
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.lazy.map { PathText(folder).appending($0) }.first { SystemFile.isFile(own, at: $0) }
  }

  package func rename(to path: String) throws(FileFailure) {
    do throws(NewName.Failure) { try NewName.give(path, to: self.path) } catch {
      throw FileFailure("renameat2", error.number)
    }
    name.withLock { $0 = path }
  }

  package func exchange(with path: String) throws(FileFailure) {
    let own = self.path
    let files = [own, path].map { (name: String) -> Int32 in
      unsafe open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    }
    defer { for file in files where file >= 0 { close(file) } }
    guard files.allSatisfy({ $0 >= 0 }) else { throw FileFailure("open", errno) }
    // The other file's recorder may do the same at the same moment, and a second exchange would undo the first. Both
    // ask for the same lock first.
    var facts = [stat(), stat()]
    for index in files.indices where unsafe fstat(files[index], &facts[index]) != 0 {
      throw FileFailure("fstat", errno)
    }
    let order = facts[0].st_ino < facts[1].st_ino ? files : files.reversed()
    for file in order where FilmLock.take(file) == .inUse { throw FileFailure("flock", EWOULDBLOCK) }
    var now = stat()
    guard unsafe fstat(descriptor, &now) == 0, SystemFile.isFile(now, at: own), SystemFile.isFile(facts[1], at: path)
    else { throw FileFailure("stat", EWOULDBLOCK) }
    do throws(NewName.Failure) { try NewName.exchange(own, path) } catch {
      throw FileFailure("renameat2", error.number)
    }
    name.withLock { $0 = path }
  }

  // MARK: A copy of it

  /// Bytes per call, so that the room is checked in between.
  private static let piece: Int64 = 1 << 24

  package func copy(to path: String, room: () -> Int64?) throws(FileFailure) {
    var own = stat()
    guard unsafe fstat(descriptor, &own) == 0 else { throw FileFailure("fstat", errno) }
    let copy = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, SystemFile.mode)
    guard copy >= 0 else { throw FileFailure("open", errno) }
    defer { close(copy) }
    do throws(FileFailure) {
      // As with every film that is being made.
      _ = FilmLock.take(copy)
      _ = fchmod(copy, own.st_mode & 0o7777)
      if !OpenFile.clone(descriptor, to: copy) { try copyBytes(Int64(own.st_size), to: copy, room) }
      guard fsync(copy) == 0 else { throw FileFailure("fsync", errno) }
      try? FolderSync.synchronize(folderOf: path)
    } catch {
      unsafe _ = unlink(path)
      throw error
    }
  }

  private func copyBytes(_ size: Int64, to copy: Int32, _ room: () -> Int64?) throws(FileFailure) {
    var offset: Int64 = 0
    while offset < size {
      // All of the rest has to fit: half a copy is useless.
      if let room = room(), room < size - offset { throw FileFailure("copy_file_range", ENOSPC) }
      let count = min(size - offset, SystemFile.piece)
      let copied = OpenFile.copy(descriptor, to: copy, at: offset, count: count)
      if copied > 0 {
        offset += copied
        continue
      }
      if copied < 0, errno == EINTR { continue }
      guard copied == 0 || [EXDEV, EINVAL, ENOSYS, EOPNOTSUPP].contains(errno) else {
        throw FileFailure("copy_file_range", errno)
      }
      try copyByHand(Int(count), at: offset, to: copy)
      offset += count
    }
  }

  private func copyByHand(_ count: Int, at offset: Int64, to copy: Int32) throws(FileFailure) {
    let bytes = try read(at: offset, count: count)
    guard bytes.count == count else { throw FileFailure("pread", EIO) }
    var done = 0
    while done < count {
      let written = unsafe bytes.withUnsafeBytes {
        unsafe pwrite(copy, $0.baseAddress?.advanced(by: done), count - done, off_t(offset) + off_t(done))
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw FileFailure("pwrite", written < 0 ? errno : ENOSPC) }
      done += written
    }
  }
}
