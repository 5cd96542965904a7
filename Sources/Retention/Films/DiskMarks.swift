import Foundation

/// Marks of deletions on a disk that have not been seen to free anything yet, for recorders of all its folders.
///
/// Each mark is a small JSON file, `DISK.ID.trying`, beside the control sockets, in a folder that lasts as long as the
/// system runs. The folders' own marks last longer.
///
/// Thread: any.
public final class DiskMarks: Sendable {
  public struct Mark: Hashable, Sendable, Codable {
    /// The film's folder.
    public var folder: String
    /// The id of its entry.
    public var film: String
    /// Bytes that have to be unused on the disk before another film is deleted for lack of room.
    public var enough: Int64

    /// Tells this mark from others.
    var description: String { "\(folder)/\(film) \(enough)" }
  }

  private let path: String
  private let disk: String
  private let system: any FolderPort
  private static let suffix = ".trying"
  private static let mostBytes = 8192

  /// - Parameters:
  ///   - folder: its path; others make it.
  ///   - disk: identifies the disk, the same for all its folders; without `/`.
  public init(folder: String, disk: String, system: any FolderPort = SystemFolder()) {
    path = folder
    self.disk = disk
    self.system = system
  }

  private func name(_ film: String) -> String { "\(disk).\(film)\(DiskMarks.suffix)" }

  private func withFolder<R>(_ body: (Int32) throws(FolderFailure) -> R) throws(FolderFailure) -> R {
    let folder = try system.openFolder(path)
    defer { system.close(folder) }
    return try body(folder)
  }

  /// - Throws: if there is no place for it.
  func add(_ mark: Mark) throws(FolderFailure) {
    guard let bytes = try? JSONEncoder().encode(mark) else { return }
    try withFolder { (folder) throws(FolderFailure) in
      // So that nobody reads half a mark.
      let name = name(mark.film), new = ".\(name).new"
      try? system.unlink(new, in: folder)
      let file = try system.open(new, in: folder, .create)
      defer { system.close(file) }
      guard try system.write(Array(bytes).span, to: file) == bytes.count else { throw FolderFailure(ENOSPC) }
      try system.rename(new, to: name, in: folder)
    }
  }

  var all: [Mark] {
    let marks = try? withFolder { (folder) throws(FolderFailure) in
      try system.names(in: folder).filter { $0.hasPrefix("\(disk).") && $0.hasSuffix(DiskMarks.suffix) }.sorted()
        .compactMap { read($0, folder) }
    }
    return marks ?? []
  }

  private func read(_ name: String, _ folder: Int32) -> Mark? {
    guard let file = try? system.open(name, in: folder, .read) else { return nil }
    defer { system.close(file) }
    guard let status = try? system.status(of: file), status.isOrdinary, [0, geteuid()].contains(status.owner),
      let bytes = try? system.read(file, at: 0, count: DiskMarks.mostBytes),
      let mark = try? JSONDecoder().decode(Mark.self, from: Data(bytes)), mark.enough >= 0, name == self.name(mark.film)
    else { return nil }
    return mark
  }

  func remove(where isOver: (Mark) -> Bool) {
    for mark in all where isOver(mark) {
      _ = try? withFolder { (folder) throws(FolderFailure) in try system.unlink(name(mark.film), in: folder) }
    }
  }
}
