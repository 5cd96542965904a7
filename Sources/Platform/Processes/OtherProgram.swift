import Foundation
import Glibc

/// A program that this process goes on as. Any thread.
public struct OtherProgram: Hashable, Sendable {
  public let path: String

  public init(path: String) { self.path = path }

  /// The first file of a name that this user may execute, in these folders.
  ///
  /// - Returns: `nil` if there is none.
  public init?(named name: String, in folders: [String]) {
    let paths = folders.filter { !$0.isEmpty }.map { PathText($0).appending(name) }
    let found = paths.first { path in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
        && FileManager.default.isExecutableFile(atPath: path)
    }
    guard let found else { return nil }
    self.init(path: found)
  }

  /// The folders in which a shell looks for programs.
  public static var searchPath: [String] {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
  }

  /// Replaces this process, with its open files, environment and folder.
  ///
  /// - Parameter arguments: without the program's name.
  /// - Returns: only if that fails: why.
  public func takeOver(arguments: [String]) -> SystemCallError {
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    do throws(SystemCallError) {
      try SystemCall.perform("execv") { execv(path, &words) }
      return SystemCallError("execv", 0)
    } catch {
      return error
    }
  }
}
