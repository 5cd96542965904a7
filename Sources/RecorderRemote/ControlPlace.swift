import Foundation
import Platform

/// The default folders of control sockets and state files.
public struct ControlPlace: Sendable {
  /// Where recorders may be found, whether the folders exist or not.
  let fixedFolders: [String]
  /// A folder in which each instance of a service template has a folder of its own; `nil` if there is none.
  let instancesFolder: String?
  /// Where this process puts its own socket: the first folder that it may use.
  private let own: String?

  /// For root, unless systemd sets another folder.
  private static let root = "/run/camrec"

  /// The folders of this process.
  public init() { self.init(environment: ProcessInfo.processInfo.environment, isRoot: geteuid() == 0) }

  /// - Parameter environment: `XDG_RUNTIME_DIR` as pam_systemd sets it for users, `RUNTIME_DIRECTORY` as
  ///   systemd.exec(5) sets it for services (several are separated by colons; the first counts).
  public init(environment: [String: String], isRoot: Bool) {
    // Both are absolute by definition; a relative path was set by mistake.
    func folder(_ path: some StringProtocol) -> [String] { path.hasPrefix("/") ? [String(path)] : [] }
    let user = folder(environment["XDG_RUNTIME_DIR"] ?? "").map { "\($0)/camrec" }
    let service = (environment["RUNTIME_DIRECTORY"] ?? "").split(separator: ":").prefix(1).flatMap(folder)
    let given = user + service
    own = given.first ?? (isRoot ? ControlPlace.root : nil)
    fixedFolders = ControlPlace.once(given + [ControlPlace.root])
    instancesFolder = ControlPlace.root
  }

  /// This folder only.
  ///
  /// - Parameter instances: whether recorders are in the folders in it, too.
  public init(folder: String, instances: Bool = false) {
    fixedFolders = [folder]
    instancesFolder = instances ? folder : nil
    own = folder
  }

  /// The folder of this process's own socket; `nil` if it has none.
  public var folder: String? { own }

  /// The socket of a process; `nil` if this process has no folder for sockets.
  public func socket(pid: Int32) -> String? { own.map { "\($0)/\(pid).sock" } }

  /// A file that a recorder keeps beside its socket; `nil` if this process has no folder for sockets.
  public func file(_ name: String) -> String? { own.map { "\($0)/\(name)" } }

  /// All folders where recorders may be found now.
  var folders: [String] { ControlPlace.once(fixedFolders + (instancesFolder.map(ControlPlace.folders(in:)) ?? [])) }

  /// The subfolders of a folder, by name.
  private static func folders(in folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { !$0.hasPrefix(".") }.sorted().map { "\(folder)/\($0)" }.filter { path in
      var isFolder: ObjCBool = false
      return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
  }

  private static func once(_ folders: [String]) -> [String] {
    folders.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Makes the folder for this process's own files if it is missing, mode 0750. Does not report a failure: whoever
  /// writes there does.
  public func makeFolder() {
    if let own { _ = SocketFile.makeFolder(own) }
  }
}
