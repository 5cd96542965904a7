import Frames
import Glibc

/// The file of a socket that this process has made.
struct SocketFile: Sendable {
  let path: String
  private let device: dev_t
  private let inode: ino_t

  /// Whoever is in the group may control, and nobody else.
  static let mode = mode_t(0o660)
  /// Of the folder that is made for it.
  static let folderMode = mode_t(0o750)
  /// Remotes that wait to be taken up.
  private static let backlog: Int32 = 8

  /// Binds a socket to a path and listens.
  ///
  /// - Throws: code `output` where another recorder has it, something else is there, or it cannot be made.
  static func listen(_ socket: Int32, at address: SocketAddress) throws(CamrecError) -> SocketFile {
    let path = address.path
    do {
      try makeFolder(of: path)
      // From the look at what is there until this one listens: another recorder that starts now would take a socket on
      // which nobody listens yet for one that was left behind.
      let folder = FolderLock(of: path)
      defer { folder?.release() }
      if let rival = try rival(at: address, mayRemove: folder != nil) { throw Obstacle.rival(rival) }
      // Before the file is there, so that it is never wider than this; the umask can only narrow it.
      try SocketCall.perform("fchmod") { fchmod(socket, mode) }
      try SocketCall.perform("bind") { address.call { Glibc.bind(socket, $0, $1) } }
      try SocketCall.perform("chmod") { chmod(path, mode) }
      var status = stat()
      try SocketCall.perform("lstat") { lstat(path, &status) }
      try SocketCall.perform("listen") { Glibc.listen(socket, backlog) }
      return SocketFile(path: path, device: status.st_dev, inode: status.st_ino)
    } catch Obstacle.rival(let sentence) {
      throw CamrecError(.output, "'\(path)' \(sentence); choose another --control, or none")
    } catch {
      throw CamrecError(
        .output, "the control socket '\(path)' cannot be made; choose another --control, or none",
        cause: (error as? SocketCall.Failure)?.description)
    }
  }

  private enum Obstacle: Error {
    case rival(String)
  }

  /// The folder of a socket, locked (flock(2)) against others who make one there; the kernel ends the lock with the
  /// process.
  private struct FolderLock {
    private let descriptor: Int32

    /// Milliseconds for which it is waited for, and between two tries: others hold it for as long as a bind takes.
    private static let patience = 2000, pause = 10

    /// - Returns: `nil` where the file system has no locks, or somebody holds one for good.
    init?(of path: String) {
      let folder = PathText(path).folder
      descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      for _ in 0..<(FolderLock.patience / FolderLock.pause) {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
        guard errno == EWOULDBLOCK || errno == EINTR else { break }
        WorkThread.sleep(.milliseconds(FolderLock.pause))
      }
      close(descriptor)
      return nil
    }

    func release() { close(descriptor) }
  }

  /// Takes the file away, unless it is another's by now.
  func remove() {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_dev == device, status.st_ino == inode else { return }
    unlink(path)
  }

  private static func makeFolder(of path: String) throws(SocketCall.Failure) {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    try makeFolder(String(path[..<slash])).get()
  }

  /// One that is there stays as it is.
  static func makeFolder(_ folder: String) -> Result<Void, SocketCall.Failure> {
    Result { () throws(SocketCall.Failure) in
      // The umask may have narrowed it.
      if mkdir(folder, folderMode) == 0 { try SocketCall.perform("chmod") { chmod(folder, folderMode) } }
    }
  }

  /// What is there already, in words; what a process has left behind that is no longer there is taken away.
  ///
  /// - Parameter mayRemove: nobody else is doing the same.
  private static func rival(at address: SocketAddress, mayRemove: Bool) throws(SocketCall.Failure) -> String? {
    var status = stat()
    guard lstat(address.path, &status) == 0 else { return nil }
    guard status.st_mode & S_IFMT == S_IFSOCK else { return "exists and is no socket" }
    let caller = try SocketAddress.makeSocket()
    defer { close(caller) }
    // A recorder that takes up nobody now is one all the same.
    try SocketCall.perform("fcntl") { fcntl(caller, F_SETFL, O_NONBLOCK) }
    do {
      try SocketCall.perform("connect") { address.call { connect(caller, $0, $1) } }
    } catch {
      guard error.number == ECONNREFUSED else {
        if error.number == EAGAIN { return inUse }
        throw error
      }
      guard mayRemove else { return "is a socket on which nobody listens, and its folder cannot be locked to replace it" }
      try SocketCall.perform("unlink") { unlink(address.path) }
      return nil
    }
    return inUse
  }

  private static let inUse = "is the control socket of a recorder that is running"
}
