public import Frames
import Foundation
import Glibc
import Recorder

/// Where recorders have their control sockets unless they are told otherwise.
public struct ControlPlace: Sendable {
  /// Where recorders may be, and where this process has its own: the first of them that it may use.
  private let folders: [String]
  private let own: String?

  /// Of root's, where systemd does not say another.
  private static let root = "/run/camrec"

  /// Of this process.
  public init() { self.init(environment: ProcessInfo.processInfo.environment, isRoot: geteuid() == 0) }

  /// - Parameter environment: `XDG_RUNTIME_DIR` as pam_systemd sets it for users, `RUNTIME_DIRECTORY` as
  ///   systemd.exec(5) sets it for services (several are separated by colons; the first counts).
  public init(environment: [String: String], isRoot: Bool) {
    // Both are absolute by definition; what is not was set by mistake.
    func folder(_ path: some StringProtocol) -> [String] { path.hasPrefix("/") ? [String(path)] : [] }
    let user = folder(environment["XDG_RUNTIME_DIR"] ?? "").map { "\($0)/camrec" }
    let service = (environment["RUNTIME_DIRECTORY"] ?? "").split(separator: ":").prefix(1).flatMap(folder)
    let given = user + service
    own = given.first ?? (isRoot ? ControlPlace.root : nil)
    // A service that runs several times has a folder there for each instance.
    let instances = ControlPlace.folders(in: ControlPlace.root)
    folders = (given + [ControlPlace.root] + instances).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// One folder, and no other.
  public init(folder: String) {
    folders = [folder]
    own = folder
  }

  /// Where this process has its own; `nil` where it has no place for one.
  public var folder: String? { own }

  /// The socket of a process; `nil` where it has no place for one.
  public func socket(pid: Int32) -> String? { own.map { "\($0)/\(pid).sock" } }

  /// The file that a recorder has here beside its socket; `nil` where this process has no place for one.
  public func file(_ name: String) -> String? { own.map { "\($0)/\(name)" } }

  /// The folders in a folder, by name.
  private static func folders(in folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { !$0.hasPrefix(".") }.sorted().map { "\(folder)/\($0)" }.filter { path in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
  }

  /// Every file in these places whose name ends so.
  public func files(suffix: String) -> [String] {
    folders.flatMap { folder in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") }.sorted().map { "\(folder)/\($0)" }
    }
  }

  /// The sockets in these places that are called so, also those that nobody listens on any more.
  public func sockets(named name: String) -> [String] { sockets.filter { PathText($0).stem == name } }

  /// Makes the folder of this process's own files where it is missing, mode 0750. One that cannot be made is told by
  /// who writes there.
  public func makeFolder() {
    if let own { _ = SocketFile.makeFolder(own) }
  }

  /// Every socket in these places, also those that nobody listens on any more.
  var sockets: [String] { files(suffix: ".sock") }

  /// Connects to the one recorder that runs.
  ///
  /// - Throws: code `device` where there is none or it does not answer, code `usage` where there are several: the
  ///   sentence names them with their films.
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
          .device, "no recorder is running that has a control socket; start camrec, or name its socket with --socket")
    }
    var list: [String] = []
    for client in running {
      list.append("\(client.path) (\(try client.perform(ControlRequest(.state)).film ?? "no film"))")
    }
    throw CamrecError(
      .usage, "\(running.count) recorders are running; choose one with --name NAME or --socket PATH: \(list.joined(separator: ", "))")
  }
}
