import Foundation
import Frames
import Movies

/// What is done for a film whose file was deleted while it was recorded.
public struct FilmRescue: Sendable {
  /// A name that nobody has, for a copy. Any thread.
  public var freeName: @Sendable (_ film: String) -> String
  /// Bytes that a copy may take on the disk, so that the film that is recorded goes on; `nil` where nobody knows. Any
  /// thread; waits for the disk.
  public var room: @Sendable (_ film: String) -> Int64?
  /// Keeps those of which no copy can be made yet.
  public var held: HeldFilms

  public init(
    freeName: @escaping @Sendable (_ film: String) -> String, room: @escaping @Sendable (_ film: String) -> Int64?,
    held: HeldFilms
  ) {
    self.freeName = freeName
    self.room = room
    self.held = held
  }

  /// Copies a film under a free name. Waits for the disk.
  ///
  /// - Returns: the copy's path.
  /// - Throws: code `output`.
  func copy(_ sink: any MovieSink, of lost: String) throws(CamrecError) -> String {
    var path = lost
    // Somebody may take each name before it is used.
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
