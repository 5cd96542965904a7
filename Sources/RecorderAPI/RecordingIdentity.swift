public import Foundation

/// Which recording and which film, wherever the file lies and whatever it is called.
///
/// A recording goes from a start to a stop. All its films have its UUID, and each has one of its own: the segments of a
/// divided recording, and films that continue another one after a lost camera or a change of format. A film keeps its
/// UUID when it is renamed, moved, copied or recovered; a film that is baked from it has another.
public struct RecordingIdentity: Hashable, Sendable {
  public let recording: UUID
  public let film: UUID

  /// - Parameter recording: of the recording that the film belongs to; by default, a recording begins with it.
  public init(recording: UUID = UUID(), film: UUID = UUID()) {
    self.recording = recording
    self.film = film
  }

  /// As `recordingID` and `filmID` write them.
  ///
  /// - Returns: `nil` if one of them is not a UUID.
  public init?(recordingID: String, filmID: String) {
    guard let recording = UUID(uuidString: recordingID), let film = UUID(uuidString: filmID) else { return nil }
    self.init(recording: recording, film: film)
  }

  /// The recording's UUID as sidecars, events and states write it: in lower case.
  public var recordingID: String { recording.uuidString.lowercased() }
  /// The film's UUID, likewise.
  public var filmID: String { film.uuidString.lowercased() }

  /// Another film of the same recording.
  public func anotherFilm() -> RecordingIdentity { RecordingIdentity(recording: recording) }
}
