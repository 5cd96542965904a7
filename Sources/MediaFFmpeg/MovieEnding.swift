import Frames
import Glibc
import MovieBoxes
import Movies
import Synchronization

/// Turns a .mov in fragments into an ordinary one where it lies: an index is appended, and when that is on the medium,
/// one write of 16 bytes makes a single piece of data of everything in front of it. Until that write it is in
/// fragments.
///
/// Thread: `advance` on the disk's, which has just written what it reads; `finish` on the one that ends the film.
final class MovieEnding: Sendable {
  private struct State {
    var scanner = FragmentScanner()
    var failure: LibavError?
    var isOver = false
    var chapters: [MovieChapter] = []
  }

  private let port: any FilePort
  private let state = Mutex(State())

  init(_ port: any FilePort) { self.port = port }

  /// Takes the fragments on that are confirmed. What goes wrong is told by `finish`: the film goes on.
  ///
  /// - Parameter length: of the file.
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

  /// The size of the index, as things are now; never less than it turns out.
  var indexBytes: Int64 {
    state.withLock { $0.scanner.indexBytes.addingSaturated(Int64(MovieChapter.bytes($0.chapters))) }
  }

  /// Of the index. Those that no list has room for are left out there.
  func add(_ chapter: MovieChapter) { state.withLock { $0.chapters.append(chapter) } }

  /// - Parameter file: everything in it is on the medium.
  /// - Returns: bytes of the file.
  /// - Throws: code `output`, with a sentence that says why the file stays in fragments; it plays.
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
      throw refusal(file, "no index can be made of them", error.description)
    }
    let size = file.size
    do throws(LibavError) {
      try file.write(ending.index, at: Int64(scanner.wholeEnd))
      try file.synchronize()
    } catch {
      // What lies behind the fragments would keep nobody from playing them; without it the file is as it was.
      file.truncate(to: size)
      file.synchronizeRest()
      let isFull = file.failure.map { [ENOSPC, EDQUOT, EFBIG].contains($0.number) } ?? false
      let index = ByteCount(Int64(ending.index.count))
      let start = file.failure?.number == EFBIG ? "let files become larger" : "make room"
      let remedy = "\(start), then: camrec recover \(ShellWord.of(file.path))"
      throw refusal(
        file, isFull ? "there is no room for its index, \(index); \(remedy)" : "its index could not be written",
        isFull ? nil : error.cause)
    }
    do throws(LibavError) {
      try file.write(ending.cover, at: Int64(scanner.headerOffset))
      try file.synchronize()
    } catch {
      throw refusal(file, "its index is there and could not be put to use", error.cause)
    }
    return file.size
  }

  private func refusal(_ file: MovieFile, _ reason: String, _ cause: String?) -> CamrecError {
    CamrecError(.output, "'\(file.path)' is complete and plays, but stays in fragments: \(reason)", cause: cause)
  }
}
