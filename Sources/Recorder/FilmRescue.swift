import Foundation
import Frames
import Movies

/// How to save a film whose file was deleted while it was being recorded.
public struct FilmRescue: Sendable {
  /// Finds an unused name for a copy. Any thread.
  public var freeName: @Sendable (_ film: String) -> String
  /// Bytes that a copy may take on the disk without endangering the current film; `nil` if unknown. Any thread; waits
  /// for the disk.
  public var room: @Sendable (_ film: String) -> Int64?
  /// Keeps the films that cannot be copied yet.
  public var held: HeldFilms

  public init(
    freeName: @escaping @Sendable (_ film: String) -> String, room: @escaping @Sendable (_ film: String) -> Int64?,
    held: HeldFilms
  ) {
    self.freeName = freeName
    self.room = room
    self.held = held
  }

  /// Copies a film to an unused name. Waits for the disk.
  ///
  /// - Returns: the copy's path.
  /// - Throws: code `output`.
  func copy(_ sink: any MovieSink, of lost: String) throws(CamrecError) -> String {
    var path = lost
    // Another program may take each name before camrec does.
    for _ in 0..<FilmNames.attempts {
      path = freeName(lost)
      do throws(CamrecError) {
        try sink.copy(to: path) { room(path) }
        return path
      } catch {
        if error != OutputPath.refusal(path, EEXIST) { throw error }
      }
    }
    throw OutputPath.refusal(path, EEXIST)
  }
}
