import Foundation

/// Writes a folder's entries to the medium: only then is a created, changed or removed name as durable as the file that
/// it names (fsync(2), notes).
public enum FolderSync {
  /// The call that the system refused. Some file systems do not support it.
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
