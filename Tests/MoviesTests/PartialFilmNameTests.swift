import Frames
import Movies
import Platform
import Testing

/// Nobody is to look for a hidden file that goes when the bake ends.
@Suite struct PartialFilmNameTests {
  private static let identity = "6E0F6E0B-9F4C-4B6A-8C51-0C6B4B0E7D11"

  @Test func sentencesNameTheFilm() {
    for film in ["m.mov", "d b/m.mkv", "/films/a.b.framemd5", "./m.mov"] {
      let part = PartialFilmName.beginning(of: film) + PartialFilmNameTests.identity + "." + PathText(film).kind
      #expect(PartialFilmName.shown(part) == film)
      #expect(PartialFilmName.shown(part + ".camrec") == film + ".camrec")
      #expect(PartialFilmName.shown(film) == film)
      let fault = OutputFault(.full, .nothing, path: part, frames: 0, bytes: 0, cause: "")
      let sentence = fault.error().message
      #expect(sentence.hasPrefix("the disk of '\(film)' is full. "), "\(sentence)")
    }
  }

  @Test func otherFilesKeepTheirNames() {
    let identity = PartialFilmNameTests.identity
    for path in [".m.mov.part-1.mov", "m.mov.part-\(identity).mov", ".m.mov.part-\(identity).avi", "", "/"] {
      #expect(PartialFilmName.shown(path) == path)
    }
  }
}
