/// What a film folder asks of the system, call by call; nothing else in it touches a disk. Tests put behind it what no
/// disk does on demand: missing locks, and a process that ends between two calls.
///
/// Names are looked up in an open folder, and no link is followed. Thread: any.
public protocol FolderPort: AnyObject, Sendable {
  /// Opens a folder by its path and returns a descriptor. Links in the path are followed.
  func openFolder(_ path: String) throws(FolderFailure) -> Int32
  func open(_ name: String, in folder: Int32, _ access: FolderAccess) throws(FolderFailure) -> Int32
  /// Closing a file releases its lock.
  func close(_ file: Int32)

  func status(of file: Int32) throws(FolderFailure) -> FileStatus
  func status(of name: String, in folder: Int32) throws(FolderFailure) -> FileStatus
  /// The status of what a path leads to. Links in it are followed.
  func status(path: String) throws(FolderFailure) -> FileStatus
  /// The names in a folder, without `.` and `..`.
  func names(in folder: Int32) throws(FolderFailure) -> [String]

  /// As many bytes from `offset` on as there are, up to `count`.
  func read(_ file: Int32, at offset: Int64, count: Int) throws(FolderFailure) -> [UInt8]
  /// As `write`: how many of `bytes` were written, from the first on.
  func write(_ bytes: Span<UInt8>, to file: Int32) throws(FolderFailure) -> Int
  /// Waits until what was written is on the medium; for a folder, the names in it.
  func synchronize(_ file: Int32) throws(FolderFailure)
  /// Takes the file's lock for this descriptor alone (`flock`) without waiting: EWOULDBLOCK if another has it.
  func lock(_ file: Int32) throws(FolderFailure)

  /// Renames a file, and replaces what has the new name.
  func rename(_ name: String, to new: String, in folder: Int32) throws(FolderFailure)
  /// Makes a second name (a hard link). EEXIST if the name is taken.
  func link(_ name: String, to new: String, in folder: Int32) throws(FolderFailure)
  func unlink(_ name: String, in folder: Int32) throws(FolderFailure)
}

/// What a file is opened for. A new file has mode 0640, less the umask.
public enum FolderAccess: Hashable, Sendable {
  case read
  /// Created if it is missing.
  case write
  /// Created if it is missing. Bytes go to its end. It can be read, too.
  case append
  /// Has to exist. Bytes replace those in the file, from the first on. It can be read, too.
  case update
  /// Created; EEXIST if it exists.
  case create
}

/// What is known of a file.
public struct FileStatus: Hashable, Sendable {
  /// As `st_dev` and `st_ino`: together they identify the file.
  public var device: UInt64
  public var inode: UInt64
  public var isOrdinary: Bool
  public var bytes: Int64
  /// The number of its names.
  public var links: UInt64
  public var owner: UInt32
  /// The group or everybody may write it.
  public var isWritableByOthers: Bool

  public init(
    device: UInt64, inode: UInt64, isOrdinary: Bool, bytes: Int64, links: UInt64, owner: UInt32,
    isWritableByOthers: Bool
  ) {
    self.device = device
    self.inode = inode
    self.isOrdinary = isOrdinary
    self.bytes = bytes
    self.links = links
    self.owner = owner
    self.isWritableByOthers = isWritableByOthers
  }

  func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }
}

/// What the system refused.
public struct FolderFailure: Error, Hashable, Sendable {
  /// As `errno`.
  public let number: Int32

  public init(_ number: Int32) { self.number = number }
}
