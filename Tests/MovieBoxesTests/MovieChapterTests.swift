import Foundation
import MovieBoxes
import TestKit
import Testing

/// Chapters in a film's index, as players read them.
struct MovieChapterTests {
  private func list(_ bytes: [UInt8]) throws -> Data {
    try #require(FilmBoxes(bytes: bytes).all("moov/udta/chpl").first)
  }

  @Test func theyStandInOrder_withTheirTimes() throws {
    let chapters = [MovieChapter(seconds: 0.25, title: "two"), MovieChapter(seconds: -1, title: "first")]
    let list = try list(ReadFilm.finish(HandMade.fragments(parts: 4).content, chapters: chapters))
    // The version, how many there are, and of each the time in 100 ns and the title.
    let parts: [[UInt8]] = [
      [1, 0, 0, 0, 0, 0, 0, 0, 2], HandMade.big(0, 8), [5], Array("first".utf8), HandMade.big(2_500_000, 8), [3],
      Array("two".utf8),
    ]
    #expect(Array(list) == parts.flatMap { $0 })
    #expect(MovieChapter.bytes(chapters) == list.count + 16 && MovieChapter.bytes([]) == 0)
  }

  @Test func asManyAsAListHolds_withAsMuchOfTheirTitles() throws {
    let title = String(repeating: "é", count: 200)
    let chapters = (0..<300).map { MovieChapter(seconds: Double($0), title: title) }
    let list = try list(ReadFilm.finish(HandMade.fragments(parts: 4).content, chapters: chapters))
    #expect(FilmBoxes.number(list, 8, 1) == UInt64(MovieChapter.most))
    #expect(FilmBoxes.number(list, 17, 1) == 254, "no character is cut in half")
    #expect(list.count == 9 + 255 * (9 + 254))
  }

  @Test func theyJoinWhatElseTheUserDataHold() throws {
    var film = HandMade.fragments(parts: 4)
    film["moov"]?.boxes.append(HandMade.Box("udta", [], [HandMade.Box("name", [1])]))
    let boxes = FilmBoxes(
      bytes: try ReadFilm.finish(film.content, chapters: [MovieChapter(seconds: 0, title: "one")]))
    #expect(boxes.all("moov/udta").count == 1)
    #expect(boxes.all("moov/udta/name").count == 1 && boxes.all("moov/udta/chpl").count == 1)
  }
}
