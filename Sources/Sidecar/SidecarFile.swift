import Foundation
import Frames
import Platform

/// Where a film's sidecar lies, and how to recognise one: `take.mov.camrec` beside `take.mov`.
public enum SidecarFile {
  public static let suffix = ".camrec"

  /// How every sidecar begins, whatever its version.
  public static let mark = RecordingKind.sidecarHeading

  /// The version that camrec writes, and the highest that it reads. What a later camrec adds (kinds of records,
  /// members) does not change it; older readers skip that.
  public static let version: Int64 = 1

  public static func path(ofFilm film: String) -> String { film + suffix }

  /// Whether a regular file at `path` begins as a sidecar does. Any thread.
  public static func isSidecar(_ path: String) -> Bool {
    guard let file = try? SidecarInput(path: path) else { return false }
    var buffer = [UInt8](repeating: 0, count: mark.utf8.count)
    var filled = 0
    while filled < buffer.count {
      guard let count = try? file.read(into: &buffer, at: filled), count > 0 else { return false }
      filled += count
    }
    return buffer.elementsEqual(mark.utf8)
  }

  /// Removes the sidecar of a film that is being replaced or does not exist any more. Anything else of that name stays.
  public static func removeLeftover(ofFilm film: String) {
    let path = path(ofFilm: film)
    if isSidecar(path) { try? SystemCall.unlink(path) }
  }
}
