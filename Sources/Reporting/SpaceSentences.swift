package import Frames
package import Recorder
package import Retention

/// Sentences about the room on a disk, and about films that are deleted.
package enum SpaceSentences {
  /// - Parameter path: in the films' folder, or that folder.
  package static func notEntered(_ path: String) -> SessionRemark {
    SessionRemark(
      "'\(path)' does not answer; the next recorder of this name there adds the last film to the catalogue",
      facts: ["stalled": path])
  }

  package static func notDone(_ folder: String) -> SessionRemark {
    SessionRemark(
      "camrec ends with work left on the films in '\(folder)'; the next recorder of this name there does it",
      facts: ["folder": folder])
  }

  package static func warning(_ mark: SpaceMark, _ room: SpaceGuard.Room, beside film: String) -> SessionRemark {
    let limit =
      switch mark {
      case .seconds(let seconds): "less than \(HumanText.span(seconds))"
      case .bytes(let bytes): "less than \(HumanText.bytes(bytes))"
      }
    let left = left(room).map { ", \($0)" } ?? ""
    return SessionRemark(
      "the disk of '\(film)' is filling up: it has room for \(limit)"
        + " (\(HumanText.bytes(room.freeBytes)) are free\(left))",
      facts: facts(room))
  }

  /// What helps against a full disk. Names no remedy that is not enough.
  ///
  /// - Parameters:
  ///   - rotates: camrec deletes old films to make room.
  ///   - lack: bytes that have to become free for the next film.
  ///   - reclaimable: bytes of films that may be deleted.
  ///   - kept: films that could be deleted as well, but for their keep marks.
  package static func remedy(
    rotates: Bool, lack: Int64, reclaimable: Int64, kept: (count: Int, bytes: Int64)
  ) -> Sentence {
    let suffices = reclaimable > 0 && reclaimable >= lack
    guard rotates else {
      return suffices ? "free some room, or let \(setting: .onFull) rotate delete the oldest films" : "free some room"
    }
    // If the films without a mark would be enough, something else keeps them from being deleted.
    let helps = kept.count > 0 && !suffices && reclaimable.addingSaturated(kept.bytes) >= lack
    let marks = kept.count == 1 ? "1 film has a keep mark" : "\(kept.count) films have a keep mark"
    let release = helps ? ", or release films: \(marks) ('camrec keep --undo FILE' removes it)" : ""
    return "camrec cannot free enough by deleting old films; free some room\(release)"
  }

  /// Why a film ends before the disk is full.
  package static func end(_ room: SpaceGuard.Room, beside film: String, remedy: Sentence) -> CamrecError {
    CamrecError(
      .output, about: nil,
      "the disk of '\(film)' is nearly full: \(HumanText.bytes(room.freeBytes)) are free, and at the rate at which it "
        + "fills, finishing the film may need \(HumanText.bytes(room.reserve)), so it ends here; \(sentence: remedy)",
      reason: .noRoom)
  }

  /// Why no film starts.
  package static func refusal(_ path: String, free: Int64, needed: Int64, remedy: Sentence) -> CamrecError {
    CamrecError(
      .output, about: nil,
      "there is too little room for '\(path)': \(HumanText.bytes(free)) are free, and a film needs"
        + " \(HumanText.bytes(needed)) to start; \(sentence: remedy)", reason: .noRoom)
  }

  package static func deleted(
    _ film: CataloguedFilm, _ reason: DeletionReason, _ limits: RetentionLimits
  ) -> SessionRemark {
    let why: Sentence =
      switch reason {
      case .age: "it was older than \(HumanText.span(limits.age ?? 0))"
      case .count: "\(setting: .keepCount) \(limits.count ?? 0) was exceeded"
      case .size: "\(setting: .keepSize) \(HumanText.bytes(limits.bytes ?? 0)) was exceeded"
      case .free: "less than \(HumanText.bytes(limits.freeBytes ?? 0)) were free"
      case .room: "the recording needs the room"
      }
    return SessionRemark(
      saying: "'\(film.film)' (\(HumanText.bytes(film.bytes))) was deleted: \(sentence: why)",
      facts: ["deleted": film.film, "reason": reason.rawValue, "bytes": "\(film.bytes)"], isWarning: false)
  }

  /// `about 1:30 h at this rate`.
  private static func left(_ room: SpaceGuard.Room) -> String? {
    room.secondsLeft.map {
      "about \(HumanText.span($0)) at \(room.isExpected ? "the rate expected" : "this rate")"
    }
  }

  private static func facts(_ room: SpaceGuard.Room) -> [String: String] {
    var facts = ["free-bytes": "\(room.freeBytes)", "reserve-bytes": "\(room.reserve)"]
    if let seconds = room.secondsLeft { facts["seconds-left"] = HumanText.fixed(seconds.rounded(.down), 0) }
    if let rate = room.bytesPerSecond { facts["bytes-per-second"] = HumanText.fixed(rate, 0) }
    return facts
  }
}
