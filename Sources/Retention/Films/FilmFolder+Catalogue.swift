import Foundation
public import Frames
import Platform

/// The catalogue's file: locked while it is read or written, and only appended to.
extension FilmFolder {
  func withCatalogue<Result>(_ body: (Int32) throws(CamrecError) -> Result) throws(CamrecError) -> Result {
    let file = try lockedCatalogue()
    // Closing the file releases the lock.
    defer { system.close(file) }
    catchUp(file)
    return try body(file)
  }

  private func lockedCatalogue() throws(CamrecError) -> Int32 {
    while true {
      let file: Int32
      do throws(FolderFailure) {
        file = try system.open(FilmFolder.catalogueName, in: folder, .append)
      } catch {
        throw failure("cannot be opened", error.number)
      }
      guard lock(file) else {
        system.close(file)
        throw failure("stays locked by another recorder; check whether that one hangs", nil)
      }
      guard let status = status(of: file) else {
        system.close(file)
        throw failure("cannot be examined", nil)
      }
      if let trouble = trouble(status) {
        system.close(file)
        throw trouble
      }
      // Another recorder may have rewritten it while this one waited.
      if let named = self.status(of: FilmFolder.catalogueName), named.inode == status.inode { return file }
      system.close(file)
    }
  }

  /// - Returns: false if another recorder has it. On a file system without locks there is nothing to wait for.
  private func lock(_ file: Int32) -> Bool {
    let begin = MonotonicTime.now()
    hasLocks = true
    while true {
      do throws(FolderFailure) { try system.lock(file) } catch {
        guard error.number == EWOULDBLOCK else {
          hasLocks = false
          break
        }
        guard Double(MonotonicTime.now() - begin) * 1e-9 < patience else {
          patience = 0
          return false
        }
        WorkThread.sleep(.milliseconds(5))
        continue
      }
      break
    }
    patience = FilmFolder.longestWait
    return true
  }

  /// Anybody who can write the catalogue could have films deleted.
  private func trouble(_ status: FileStatus) -> CamrecError? {
    guard status.isOrdinary else { return failure("is not an ordinary file; move it away", nil) }
    guard status.owner == geteuid() || status.owner == 0 else {
      return failure(
        "belongs to user \(status.owner); run: chown \(geteuid()) \(path)/\(FilmFolder.catalogueName)", nil)
    }
    guard !status.isWritableByOthers else {
      return failure("can be written by others; run: chmod go-w \(path)/\(FilmFolder.catalogueName)", nil)
    }
    return nil
  }

  private func failure(_ what: String, _ number: Int32?) -> CamrecError {
    CamrecError(
      .output, "the catalogue of films '\(path)/\(FilmFolder.catalogueName)' \(what)",
      cause: number.map { SystemError.words(for: $0) })
  }

  /// Reads what others have written.
  private func catchUp(_ file: Int32) {
    guard let status = status(of: file) else { return }
    if status.inode != read.inode || status.bytes < read.bytes {
      catalogue = FilmCatalogue()
      read = (status.inode, 0)
    }
    let rest = Int(status.bytes - read.bytes)
    guard rest > 0, let bytes = bytes(of: file, most: rest, from: read.bytes) else { return }
    for line in bytes.split(separator: UInt8(ascii: "\n")) { CatalogueLine(bytes: line).map { catalogue.take($0) } }
    read.bytes += Int64(bytes.count)
  }

  /// Rewrites the catalogue without what is no longer of use, if that is most of it: films that camrec has deleted or
  /// that somebody has taken away.
  ///
  /// - Parameter smallest: up to this many bytes, rewriting is not worth it.
  /// - Throws: code `output`; the catalogue is then as it was.
  public func tidy(smallest: Int = 1 << 20) throws(CamrecError) {
    try withCatalogue { (_) throws(CamrecError) in
      // Without a lock, another recorder's line could be lost.
      guard hasLocks, read.bytes > Int64(smallest) else { return }
      var catalogue = catalogue
      // A film whose deletion was cut off has its hidden name.
      catalogue.forget(names: { [$0.film, FilmFolder.goingName($0.id)] }, where: isMissing)
      let bytes = catalogue.lines.flatMap(\.bytes)
      guard bytes.count < Int(read.bytes) / 2 else { return }
      let name = FilmFolder.catalogueName + ".new"
      try? system.unlink(name, in: folder)
      let file: Int32
      do throws(FolderFailure) { file = try system.open(name, in: folder, .create) } catch {
        throw failure("cannot be rewritten", error.number)
      }
      defer { system.close(file) }
      do throws(CamrecError) {
        try write(bytes, to: file)
        do throws(FolderFailure) { try system.rename(name, to: FilmFolder.catalogueName, in: folder) } catch {
          throw failure("cannot be replaced", error.number)
        }
        try? system.synchronize(folder)
      } catch {
        try? system.unlink(name, in: folder)
        throw error
      }
    }
  }

  func append(_ line: CatalogueLine) throws(CamrecError) {
    try withCatalogue { (file) throws(CamrecError) in try append(line, to: file) }
  }

  /// Appends on a line of its own, even after a line that a crash has cut off; on the medium when it returns.
  func append(_ line: CatalogueLine, to file: Int32) throws(CamrecError) {
    var text = line.bytes
    if read.bytes > 0, bytes(of: file, most: 1, from: read.bytes - 1) != [UInt8(ascii: "\n")] {
      text.insert(UInt8(ascii: "\n"), at: 0)
    }
    try write(text, to: file)
    catchUp(file)
  }

  private func write(_ bytes: [UInt8], to file: Int32) throws(CamrecError) {
    do throws(FolderFailure) { try put(bytes, into: file) } catch {
      throw failure("cannot be written", error.number)
    }
  }
}
