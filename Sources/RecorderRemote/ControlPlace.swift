public import Frames
import Foundation
import Glibc
package import Platform
import RecorderAPI

/// The default folders of control sockets.
public struct ControlPlace: Sendable {
  /// Where recorders may be found.
  private let folders: [String]
  /// Where this process puts its own socket: the first folder that it may use.
  private let own: String?

  /// The mode of a folder made for sockets.
  private static let folderMode = mode_t(0o750)
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
    // A service template has a folder there for each instance.
    let instances = ControlPlace.folders(in: ControlPlace.root)
    folders = (given + [ControlPlace.root] + instances).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// This folder only.
  public init(folder: String) {
    folders = [folder]
    own = folder
  }

  /// The folder of this process's own socket; `nil` if it has none.
  public var folder: String? { own }

  /// The socket of a process; `nil` if this process has no folder for sockets.
  public func socket(pid: Int32) -> String? { own.map { "\($0)/\(pid).sock" } }

  /// A file that a recorder keeps beside its socket; `nil` if this process has no folder for sockets.
  public func file(_ name: String) -> String? { own.map { "\($0)/\(name)" } }

  /// The subfolders of a folder, by name.
  private static func folders(in folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { !$0.hasPrefix(".") }.sorted().map { "\(folder)/\($0)" }.filter { path in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
  }

  /// Every file in these folders whose name ends in `suffix`.
  public func files(suffix: String) -> [String] {
    folders.flatMap { folder in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") }.sorted().map { "\(folder)/\($0)" }
    }
  }

  /// The sockets of this name in these folders, including those on which nobody listens any more.
  public func sockets(named name: String) -> [String] { sockets.filter { PathText($0).stem == name } }

  /// Makes the folder for this process's own files if it is missing, mode 0750. Does not report a failure: whoever
  /// writes there does.
  public func makeFolder() {
    if let own { _ = ControlPlace.makeFolder(own) }
  }

  /// Makes a folder; leaves an existing one as it is.
  package static func makeFolder(_ folder: String) -> Result<Void, SocketCall.Failure> {
    Result { () throws(SocketCall.Failure) in
      // The umask may have narrowed it.
      if mkdir(folder, folderMode) == 0 { try SocketCall.perform("chmod") { chmod(folder, folderMode) } }
    }
  }

  /// Every socket in these folders, including those on which nobody listens any more.
  var sockets: [String] { files(suffix: ".sock") }

  /// Connects to the only running recorder.
  ///
  /// - Throws: code `device` if there is none or it does not answer, code `usage` if there are several: the sentence
  ///   names them with their films.
  public func findRecorder() throws(CamrecError) -> ControlClient {
    var refusal: CamrecError?
    var running: [ControlClient] = []
    for path in sockets {
      do {
        if let client = try ControlClient.ifRunning(path: path) { running.append(client) }
      } catch {
        refusal = error
      }
    }
    if running.count == 1 { return running[0] }
    guard !running.isEmpty else {
      throw refusal
        ?? CamrecError(
          .device, "found no running recorder with a control socket; start camrec, or name the socket with --socket")
    }
    var list: [String] = []
    for client in running {
      list.append("\(client.path) (\(try client.perform(ControlRequest(.state)).film ?? "no film"))")
    }
    throw CamrecError(
      .usage, "\(running.count) recorders are running; choose one with --name NAME or --socket PATH: "
        + list.joined(separator: ", "))
  }
}
