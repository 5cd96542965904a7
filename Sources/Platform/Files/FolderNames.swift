import Glibc

/// The names in an open folder. Any thread.
public enum FolderNames {
  /// - Parameter folder: its descriptor, whose position stays what it is.
  /// - Returns: the names without `.` and `..`, in no order.
  public static func read(_ folder: Int32) throws(SystemCallError) -> [String] {
    // A descriptor of its own: closing the stream closes it, and a duplicate would share its position in the folder.
    let file = try OpenFile.open(".", in: folder, O_RDONLY | O_DIRECTORY)
    guard let stream = fdopendir(file) else {
      let number = errno
      close(file)
      throw SystemCallError("fdopendir", number)
    }
    defer { closedir(stream) }
    var names: [String] = []
    errno = 0
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
      errno = 0
    }
    let number = errno
    guard number == 0 else { throw SystemCallError("readdir", number) }
    return names
  }
}
