import Frames
import Glibc
import MovieBoxes
import Movies
import Platform
import Synchronization

/// Turns a .mov in fragments into an ordinary one in place: appends an index and, once that is on the medium, makes
/// everything before it a single piece of data with one write of 16 bytes. Until that write the file stays in
/// fragments.
///
/// Thread: `advance` on the one that has just written what it reads, the disk's for a live film; `finish` on the one
/// that ends the film.
final class MovieEnding: Sendable {
  private struct State {
    var scanner = FragmentScanner()
    var failure: LibavError?
    var isOver = false
    var chapters: [MovieChapter] = []
  }

  private let port: any FilePort
  private let state = Mutex(State())

  /// As `MovieSettings.isOfRig`.
  private let isOfRig: Bool

  init(_ port: any FilePort, isOfRig: Bool) {
    self.port = port
    self.isOfRig = isOfRig
  }

  /// Takes in the fragments that are confirmed. If something goes wrong the film goes on, and `finish` reports it.
  ///
  /// - Parameter length: the file's length.
  func advance(to length: Int64) {
    state.withLock { state in
      guard state.failure == nil, !state.isOver else { return }
      do throws(LibavError) {
        try state.scanner.advance(to: UInt64(length)) { (offset, count) throws(LibavError) in
          do throws(FileFailure) {
            return try port.read(at: Int64(offset), count: count)
          } catch {
            throw LibavError(error)
          }
        }
      } catch {
        state.failure = error
      }
    }
  }

  /// The index's size in bytes if the film ended now; never less than it would really be.
  var indexBytes: Int64 {
    state.withLock { $0.scanner.indexBytes.addingSaturated(Int64(MovieChapter.bytes($0.chapters))) }
  }

  /// Adds a chapter to the index. A list that has no room for it leaves it out.
  func add(_ chapter: MovieChapter) { state.withLock { $0.chapters.append(chapter) } }

  /// - Parameter file: all of its bytes are on the medium.
  /// - Returns: bytes of the file.
  /// - Throws: code `output`, with a message that says why the file stays in fragments; it plays all the same.
  func finish(_ file: MovieFile) throws(CamrecError) -> Int64 {
    advance(to: file.length)
    let (scanner, failure, chapters) = state.withLock { state in
      state.isOver = true
      return (state.scanner, state.failure, state.chapters)
    }
    if let failure { throw refusal(file, "its fragments could not be read back", failure.cause) }
    let ending: FragmentScanner.Ending
    do throws(BoxDamage) {
      if let damage = scanner.damage { throw damage }
      ending = try scanner.ending(chapters: chapters)
    } catch {
      throw refusal(file, "its index could not be built", error.description)
    }
    let size = file.size
    do throws(LibavError) {
      try file.write(ending.index, at: Int64(scanner.wholeEnd))
      try file.synchronize()
    } catch {
      // Data after the fragments would not keep anybody from playing them; without it the file is as it was.
      file.truncate(to: size)
      file.synchronizeRest()
      let isFull = file.failure.map { [ENOSPC, EDQUOT, EFBIG].contains($0.number) } ?? false
      let index = ByteCount(Int64(ending.index.count))
      // A rig works in its file's folder, and whoever copies the command need not.
      let remedy = OutputFault.recovery(
        behind: file.failure?.number == EFBIG ? "raise the file size limit" : "make room",
        of: isOfRig ? PathText(file.path).absolute : file.path
      ).withOptions
      throw refusal(
        file, isFull ? "there is no room for its index of \(index); \(remedy)" : "its index could not be written",
        isFull ? nil : error.cause)
    }
    do throws(LibavError) {
      try file.write(ending.cover, at: Int64(scanner.headerOffset))
      try file.synchronize()
    } catch {
      throw refusal(file, "its index was written but cannot be put to use", error.cause)
    }
    return file.size
  }

  private func refusal(_ file: MovieFile, _ reason: String, _ cause: String?) -> CamrecError {
    let path = PartialFilmName.shown(file.path)
    return CamrecError(.output, "'\(path)' is complete and plays, but stays in fragments: \(reason)", cause: cause)
  }
}
