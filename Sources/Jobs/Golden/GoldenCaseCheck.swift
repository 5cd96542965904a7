import Assembly
import Frames
import Goldens
import MediaFFmpeg
import SectionFile

/// Checks the values of a case that no clip is needed to refuse.
enum GoldenCaseCheck {
  /// Adds what is wrong to the findings of the case's section.
  static func check(_ settings: GoldenCaseSettings, in words: inout SectionArguments<GoldenCaseSettings>) {
    attempt(&words, key: "quality") { () throws(CamrecError) in
      do throws(CamrecError) {
        try MovieWriter.check(settings.encoding)
      } catch where error.reason == .notOffered && !settings.stages.contains(where: \.isOfFilm) {
        // Nothing is encoded.
      }
    }
    attempt(&words, key: "timecode") { () throws(CamrecError) in
      if let timecode = settings.file.timecode { try timecode.check() }
    }
    attempt(&words, key: "look") { () throws(CamrecError) in
      // A file is read with the clip.
      if let look = settings.bake.look, !LookChoice.isFile(look) { _ = try LookChoice(look) }
    }
  }

  /// - Parameter key: the key to blame if the message names none, and quotes no value.
  private static func attempt(
    _ words: inout SectionArguments<GoldenCaseSettings>, key: String, _ body: () throws(CamrecError) -> Void
  ) {
    do throws(CamrecError) { try body() } catch {
      words.blame(error.description, key: error.field?.rawValue ?? key)
    }
  }
}
