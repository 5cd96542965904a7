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
    do throws(SystemCallError) {
      return try unsafe bytes.withUnsafeBytes { (room) throws(SystemCallError) -> Int in
        try SystemCall.perform("pwrite") {
          unsafe pwrite(descriptor, room.baseAddress, room.count, off_t(offset))
        }
      }
    } catch {
      throw FileFailure(error)
    }
  }

  package func read(at offset: Int64, count: Int) throws(FileFailure) -> [UInt8] {
    do throws(SystemCallError) {
      return try OpenFile.read(descriptor, at: offset, count: count)
    } catch {
      throw FileFailure(error)
    }
  }

  package func truncate(to size: Int64) throws(FileFailure) {
    try SystemFile.perform("ftruncate") { ftruncate(descriptor, off_t(size)) }
  }

  package func synchronize() throws(FileFailure) {
    try SystemFile.perform(FileFailure.synchronization) { fdatasync(descriptor) }
  }

  package func synchronizeFolder() throws(FileFailure) {
    do throws(FolderSync.Failure) {
      try FolderSync.synchronize(folderOf: path)
    } catch {
      throw FileFailure(error.call, error.number)
    }
  }

  private static func perform(_ name: StaticString, _ call: () -> Int32) throws(FileFailure) {
    do throws(SystemCallError) { try SystemCall.perform(name, call) } catch { throw FileFailure(error) }
  }

  private static func open(_ path: String, _ flags: Int32, mode: mode_t = 0) throws(FileFailure) -> Int32 {
    do throws(SystemCallError) { return try OpenFile.open(path, flags, mode: mode) } catch { throw FileFailure(error) }
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
    var files: [Int32] = []
    defer { for file in files { close(file) } }
    for name in [own, path] { files.append(try SystemFile.open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)) }
    // The other file's recorder may do the same at the same moment, and a second exchange would undo the first. Both
    // ask for the same lock first.
    var facts = [stat(), stat()]
    for index in files.indices {
      try SystemFile.perform("fstat") { unsafe fstat(files[index], &facts[index]) }
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
    try SystemFile.perform("fstat") { unsafe fstat(descriptor, &own) }
    let copy = try SystemFile.open(path, O_RDWR | O_CREAT | O_EXCL, mode: SystemFile.mode)
    defer { close(copy) }
    do throws(FileFailure) {
      // As with every film that is being made.
      _ = FilmLock.take(copy)
      _ = fchmod(copy, own.st_mode & 0o7777)
      if !OpenFile.clone(descriptor, to: copy) { try copyBytes(Int64(own.st_size), to: copy, room) }
      try SystemFile.perform("fsync") { fsync(copy) }
      try? FolderSync.synchronize(folderOf: path)
    } catch {
      try? SystemCall.unlink(path)
      throw error
    }
  }

  private func copyBytes(_ size: Int64, to copy: Int32, _ room: () -> Int64?) throws(FileFailure) {
    var offset: Int64 = 0
    while offset < size {
      // All of the rest has to fit: half a copy is useless.
      if let room = room(), room < size - offset { throw FileFailure("copy_file_range", ENOSPC) }
      let count = min(size - offset, SystemFile.piece)
      var copied: Int64 = 0
      do throws(SystemCallError) {
        copied = try OpenFile.copy(descriptor, to: copy, at: offset, count: count)
      } catch {
        guard [EXDEV, EINVAL, ENOSYS, EOPNOTSUPP].contains(error.number) else { throw FileFailure(error) }
      }
      if copied > 0 {
        offset += copied
        continue
      }
      try copyByHand(Int(count), at: offset, to: copy)
      offset += count
    }
  }

  private func copyByHand(_ count: Int, at offset: Int64, to copy: Int32) throws(FileFailure) {
    let bytes = try read(at: offset, count: count)
    guard bytes.count == count else { throw FileFailure("pread", EIO) }
    do throws(SystemCallError) {
      try OpenFile.write(bytes, to: copy, at: offset)
    } catch {
      throw FileFailure(error)
    }
  }
}
