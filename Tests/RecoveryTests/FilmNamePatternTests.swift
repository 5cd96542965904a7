import Foundation
import Movies
import Recovery
import Testing

/// Whose films a rig makes ordinary ones of.
@Suite struct FilmNamePatternTests {
  @Test(arguments: [
    ("films/front_%Y-%m-%d_%H-%M-%S.mov", "films/front_2026-10-25_01-20-00.mov", true),
    ("films/front_%Y-%m-%d_%H-%M-%S.mov", "films/front_2026-10-25_01-20-00-0001.mov", true),
    ("films/front_%Y-%m-%d_%H-%M-%S.mov", "films/front_2026-10-25_01-20-00-2.mov", true),
    ("films/front_%Y-%m-%d_%H-%M-%S.mov", "films/front_left_2026-10-25_01-20-00.mov", false),
    ("films/front_%Y-%m-%d_%H-%M-%S.mov", "films/front_2026-10-25_01-20-00.mkv", false),
    ("films/front_%Y-%m-%d_%H-%M-%S.mov", "films/front_2026-10-25_01-20-00_copy.mov", false),
    ("films/front_%Y-%m-%d_%H-%M-%S.mov", "films/front_2026-10-25_01-20-00-.mov", false),
    ("take.mov", "take.mov", true), ("take.mov", "take-0012.mov", true), ("take.mov", "take-2.mov", true),
    ("take.mov", "takes.mov", false), ("take.mov", "take-left.mov", false),
    ("%B.mov", "October.mov", true), ("front_%b.mov", "front_left.mov", false),
    ("%s%%.mov", "1792891200%.mov", true), ("%H%z.mov", "01+0200.mov", true),
    ("%5Y_a.mov", "02026_a.mov", true), ("%5Y_a.mov", "02026_b.mov", false),
    ("d/%Y/%m/a_%H.mov", "d/2026/10/a_01.mov", true), ("d/%Y/%m/a_%H.mov", "d/2026/10/b_01.mov", false),
    ("d/%Y/%m/a_%H.mov", "d/2026/x/a_01.mov", false), ("d/%Y/a.mov", "d/a.mov", false),
  ])
  func namesThatAnOutputCanComeTo(output: String, path: String, isOwn: Bool) {
    #expect(FilmNamePattern(output).matches(path) == isOwn)
  }

  @Test func folderIsWhatNoTimeIsIn() {
    #expect(FilmNamePattern("/films/%Y/a.mov").folder == "/films" && FilmNamePattern("/films/%Y/a.mov").hasTimedFolder)
    #expect(FilmNamePattern("/films/a_%Y.mov").folder == "/films")
    #expect(!FilmNamePattern("/films/a_%Y.mov").hasTimedFolder)
    #expect(FilmNamePattern("/a.mov").folder == "/" && FilmNamePattern("%Y.mov").folder == ".")
  }

  /// Whatever camrec names a film by a pattern, the pattern knows again.
  @Test(arguments: [
    "a", "A", "b", "B", "c", "C", "d", "e", "F", "g", "G", "h", "H", "I", "j", "k", "l", "m", "M", "p", "P", "r", "R",
    "s", "S", "T", "u", "U", "V", "w", "W", "X", "y", "Y", "z", "Z", "-d", "_H", "^a", "010Y", "Ey", "Od",
  ])
  func everyConversionIsKnownAgain(letter: String) throws {
    let pattern = "in/front_%\(letter)_x.mov"
    for day in 0..<400 {
      let date = Date(timeIntervalSince1970: 1_780_000_000 + Double(day) * 90_061)
      for isUTC in [false, true] {
        let path = try OutputPath(pattern: pattern, date: date, isUTC: isUTC).path
        #expect(FilmNamePattern(pattern).matches(path), "\(path)")
      }
    }
  }

  @Test func theCatalogueKnowsBetterThanTheName() {
    let pattern = FilmNamePattern("take.mov")
    #expect(pattern.isOwn("take-2.mov", recorder: "front", owner: nil))
    #expect(!pattern.isOwn("take-2.mov", recorder: "front", owner: "back"))
    #expect(pattern.isOwn("older.mov", recorder: "front", owner: "front"))
  }
}
