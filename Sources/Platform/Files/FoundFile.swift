import Foundation
package import Frames

/// Keeps the values that camrec found before it changed them, so that the next start can put them back after a crash.
///
/// One file for each thing (a camera, a light), beside a lock that a running camrec holds; the kernel releases it when
/// the process ends, however it ends. Thread: one at a time.
package struct FoundFile<Found: Codable & Sendable>: Sendable {
  package let path: String
  private let folder: String
  private let lockPath: String
  private let identity: String
  /// The things that are changed, for messages: `the camera's controls`.
  private let what: String
  private var lock: Int32?

  private struct Contents: Codable {
    var version = 1
    /// In full: two identities may be shortened to the same file name.
    var identity: String
    var found: Found
  }

  /// - Parameters:
  ///   - folder: created when something has to be written.
  ///   - identity: identifies the thing when it is seen again.
  ///   - what: the things that are changed, in the plural, for messages.
  package init(folder: String, identity: String, what: String) {
    self.folder = folder
    self.identity = identity
    self.what = what
    let allowed = identity.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-.:".contains($0)) ? $0 : "_" }
    path = "\(folder)/found-\(String(allowed.prefix(200))).json"
    lockPath = path + ".lock"
  }

  /// Takes the file's lock until `unlock`; false if another process has it.
  ///
  /// - Throws: code `output` if the folder cannot be written.
  package mutating func tryLock() throws(CamrecError) -> Bool {
    if lock != nil { return true }
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw refusal("the folder \(folder) cannot be made", error.localizedDescription)
    }
    let descriptor = unsafe open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
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

  /// The values that a killed camrec left behind.
  ///
  /// - Throws: code `output` for a file that exists but cannot be read. The message begins with `path`.
  package func read() throws(CamrecError) -> Found? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    do {
      let data = Data(try InputFile.read(path: path, limit: 1 << 20))
      let contents = try JSONDecoder().decode(Contents.self, from: data)
      return contents.version == 1 && contents.identity == identity ? contents.found : nil
    } catch {
      throw CamrecError(
        .output,
        "\(path) cannot be read, so \(what) stay as an interrupted camrec left them; check that they are set as you "
          + "want them", cause: InputFile.words(for: error) ?? "\(error)")
    }
  }

  /// Replaces the file, which is on the disk when this returns. Does nothing without the lock: the file then belongs to
  /// another camrec.
  package func write(_ found: Found) throws(CamrecError) {
    guard lock != nil else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(Contents(identity: identity, found: found)) else { return }
    do throws(CamrecError) {
      try AtomicFile(path: path, mode: 0o600, isSynchronized: true).replace(with: data)
    } catch {
      throw refusal("\(path) cannot be written", error.cause)
    }
    try? FolderSync.synchronize(folder)
  }

  package func remove() {
    guard lock != nil, unsafe unlink(path) == 0 else { return }
    try? FolderSync.synchronize(folder)
  }

  private func refusal(_ failure: String, _ cause: String? = nil) -> CamrecError {
    CamrecError(
      .output, "\(failure); if camrec is killed, \(what) stay as it set them",
      cause: cause ?? SystemError.words(for: errno))
  }
}
