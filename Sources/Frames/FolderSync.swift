import Foundation

/// Has a folder say on the medium what lies in it: a name that was made, changed or taken away is only then as durable
/// as what it names (fsync(2), notes).
public enum FolderSync {
  /// What the system refused. Some file systems have no such call.
  public struct Failure: Error {
    /// The call's name.
    public let call: StaticString
    public let number: Int32
  }

  /// - Parameter folder: the empty path is the working directory.
  public static func synchronize(_ folder: String) throws(Failure) {
    let descriptor = unsafe open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(call: "open", number: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw Failure(call: "fsync", number: errno) }
  }

  /// The folder in which `path` lies.
  public static func synchronize(folderOf path: String) throws(Failure) {
    try synchronize(PathText(path).folder)
  }
}
