import Foundation
import Frames
import Platform

/// A film's file under recovery: locked as long as it is open, so that nobody records into it or recovers it at the
/// same time.
///
/// Thread: one at a time.
struct FilmFile: ~Copyable {
  let path: String
  /// Its size in bytes when it was opened.
  let size: Int64
  /// Whether it is locked, so that nobody records into it; some network file systems have no locks.
  let isLocked: Bool
  private let descriptor: Int32
  /// When it was last written to, as of opening it.
  private let changed: timespec

  /// Opens an existing film.
  ///
  /// - Parameters:
  ///   - isReading: opens it only for reading.
  ///   - lock: as `flock`.
  /// - Throws: code `input` if it is not a readable file, `output` if it may not be written or is in use.
  init(path: String, isReading: Bool, lock: Lock = FilmFile.systemLock) throws(CamrecError) {
    let flags = (isReading ? O_RDONLY : O_RDWR) | O_NONBLOCK
    let descriptor: Int32
    do throws(SystemCallError) { descriptor = try OpenFile.open(path, flags) } catch {
      switch error.number {
      case ENOENT, ENOTDIR: throw CamrecError(.input, "'\(path)' does not exist; check the path")
      case EACCES where !isReading, EPERM where !isReading, EROFS where !isReading:
        throw CamrecError(
          .output, about: .output,
          "cannot change '\(path)'; make it writable, or write a new file with \(setting: .output)",
          cause: error.words)
      default: throw CamrecError(.input, "cannot open '\(path)'", cause: error.words)
      }
    }
    try self.init(descriptor, path: path, isShared: isReading, lock)
  }

  /// 0, or an error number.
  typealias Lock = @Sendable (_ descriptor: Int32, _ operation: Int32) -> Int32

  /// A process that closes a film may have begun a child at that moment, which has the film open, too, until it becomes
  /// another program. So one that is in use is asked again, for a tenth of a second.
  static let systemLock: Lock = { descriptor, operation in
    for attempt in 1...10 {
      switch FilmLock.take(descriptor, isShared: operation & LOCK_SH != 0) {
      case .taken: return 0
      case .noLocks: return ENOLCK
      case .inUse: if attempt < 10 { WorkThread.sleep(.milliseconds(10)) }
      }
    }
    return EWOULDBLOCK
  }

  /// Creates a file that does not exist yet.
  ///
  /// - Throws: code `output`.
  init(creating path: String, mode: mode_t) throws(CamrecError) {
    let descriptor: Int32
    do throws(SystemCallError) { descriptor = try OpenFile.open(path, O_RDWR | O_CREAT | O_EXCL, mode: mode) } catch {
      throw error.number == EEXIST
        ? CamrecError(
          .output, about: .output, "'\(path)' exists already; choose another \(setting: .output)", reason: .exists)
        : CamrecError(.output, "cannot create '\(path)'", cause: error.words)
    }
    try self.init(descriptor, path: path, isShared: false, FilmFile.systemLock)
  }

  private init(_ descriptor: Int32, path: String, isShared: Bool, _ lock: Lock) throws(CamrecError) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw CamrecError(.input, "'\(path)' is a folder or a device, not a film")
    }
    // A recording holds the same lock, and a kill releases it. Some network file systems have none.
    let refusal = lock(descriptor, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB)
    guard refusal != EWOULDBLOCK else {
      close(descriptor)
      throw FilmFile.inUse(path)
    }
    // Includes whatever was written until the lock was taken.
    unsafe _ = fstat(descriptor, &status)
    self.path = path
    isLocked = refusal == 0
    self.descriptor = descriptor
    size = Int64(status.st_size)
    changed = status.st_mtim
  }

  static func inUse(_ path: String) -> CamrecError {
    CamrecError(.output, "'\(path)' is being recorded or recovered right now; wait until that has ended")
  }

  deinit { close(descriptor) }

  /// Whether its path still leads to this file, and not to a link to it.
  var isInPlace: Bool {
    var own = stat()
    var there = stat()
    return unsafe fstat(descriptor, &own) == 0 && lstat(path, &there) == 0 && own.st_dev == there.st_dev
      && own.st_ino == there.st_ino
  }

  /// Whether its size and time stay for `seconds` what they were when it was opened.
  func standsStill(seconds: Double) -> Bool {
    let begin = MonotonicTime.now()
    while true {
      // Open it anew: network file systems then ask their server, and otherwise answer from memory for a minute.
      guard let fresh = try? OpenFile.open(path, O_RDONLY | O_NONBLOCK) else { return false }
      var status = stat()
      let isSame =
        unsafe fstat(fresh, &status) == 0 && Int64(status.st_size) == size
        && status.st_mtim.tv_sec == changed.tv_sec && status.st_mtim.tv_nsec == changed.tv_nsec && isInPlace
      close(fresh)
      let rest = seconds - Double(MonotonicTime.now() - begin) * 1e-9
      if !isSame || rest <= 0 { return isSame }
      WorkThread.sleep(.milliseconds(Int(min(rest * 1000, 250)) + 1))
    }
  }

  /// Permissions.
  var mode: mode_t {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? status.st_mode & 0o7777 : 0o640
  }

  /// As many bytes from `offset` on as there are, up to `count`. What the medium cannot return comes as zeros.
  ///
  /// - Throws: code `input`.
  borrowing func read(at offset: UInt64, count: Int) throws(CamrecError) -> [UInt8] {
    guard offset < UInt64(size) else { return [] }
    var bytes = [UInt8](repeating: 0, count: Int(min(UInt64(count), UInt64(size) - offset)))
    let file = descriptor
    var done = 0
    while done < bytes.count {
      let from = done, got: Int
      do throws(SystemCallError) {
        got = try SystemCall.perform("pread") {
          unsafe bytes.withUnsafeMutableBytes { room in
            unsafe pread(file, room.baseAddress?.advanced(by: from), room.count - from, off_t(offset) + off_t(from))
          }
        }
      } catch {
        guard error.number == EIO else { throw CamrecError(.input, "reading '\(path)' failed", cause: error.words) }
        done += FilmFile.sector - Int((offset + UInt64(done)) % UInt64(FilmFile.sector))
        continue
      }
      if got == 0 { break }
      done += got
    }
    return done < bytes.count ? Array(bytes[..<done]) : bytes
  }

  /// The bytes to skip where a disk cannot read.
  private static let sector = 4096

  borrowing func write(_ bytes: [UInt8], at offset: UInt64) throws(SystemCallError) {
    try OpenFile.write(bytes, to: descriptor, at: Int64(offset))
  }

  /// Waits until everything is on the medium.
  borrowing func synchronize() throws(SystemCallError) {
    let file = descriptor
    try SystemCall.perform("fsync") { fsync(file) }
  }

  /// Cuts the file back to `size`.
  borrowing func truncate(to size: Int64) { if ftruncate(descriptor, off_t(size)) == 0 { _ = fsync(descriptor) } }
}

extension SystemCallError {
  /// The disk, the user's share of it, or a file of this size is.
  var isFull: Bool { [ENOSPC, EDQUOT, EFBIG].contains(number) }
}
