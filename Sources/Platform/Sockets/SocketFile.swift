package import Frames
import Glibc

/// The file of a socket made by this process.
package struct SocketFile: Sendable {
  /// What a socket is for.
  package struct Purpose: Sendable {
    /// For people: `control socket`.
    package let name: String
    /// The setting with its path.
    package let setting: SettingName
    /// Whose members may use it; `nil`: those of the process's own group.
    package let group: UInt32?

    package init(name: String, setting: SettingName, group: UInt32? = nil) {
      self.name = name
      self.setting = setting
      self.group = group
    }
  }

  let path: String
  private let device: dev_t
  private let inode: ino_t

  /// Only the user and the group may use it.
  private static let mode = mode_t(0o660)
  /// The mode of a folder made for sockets.
  private static let folderMode = mode_t(0o750)
  /// Remotes that can wait to be accepted.
  private static let backlog: Int32 = 8

  /// Binds a socket to a path and listens.
  ///
  /// - Throws: code `output` if another recorder uses the path, if something else is there, or if the socket cannot be
  ///   made.
  static func listen(
    _ socket: Int32, at address: SocketAddress, as purpose: Purpose
  ) throws(CamrecError) -> SocketFile {
    let path = address.path, setting = purpose.setting
    do {
      try makeFolder(of: path)
      // Hold the lock from the look at the path until this socket listens. Otherwise a recorder that starts now would
      // find a socket on which nobody listens yet and take it for one that was left behind.
      let folder = try? FolderLock(folderOf: path)
      defer { _ = folder }
      if let rival = try rival(at: address, purpose, mayRemove: folder != nil) { throw Obstacle.rival(rival) }
      // Before the file exists, so that its mode is never wider than this; the umask can only narrow it.
      try SocketCall.perform("fchmod") { fchmod(socket, mode) }
      try SocketCall.perform("bind") { address.call { Glibc.bind(socket, $0, $1) } }
      do throws(SocketCall.Failure) {
        if let group = purpose.group { try SocketCall.perform("chown") { chown(path, uid_t.max, group) } }
        try SocketCall.perform("chmod") { chmod(path, mode) }
      } catch {
        unlink(path)
        throw error
      }
      var status = stat()
      try SocketCall.perform("lstat") { lstat(path, &status) }
      try SocketCall.perform("listen") { Glibc.listen(socket, backlog) }
      return SocketFile(path: path, device: status.st_dev, inode: status.st_ino)
    } catch Obstacle.rival(let sentence) {
      throw CamrecError(
        .output, about: setting,
        "'\(path)' \(sentence); choose another path for \(setting: setting), or set \(setting: setting) none")
    } catch {
      throw CamrecError(
        .output, about: setting,
        "cannot create the \(purpose.name) '\(path)'; choose another path for \(setting: setting), or set "
          + "\(setting: setting) none",
        cause: (error as? SocketCall.Failure)?.description)
    }
  }

  private enum Obstacle: Error {
    case rival(String)
  }

  /// Removes the file, unless it belongs to another process by now.
  func remove() {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_dev == device, status.st_ino == inode else { return }
    unlink(path)
  }

  private static func makeFolder(of path: String) throws(SocketCall.Failure) {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    try makeFolder(String(path[..<slash])).get()
  }

  /// Makes a folder; leaves an existing one as it is.
  package static func makeFolder(_ folder: String) -> Result<Void, SocketCall.Failure> {
    Result { () throws(SocketCall.Failure) in
      // The umask may have narrowed it.
      if mkdir(folder, folderMode) == 0 { try SocketCall.perform("chmod") { chmod(folder, folderMode) } }
    }
  }

  /// Describes what is already there. Removes a socket left behind by a process that has ended.
  ///
  /// - Parameter mayRemove: nobody else is doing the same.
  private static func rival(
    at address: SocketAddress, _ purpose: Purpose, mayRemove: Bool
  ) throws(SocketCall.Failure) -> String? {
    var status = stat()
    let inUse = "is the \(purpose.name) of a running recorder"
    guard lstat(address.path, &status) == 0 else { return nil }
    guard status.st_mode & S_IFMT == S_IFSOCK else { return "exists and is not a socket" }
    let caller = try SocketAddress.makeSocket()
    defer { close(caller) }
    // A recorder that accepts nobody at the moment still owns its socket.
    try SocketCall.perform("fcntl") { fcntl(caller, F_SETFL, O_NONBLOCK) }
    do {
      try SocketCall.perform("connect") { address.call { connect(caller, $0, $1) } }
    } catch {
      guard error.number == ECONNREFUSED else {
        if error.number == EAGAIN { return inUse }
        throw error
      }
      guard mayRemove else {
        return "is an old socket that nobody listens on, and its folder cannot be locked to replace it"
      }
      try SocketCall.perform("unlink") { unlink(address.path) }
      return nil
    }
    return inUse
  }
}
