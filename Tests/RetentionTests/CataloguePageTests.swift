import Foundation
import Retention
import Testing

/// `Documentation/Space.md` names every line of a catalogue, and all that is in it.
@Suite struct CataloguePageTests {
  private static let page: String = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return (try? String(contentsOf: root.appending(path: "Documentation/Space.md"), encoding: .utf8)) ?? ""
  }()

  private static let moment = Moment(boot: "boot", uptime: 1, time: 2, isSynchronized: true)

  static let lines = [
    CatalogueLine(
      begun: CatalogueLine.Begun(
        id: "a", film: "a.mov", recorder: "front", recorderID: "r", inode: 1, former: "b.mov", moment: moment)),
    CatalogueLine(
      finished: CataloguedFilm(
        film: "a.mov", recorder: "front", recorderID: "r", inode: 1, bytes: 1, head: "0", finished: moment,
        begun: moment, start: "2026-11-26T11:13:41Z")),
    CatalogueLine(deleted: CatalogueLine.Deleted(id: "a", film: "a.mov", reason: .age, moment: moment)),
    CatalogueLine(hooked: CatalogueLine.Hooked(id: "a", outcome: .failed, tries: 1, moment: moment, error: "1")),
    CatalogueLine(adopted: CatalogueLine.Adopted(id: "r", by: "s", recorder: "front", moment: moment)),
    CatalogueLine(moved: CatalogueLine.Moved(film: "a.mov", begun: moment, moment: moment)),
    CatalogueLine(seen: moment),
  ]

  @Test(arguments: lines) func everyMemberIsNamed(line: CatalogueLine) throws {
    func check(_ value: Any) {
      for (key, member) in value as? [String: Any] ?? [:] {
        #expect(Self.page.contains("`\(key)`"), "\(key)")
        check(member)
      }
    }
    check(try JSONSerialization.jsonObject(with: Data(line.bytes)))
  }
}
