import Foundation
import Platform

/// A folder in which recorders keep their state files and sockets, as it was found.
struct DirectoryFolder: Sendable {
  let path: String
  /// Its number among the watched folders; `nil` if it is not there, or not watched.
  var number: FolderWatch.Folder?
  /// State files that could be read, by name.
  private(set) var states: [String: StateEntry] = [:]
  /// Sockets by name, with the process that a name means; some of them are left over from recorders that were killed.
  private(set) var sockets: [String: ProcessWatch?] = [:]

  static let socketSuffix = ".sock"

  init(path: String) { self.path = path }

  /// Whether an entry of this name is a state file or a socket.
  static func isOurs(_ name: String) -> Bool {
    !name.hasPrefix(".") && (name.hasSuffix(StateFile.suffix) || name.hasSuffix(socketSuffix))
  }

  /// Looks through the whole folder; one that is not there is empty.
  mutating func scan() {
    let names = Set((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
    states = states.filter { names.contains($0.key) }
    sockets = sockets.filter { names.contains($0.key) }
    names.filter(DirectoryFolder.isOurs).forEach { look(at: $0) }
  }

  /// Takes note of what is at a name now.
  mutating func look(at name: String) {
    let file = "\(path)/\(name)"
    guard name.hasSuffix(DirectoryFolder.socketSuffix) else {
      states[name] = StateEntry(path: file, known: states[name])
      return
    }
    var status = stat()
    guard unsafe lstat(file, &status) == 0 else {
      sockets[name] = nil
      return
    }
    let process = Int32(PathText(name).stem).flatMap(ProcessWatch.init(pid:))
    sockets.updateValue(process, forKey: name)
  }

  mutating func clear() { (states, sockets) = ([:], [:]) }

  /// The state files by name, each with whether its recorder runs now.
  mutating func readStates() -> [(path: String, entry: StateEntry, isAlive: Bool)] {
    states.keys.sorted().compactMap { name -> (path: String, entry: StateEntry, isAlive: Bool)? in
      guard var entry = states[name] else { return nil }
      let isAlive = entry.isAlive()
      states[name] = entry
      return ("\(path)/\(name)", entry, isAlive)
    }
  }
}
