import Foundation

/// Where the values that camrec found lie while it has changed them: after a crash the next start puts them back.
///
/// One file for each thing (a camera, a light), beside a lock that a living camrec holds; the kernel lets go of it when a
/// process ends, however it ends. Thread: one at a time.
package struct FoundFile<Found: Codable & Sendable>: Sendable {
  package let path: String
  private let folder: String
  private let lockPath: String
  private let identity: String
  /// What is changed, for sentences: `the camera's controls`.
  private let what: String
  private var lock: Int32?

  private struct Contents: Codable {
    var version = 1
    /// In full: its form in the file's name may stand for two.
    var identity: String
    var found: Found
  }

  /// - Parameters:
  ///   - folder: made when something is to be written.
  ///   - identity: what the thing is known again by.
  ///   - what: of it is changed, for sentences.
  package init(folder: String, identity: String, what: String) {
    self.folder = folder
    self.identity = identity
    self.what = what
    let allowed = identity.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-.:".contains($0)) ? $0 : "_" }
    path = "\(folder)/found-\(String(allowed.prefix(200))).json"
    lockPath = path + ".lock"
  }

  /// Whether this process has the file for itself, from here to `unlock`.
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

  /// What a camrec that died has left.
  ///
  /// - Throws: code `output` for a file that is there and cannot be read.
  package func read() throws(CamrecError) -> Found? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    do {
      let data = Data(try InputFile.read(path: path, limit: 1 << 20))
      let contents = try JSONDecoder().decode(Contents.self, from: data)
      return contents.version == 1 && contents.identity == identity ? contents.found : nil
    } catch {
      throw CamrecError(
        .output,
        "\(path) cannot be read, and what a camrec that was killed had changed stays; look whether \(what) are set "
          + "as you want them", cause: InputFile.words(for: error) ?? "\(error)")
    }
  }

  /// Replaces what is there, on the disk when this returns. Without the lock the file is another camrec's, and stays.
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
      .output, "\(failure); \(what) stay as camrec set them if it dies",
      cause: cause ?? SystemError.words(for: errno))
  }
}
