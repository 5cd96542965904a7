import Foundation
import Frames
import Jobs
import TestKit
import Testing

/// Lists of clips, from a file and from a command line, and the films that they become.
struct ClipListTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func list(_ text: String, output: String = "graded/{clip}.mov") throws -> [ClipList.Item] {
    let path = try folder.write(text.utf8, to: "list.txt")
    return try ClipList(readingFile: path, output: folder.path(output)).items
  }

  private func item(_ clip: String, _ film: String) -> ClipList.Item {
    ClipList.Item(clip: clip.hasPrefix("/") ? clip : folder.path(clip), film: folder.path(film))
  }

  private func refusal(_ text: String, output: String = "graded/{clip}.mov") -> CamrecError? {
    do {
      _ = try list(text, output: output)
      return nil
    } catch { return error as? CamrecError }
  }

  @Test func aLineIsAClip_butForCommentsAndEmptyLines() throws {
    let items = try list("\u{FEFF}# of the day\n\na.mov\r\n\n/clips/b.v2.mp4\n#c.mov\nsub/d.mov")
    #expect(
      items == [
        item("a.mov", "graded/a.mov"), item("/clips/b.v2.mp4", "graded/b.v2.mov"), item("sub/d.mov", "graded/d.mov"),
      ])
    #expect(try folder.names == ["graded", "list.txt"], "the films' folder is made")
  }

  @Test func blanksAtTheEndsBelongToAPath_unlessOnlyTheOneWithoutIsThere() throws {
    _ = try folder.write([1], to: "a.mov")
    _ = try folder.write([1], to: " b.mov")
    #expect(try list("  a.mov \n b.mov\n c.mov").map(\.clip) == ["a.mov", " b.mov", " c.mov"].map(folder.path))
  }

  @Test func twoClipsDoNotBecomeOneFilm() {
    let error = refusal("a.mov\nother.mov\n\nsub/a.mp4")
    #expect(error?.code == .usage)
    #expect(error?.message.hasPrefix("\(folder.path("list.txt")):4: 'sub/a.mp4' would become the film '") == true)
    #expect(error?.message.contains("', like the clip in line 1; ") == true)
  }

  @Test func aClipIsNotItsOwnFilm() {
    let error = refusal("a.mov\nb.mov", output: "{clip}.mov")
    #expect(error?.code == .usage && error?.message.contains("a.mov' is itself one of the clips") == true)
  }

  @Test func aNameForAllFilmsIsRefused() {
    for output in ["graded/film.mov", "graded/{clip}/film.mov"] {
      #expect(refusal("a.mov", output: output)?.code == .usage, "\(output)")
    }
    #expect((try? folder.names) == ["list.txt"], "nothing was made")
  }

  @Test func aFileThatIsNoListIsRefused() throws {
    #expect(refusal("# nothing\n\n")?.message.contains("names no clip") == true)
    let bytes = try folder.write([0xFF, 0xFE, 0x61], to: "binary.txt")
    for path in [bytes, folder.path("missing.txt")] {
      let error = #expect(throws: CamrecError.self) {
        try ClipList(readingFile: path, output: folder.path("{clip}.mov"))
      }
      #expect(error?.code == .input, "\(path)")
    }
  }

  @Test func clipsOfACommandLineGoIntoAFolder_orUnderAPattern() throws {
    let clips = ["/clips/a.mov", "/clips/b.mov"]
    #expect(
      try ClipList(clips: clips, output: folder.path("out")).items
        == [item("/clips/a.mov", "out/a.mov"), item("/clips/b.mov", "out/b.mov")])
    #expect(try ClipList(clips: clips, output: folder.path("{clip}_g.mkv")).items[1].film == folder.path("b_g.mkv"))
    let film = #expect(throws: CamrecError.self) { try ClipList(clips: clips, output: folder.path("film.mov")) }
    #expect(film?.code == .usage && film?.message.contains("with several clips") == true)
    #expect(
      try ClipList(clips: clips, output: folder.path("out.v2") + "/").items
        == [item("/clips/a.mov", "out.v2/a.mov"), item("/clips/b.mov", "out.v2/b.mov")])
    #expect(try folder.names == ["out", "out.v2"], "a slash at its end says that it is a folder")
    let same = #expect(throws: CamrecError.self) {
      try ClipList(clips: ["/one/a.mov", "/two/a.mov"], output: folder.path("out"))
    }
    #expect(same?.message.contains("like '/one/a.mov'") == true)
  }
}
