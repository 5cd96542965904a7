import MovieBoxes
import Movies
import Platform

/// A .mov of camrec without an index: its recording was cut off, or goes on. libavformat reads it up to the first
/// damage; a recovery also finds the frames behind that.
struct UnfinishedRecording {
  private let path: String
  /// Frames that a recovery finds.
  private let frames: UInt64
  /// Somebody records or recovers it.
  private let isInUse: Bool

  /// Bytes at a film's start that include its header, which names the software.
  private static let headBytes = 1 << 16
  private static let software = Array("camrec ".utf8)

  /// `nil` for any other file. Films of other programs may be complete in fragments.
  init?(path: String) {
    guard let file = try? InputFile(path: path),
      let head = try? file.bytes(at: 0, count: UnfinishedRecording.headBytes), RecordingKind(head) == .quickTime,
      head.firstRange(of: UnfinishedRecording.software) != nil
    else { return nil }
    let salvage: MovieSalvage
    do throws(InputFile.ReadFailure) {
      salvage = try MovieSalvage(size: UInt64(file.size)) { (offset, count) throws(InputFile.ReadFailure) in
        try file.bytes(at: offset, count: count)
      }
    } catch { return nil }
    guard salvage.kind == .fragments else { return nil }
    self.path = path
    frames = salvage.pictures
    isInUse = file.lock() == .inUse
    // Whoever records, recovers or deletes it does not wait for a reader.
    file.unlock()
  }

  /// A warning for the start.
  var warning: String {
    isInUse
      ? "\(path) is still being recorded or recovered, so its end is missing"
      : "\(path) is an unfinished recording, and not all of it may be read; \(remedy)"
  }

  /// Says how much was read.
  ///
  /// - Parameters:
  ///   - pictures: number of frames.
  ///   - end: where the last one ends, in seconds.
  func cutSentence(_ pictures: Int, end: String) -> String {
    let read = "\(pictures) frame\(pictures == 1 ? "" : "s") up to \(end) s"
    if isInUse { return "\(path) was still being recorded or recovered: the \(read) were read" }
    return frames > UInt64(clamping: pictures)
      ? "\(path) is an unfinished recording: of its \(frames) frames, the \(read) were read; \(remedy)"
      : "\(path) is an unfinished recording: the \(read) were read, and its end is missing; \(remedy)"
  }

  private var remedy: String { "to finish it first, run: camrec recover \(ShellWord.of(path))" }
}
