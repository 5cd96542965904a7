import RecorderRemote
import Recovery
import Rig
import TestKit
import Testing

struct FolderRecoveryTests {
  @Test func aFolderThatDoesNotExist_isLeftToItsRecorderToSay() throws {
    let folder = try TemporaryFolder()
    let recovery = FolderRecovery(recorders: RecorderDirectory())
    let pattern = FilmNamePattern(folder.path("films/%Y-%m/yak_%H-%M-%S.mov"))
    recovery.begin(FolderRecovery.Place(pattern: pattern, recorder: "yak"))
    let left = recovery.end(within: 60), sentences = recovery.news().map(\.sentence)
    #expect(left == 0 && sentences == [])
  }
}
