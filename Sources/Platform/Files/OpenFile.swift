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
  /// - Returns: bytes that were copied, 0 at the end of `from`, or -1 and `errno`.
  public static func copy(_ from: Int32, to: Int32, at offset: Int64, count: Int64) -> Int64 {
    CSystemCalls_copy_range(from, to, offset, count)
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
