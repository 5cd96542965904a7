public import Frames
import Movies
import Platform
import Sidecar
import Synchronization

/// A film that was deleted while it was being recorded and has no copy yet. It exists as long as this object keeps it
/// open.
///
/// Thread: any; `copy` one at a time.
public final class HeldFilm: Sendable {
  /// Enters the copy as a finished film.
  typealias Enter = @Sendable (FinishedSegment) -> Void

  /// Its former path.
  public let path: String
  /// The warning about it, which says how to copy it.
  public let sentence: String
  /// When the warning was first given.
  public let time = MonotonicTime.now()
  private let sink: any MovieSink
  private let sidecar: SidecarWriter?
  private let rescue: FilmRescue
  private let whole = Mutex<(film: FinishedSegment, enter: Enter)?>(nil)

  init(_ segment: OpenSegment, _ rescue: FilmRescue, because error: CamrecError) {
    path = segment.path
    sink = segment.sink
    sidecar = segment.sidecar
    self.rescue = rescue
    let name = PathText(path).name
    var commands = sink.descriptorPath.map { [HeldFilm.command(copying: $0, to: name)] } ?? []
    if let sidecar = sidecar?.descriptorPath {
      commands.append(HeldFilm.command(copying: sidecar, to: SidecarFile.path(ofFilm: name)))
    }
    let lack =
      error.reason == .noRoom
      ? HeldFilm.lack(copy: sink.bytesTaken, room: rescue.room(path), free: FreeSpace.bytes(beside: path)) : nil
    sentence =
      "'\(path)' was deleted or replaced and cannot be copied: \(lack ?? error.message). camrec tries again as soon as"
      + " there is room; without a copy the film is lost when camrec ends. Make room, or copy it now: "
      + commands.joined(separator: "; ")
  }

  /// Why there is no room for a copy; `nil` if what is kept for the recording is not the reason, or that is unknown.
  ///
  /// - Parameters:
  ///   - copy: its bytes.
  ///   - room: bytes that it may take.
  ///   - free: bytes on its disk.
  package static func lack(copy: Int64, room: Int64?, free: Int64?) -> String? {
    guard let room, let free, room < copy, room < free else { return nil }
    return "the copy needs \(ByteCount(copy)), but may take only \(ByteCount(room)) of the \(ByteCount(free)) that are"
      + " free: the rest is the reserve for the recording"
  }

  /// - Parameter path: of the open file, which has no name any more.
  package static func command(copying path: String, to name: String) -> String {
    "cp \(path) \(ShellWord.of("/ANOTHER/DISK/\(name)"))"
  }

  static func success(_ lost: String, _ copy: String) -> SessionRemark {
    SessionRemark("saved what was recorded of '\(lost)' as '\(copy)'", facts: ["deleted": lost, "copy": copy])
  }

  /// The film and its sidecar are completely written: from now on it may be copied.
  func isWhole(_ film: FinishedSegment, enter: @escaping Enter) {
    whole.withLock { $0 = (film, enter) }
    rescue.held.add(self)
  }

  /// Makes a copy, and enters it like any renamed film. Waits for the disk.
  ///
  /// - Parameter isLast: tries even if there seems to be no room.
  /// - Returns: what to report; `nil` if there is still no copy.
  func copy(isLast: Bool) -> [SessionRemark]? {
    guard let (whole, enter) = whole.withLock({ $0 }) else { return nil }
    var film = whole
    // Even a failed attempt makes a file that others may see for a moment.
    guard isLast || (rescue.room(path) ?? .max) >= film.bytes else { return nil }
    guard let copy = try? rescue.copy(sink, of: path) else { return nil }
    var remarks = [HeldFilm.success(path, copy)]
    do throws(CamrecError) {
      try sidecar?.settle(besideFilm: copy) { [rescue] in rescue.room(copy) }
    } catch {
      remarks.append(SessionRemark("the film '\(copy)' has no sidecar: \(error.description)"))
    }
    film.path = copy
    enter(film)
    return remarks
  }
}
