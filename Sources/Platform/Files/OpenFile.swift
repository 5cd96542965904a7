import CPlatform
import Glibc

/// What the kernel can do with open files. Any thread.
public enum OpenFile {
  /// Makes `to` share all bytes of `from` (FICLONE), which takes no room.
  ///
  /// - Returns: false if the file system cannot do that.
  public static func clone(_ from: Int32, to: Int32) -> Bool { CSystemCalls_clone(from, to) == 0 }

  /// Copies bytes between the same places of two files within the kernel.
  ///
  /// - Returns: bytes that were copied; 0 at the end of `from`.
  public static func copy(
    _ from: Int32, to: Int32, at offset: Int64, count: Int64
  ) throws(SystemCallError) -> Int64 {
    try SystemCall.perform("copy_file_range") { CSystemCalls_copy_range(from, to, offset, count) }
  }

  /// Opens a file, which no child inherits.
  ///
  /// - Parameters:
  ///   - flags: as open(2).
  ///   - mode: of a new file, less the umask.
  public static func open(_ path: String, _ flags: Int32, mode: UInt32 = 0) throws(SystemCallError) -> Int32 {
    try SystemCall.perform("open") { Glibc.open(path, flags | O_CLOEXEC, mode) }
  }

  /// The same, by its name in an open folder.
  public static func open(
    _ name: String, in folder: Int32, _ flags: Int32, mode: UInt32 = 0
  ) throws(SystemCallError) -> Int32 {
    try SystemCall.perform("openat") { openat(folder, name, flags | O_CLOEXEC, mode) }
  }

  /// As many bytes from `offset` on as there are, up to `count`.
  public static func read(_ file: Int32, at offset: Int64, count: Int) throws(SystemCallError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = try SystemCall.perform("pread") {
        bytes.withUnsafeMutableBytes {
          pread(file, $0.baseAddress?.advanced(by: filled), count - filled, off_t(offset) + off_t(filled))
        }
      }
      if got == 0 { break }
      filled += got
    }
    bytes.removeLast(count - filled)
    return bytes
  }

  /// Writes all of `bytes`, from `offset` on.
  ///
  /// - Throws: `ENOSPC`, too, where the system takes nothing.
  public static func write(_ bytes: [UInt8], to file: Int32, at offset: Int64) throws(SystemCallError) {
    var done = 0
    while done < bytes.count {
      let written = try SystemCall.perform("pwrite") {
        bytes.withUnsafeBytes {
          pwrite(file, $0.baseAddress?.advanced(by: done), $0.count - done, off_t(offset) + off_t(done))
        }
      }
      guard written > 0 else { throw SystemCallError("pwrite", ENOSPC) }
      done += written
    }
  }

  /// Writes all of `bytes` to the file's present place. Allocates nothing.
  ///
  /// - Throws: as `write`.
  public static func append(_ bytes: [UInt8], to file: Int32) throws(SystemCallError) {
    var done = 0
    while done < bytes.count {
      let written = try SystemCall.perform("write") {
        bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress?.advanced(by: done), $0.count - done) }
      }
      guard written > 0 else { throw SystemCallError("write", ENOSPC) }
      done += written
    }
  }

  /// Whether a file reports the same device and number every time: servers (NFS, SMB, 9P, …) and programs (FUSE) may
  /// report what they like.
  public static func hasSteadyNumber(_ file: Int32) -> Bool { !unsteady.contains(CSystemCalls_file_system(file)) }

  /// As `linux/magic.h`: NFS, FUSE, SMB, CIFS, SMB 2, 9P, Ceph, AFS, Coda, and vboxsf.
  private static let unsteady: Set<Int64> = [
    0x6969, 0x6573_5546, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x0102_1997, 0x00C3_6400, 0x5346_414F, 0x7375_7245,
    0x786F_4256,
  ]
}
