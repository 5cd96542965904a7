import Frames
public import Platform
import Synchronization

/// Reports each call of a folder, with its path, for as long as it lasts, so that whoever waits for the folder knows
/// what does not answer.
///
/// Thread: any.
public final class WatchedFolder: FolderPort {
  private let system: any FolderPort
  private let call: DiskCall
  /// The paths of open descriptors.
  private let paths = Mutex<[Int32: String]>([:])

  public init(_ system: any FolderPort, _ call: DiskCall) {
    self.system = system
    self.call = call
  }

  public func openFolder(_ path: String) throws(FolderFailure) -> Int32 {
    let folder = try call.during(path) { () throws(FolderFailure) in try system.openFolder(path) }
    paths.withLock { $0[folder] = path }
    return folder
  }

  public func open(_ name: String, in folder: Int32, _ access: FolderAccess) throws(FolderFailure) -> Int32 {
    let path = path(name, folder)
    let file = try call.during(path) { () throws(FolderFailure) in try system.open(name, in: folder, access) }
    paths.withLock { $0[file] = path }
    return file
  }

  public func close(_ file: Int32) {
    // Another file may get the number at once.
    let path = paths.withLock { $0.removeValue(forKey: file) }
    call.during(path ?? "") { system.close(file) }
  }

  public func status(of file: Int32) throws(FolderFailure) -> FileStatus {
    try call.during(path(file)) { () throws(FolderFailure) in try system.status(of: file) }
  }

  public func status(of name: String, in folder: Int32) throws(FolderFailure) -> FileStatus {
    try call.during(path(name, folder)) { () throws(FolderFailure) in try system.status(of: name, in: folder) }
  }

  public func status(path: String) throws(FolderFailure) -> FileStatus {
    try call.during(path) { () throws(FolderFailure) in try system.status(path: path) }
  }

  public func names(in folder: Int32) throws(FolderFailure) -> [String] {
    try call.during(path(folder)) { () throws(FolderFailure) in try system.names(in: folder) }
  }

  public func read(_ file: Int32, at offset: Int64, count: Int) throws(FolderFailure) -> [UInt8] {
    try call.during(path(file)) { () throws(FolderFailure) in try system.read(file, at: offset, count: count) }
  }

  public func write(_ bytes: Span<UInt8>, to file: Int32) throws(FolderFailure) -> Int {
    try call.during(path(file)) { () throws(FolderFailure) in try system.write(bytes, to: file) }
  }

  public func synchronize(_ file: Int32) throws(FolderFailure) {
    try call.during(path(file)) { () throws(FolderFailure) in try system.synchronize(file) }
  }

  public func lock(_ file: Int32) throws(FolderFailure) {
    try call.during(path(file)) { () throws(FolderFailure) in try system.lock(file) }
  }

  public func rename(_ name: String, to new: String, in folder: Int32) throws(FolderFailure) {
    try call.during(path(name, folder)) { () throws(FolderFailure) in try system.rename(name, to: new, in: folder) }
  }

  public func link(_ name: String, to new: String, in folder: Int32) throws(FolderFailure) {
    try call.during(path(name, folder)) { () throws(FolderFailure) in try system.link(name, to: new, in: folder) }
  }

  public func unlink(_ name: String, in folder: Int32) throws(FolderFailure) {
    try call.during(path(name, folder)) { () throws(FolderFailure) in try system.unlink(name, in: folder) }
  }

  private func path(_ file: Int32) -> String { paths.withLock { $0[file] ?? "" } }

  private func path(_ name: String, _ folder: Int32) -> String { PathText(path(folder)).appending(name) }
}
