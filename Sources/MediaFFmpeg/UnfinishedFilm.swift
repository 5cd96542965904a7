import MovieBoxes
import Movies
import Platform

/// A film of camrec that has no end: a .mov without its index, a .mkv without its length. Its recording was cut off, or
/// goes on. libavformat reads a .mov up to the first damage; a recovery also finds the frames behind that.
struct UnfinishedFilm {
  private let path: String
  /// Frames that a recovery finds; `nil` for a .mkv, which needs none.
  private let frames: UInt64?
  /// Somebody records or recovers it.
  private let isInUse: Bool

  /// Bytes at a film's start that include its header, which names the software.
  private static let headBytes = 1 << 16
  private static let software = Array("camrec ".utf8)

  /// `nil` for any other file. Films of other programs may be complete in fragments, or without a length.
  init?(path: String) {
    guard let file = try? InputFile(path: path),
      let head = try? file.bytes(at: 0, count: UnfinishedFilm.headBytes),
      head.firstRange(of: UnfinishedFilm.software) != nil
    else { return nil }
    switch RecordingKind(head) {
    case .quickTime:
      let salvage: MovieSalvage
      do throws(InputFile.ReadFailure) {
        salvage = try MovieSalvage(size: UInt64(file.size)) { (offset, count) throws(InputFile.ReadFailure) in
          try file.bytes(at: offset, count: count)
        }
      } catch { return nil }
      guard salvage.kind == .fragments else { return nil }
      frames = salvage.pictures
    case .matroska:
      guard !MatroskaSegment.hasLength(head) else { return nil }
      frames = nil
    case .hashes, .sidecar, nil: return nil
    }
    self.path = path
    isInUse = file.lock() == .inUse
    // Whoever records, recovers or deletes it does not wait for a reader.
    file.unlock()
  }

  /// Whether it may have frames behind the first `count`, which can be read: a recorder adds them, or a recovery finds
  /// them.
  func mayHaveMore(behind count: Int) -> Bool {
    isInUse || frames.map { $0 > UInt64(clamping: count) } == true
  }

  /// A warning for the start.
  var warning: String {
    isInUse
      ? "\(path) is still being recorded or recovered, so its end is missing"
      : "\(path) is an unfinished film, and not all of it may be read\(remedy)"
  }

  /// Says how much was read.
  ///
  /// - Parameters:
  ///   - pictures: number of frames.
  ///   - end: where the last one ends, in seconds.
  func cutSentence(_ pictures: Int, end: String) -> String {
    let isOne = pictures == 1
    let read = "the \(pictures) frame\(isOne ? "" : "s") up to \(end) s \(isOne ? "was" : "were") read"
    if isInUse { return "\(path) was still being recorded or recovered: \(read)" }
    if let frames, frames > UInt64(clamping: pictures) {
      return "\(path) is an unfinished film: of its \(frames) frames, \(read)\(remedy)"
    }
    return "\(path) is an unfinished film: \(read), and its end is missing\(remedy)"
  }

  private var remedy: String {
    frames == nil ? "" : "; to finish it first, run: camrec recover \(ShellWord.of(path))"
  }
}
