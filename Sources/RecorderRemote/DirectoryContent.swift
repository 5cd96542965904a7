import Foundation
import Platform
import RecorderAPI

/// What is known of the folders of recorders, kept up to date by the kernel's reports.
///
/// Where folders cannot be watched, each update looks through them.
struct DirectoryContent: Sendable {
  /// The content at one moment.
  struct Look: Sendable {
    /// Running recorders first, by name, then the others, the latest report first.
    var recorders: [KnownRecorder] = []
    /// Sockets, including those on which nobody listens any more.
    var sockets: [String] = []
    /// By name.
    var running: [LocalRecorder] = []
    /// Running processes whose end is a change.
    var processes: [ProcessWatch] = []
    /// Reports changes in the folders; `nil` if nothing does.
    var watch: FolderWatch?
    /// The kernel does not report everything: look again after a while.
    var isIncomplete = false
  }

  private let place: ControlPlace
  private var watch: FolderWatch?
  /// Not all folders can be watched.
  private var isBlind = false
  private var hasLooked = false
  private var folders: [DirectoryFolder] = []
  /// Watched folders above those that are not there, with the names that will lead to these.
  private var lookouts: [FolderWatch.Folder: Set<String>] = [:]

  /// How often to try to watch a folder that comes and goes.
  private static let attempts = 8

  init(_ place: ControlPlace) { self.place = place }

  /// Takes note of all changes so far.
  ///
  /// - Returns: whether there were reports of any.
  mutating func update() -> Bool {
    if !hasLooked {
      hasLooked = true
      watch = FolderWatch()
      isBlind = watch == nil
      arrange(anew: true)
      return false
    }
    if isBlind {
      lookThrough()
      return false
    }
    guard let events = watch?.read(), !events.isEmpty else { return false }
    var changed: [Int: Set<String>] = [:]
    var (isLost, isMoved) = (false, false)
    for event in events {
      switch event {
      case .lost: isLost = true
      case .gone(let number):
        if lookouts[number] != nil || folders.contains(where: { $0.number == number }) { isMoved = true }
      case .changed(let number, let name):
        if lookouts[number]?.contains(name) == true { isMoved = true }
        for (index, folder) in folders.enumerated() where folder.number == number {
          if DirectoryFolder.isOurs(name) {
            changed[index, default: []].insert(name)
          } else if folder.path == place.instancesFolder, !name.hasPrefix(".") {
            isMoved = true
          }
        }
      }
    }
    // However often a file was replaced, it is read once.
    for (index, names) in changed { names.forEach { folders[index].look(at: $0) } }
    if isLost || isMoved { arrange(anew: isLost) }
    return isLost || isMoved || !changed.isEmpty
  }

  /// The content as it is now. Call `update` before.
  mutating func look() -> Look {
    var look = Look()
    look.watch = isBlind ? nil : watch
    look.isIncomplete = isBlind
    for index in folders.indices {
      for (path, entry, isAlive) in folders[index].readStates() {
        let health = RecorderHealth(entry.record, uptime: StateRecord.uptime(), isAlive: isAlive)
        look.recorders.append(KnownRecorder(path: path, record: entry.record, health: health))
        if let process = entry.process { look.processes.append(process) }
        if entry.isUnwatched { look.isIncomplete = true }
      }
      look.sockets += folders[index].sockets.keys.sorted().map { "\(folders[index].path)/\($0)" }
    }
    look.recorders.sort { one, other in
      if one.isAlive != other.isAlive { return one.isAlive }
      return one.isAlive ? one.record.name < other.record.name : one.record.time > other.record.time
    }
    look.running = look.recorders.filter(\.isAlive).map { recorder in
      LocalRecorder(
        name: recorder.record.name, pid: recorder.record.writer.pid, socket: recorder.record.socket,
        monitor: recorder.record.monitor, stateFile: recorder.path)
    }
    addSockets(to: &look)
    return look
  }

  /// Adds the recorders that keep a socket, but no state file.
  private func addSockets(to look: inout Look) {
    let claimed = Set(look.recorders.compactMap(\.record.socket).map { PathText($0).resolved })
    for folder in folders {
      for (name, process) in folder.sockets {
        let path = "\(folder.path)/\(name)", stem = PathText(name).stem
        guard !claimed.contains(PathText(path).resolved) else { continue }
        let pid = Int32(stem)
        if pid != nil {
          guard let process, !process.hasEnded else { continue }
          look.processes.append(process)
        }
        look.running.append(LocalRecorder(name: stem, pid: pid, socket: path, stateFile: nil))
      }
    }
    look.running.sort { ($0.name, $0.socket ?? "") < ($1.name, $1.socket ?? "") }
  }

  // MARK: Folders

  /// Watches the folders that are there now, and looks through those that were not watched before.
  ///
  /// - Parameter anew: looks through all of them.
  private mutating func arrange(anew: Bool) {
    let known = folders, former = Set(known.compactMap(\.number)).union(lookouts.keys)
    (folders, lookouts) = ([], [:])
    for path in place.fixedFolders { follow(path, known, anew) }
    // They are listed once the folder that they are in is watched: none can be missed.
    for path in place.folders where !folders.contains(where: { $0.path == path }) { follow(path, known, anew) }
    let present = Set(folders.compactMap(\.number)).union(lookouts.keys)
    former.subtracting(present).forEach { watch?.remove($0) }
    if isBlind { lookThrough() }
  }

  private mutating func follow(_ path: String, _ known: [DirectoryFolder], _ anew: Bool) {
    var folder = known.first { $0.path == path } ?? DirectoryFolder(path: path)
    let former = folder.number
    folder.number = number(of: path)
    if folder.number == nil {
      folder.clear()
    } else if anew || folder.number != former {
      folder.scan()
    }
    folders.append(folder)
  }

  /// Watches a folder, or the nearest one above it that is there.
  ///
  /// - Returns: the folder's own number; `nil` if it is not there.
  private mutating func number(of path: String) -> FolderWatch.Folder? {
    guard let watch else { return nil }
    for _ in 0..<DirectoryContent.attempts {
      do throws(FolderWatch.Refusal) {
        return try watch.add(path)
      } catch {
        if error == .exhausted { isBlind = true }
      }
      var missing = path
      while !isBlind {
        let above = PathText(missing).folder
        if let number = try? watch.add(above) {
          lookouts[number, default: []].insert(PathText(missing).name)
          break
        }
        isBlind = above == missing || above.isEmpty
        missing = above
      }
      // It may have been made meanwhile.
      var status = stat()
      if unsafe isBlind || lstat(missing, &status) != 0 { return nil }
    }
    // Something is there, but no folder that this user may read.
    return nil
  }

  private mutating func lookThrough() {
    let known = folders
    folders = place.folders.map { path in
      var folder = known.first { $0.path == path } ?? DirectoryFolder(path: path)
      folder.scan()
      return folder
    }
  }
}
