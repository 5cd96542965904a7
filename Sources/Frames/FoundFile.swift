import Foundation
package import Frames
import Glibc

/// Where the values that camrec found lie while it has changed them: after a crash the next start puts them back.
///
/// One file for each camera, beside a lock that a living camrec holds; the kernel lets go of it when a process ends,
/// however it ends. Thread: one at a time.
package struct FoundControlsFile: Sendable {
  package let path: String
  private let folder: String
  private let lockPath: String
  private let identity: String
  private var lock: Int32?

  private struct Contents: Codable {
    static let version = 1
    var version = Contents.version
    /// The camera's, in full: its form in the file's name may stand for two.
    var camera: String
    var found: FoundControls
  }

  /// - Parameters:
  ///   - folder: made when something is to be written.
  ///   - identity: the camera's.
  package init(folder: String, identity: String) {
    self.folder = folder
    self.identity = identity
    let allowed = identity.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-.:".contains($0)) ? $0 : "_" }
    path = "\(folder)/found-\(String(allowed.prefix(200))).json"
    lockPath = path + ".lock"
  }

  /// Whether this process has the camera's file for itself, from here to `unlock`.
  ///
  /// - Throws: code `output` where the folder cannot be written.
  package mutating func tryLock() throws(CamrecError) -> Bool {
    if lock != nil { return true }
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw refusal("folder \(folder) cannot be made", error.localizedDescription)
    }
    let descriptor = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw refusal("\(lockPath) cannot be opened") }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      return false
    }
    lock = descriptor
    return true
  }

  package mutating func unlock() {
    if let lock { close(lock) }
    lock = nil
  }

  /// What a camrec that died has left.
  ///
  /// - Throws: code `output` for a file that is there and cannot be read.
  package func read() throws(CamrecError) -> FoundControls? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    do {
      let contents = try JSONDecoder().decode(Contents.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
      return contents.version == Contents.version && contents.camera == identity ? contents.found : nil
    } catch {
      throw CamrecError(
        .output,
        "\(path) cannot be read, and what a camrec that was killed had changed stays; look whether the camera is set "
          + "as you want it", cause: "\(error)")
    }
  }

  /// Replaces what is there, on the disk when this returns. Without the lock the file is another camrec's, and stays.
  package func write(_ found: FoundControls) throws(CamrecError) {
    guard lock != nil else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(Contents(camera: identity, found: found)) else { return }
    do throws(CamrecError) {
      try AtomicFile(path: path, mode: 0o600, isSynchronized: true).replace(with: data)
    } catch {
      throw refusal("\(path) cannot be written", error.cause)
    }
    try? FolderSync.synchronize(folder)
  }

  package func remove() {
    guard lock != nil, unlink(path) == 0 else { return }
    try? FolderSync.synchronize(folder)
  }

  private func refusal(_ what: String, _ cause: String? = nil) -> CamrecError {
    CamrecError(
      .output, "\(what); the camera's controls stay as camrec set them if it dies",
      cause: cause ?? SystemError.words(for: errno))
  }
}
