import Foundation
import Frames
import Looks
import Testing

@Suite struct LookFoldersTests {
  @Test func ownLooksComeFirst_thenThoseOfTheProgram() {
    let installed = LookFolders(environment: [:], home: "/home/a", program: "/usr/bin/camrec")
    #expect(installed.paths == ["/home/a/.config/camrec/looks", "/usr/share/camrec/looks"])
    let given = LookFolders(environment: ["XDG_CONFIG_HOME": "/c"], home: "/home/a", program: "/opt/bin/camrec")
    #expect(given.paths == ["/c/camrec/looks", "/opt/share/camrec/looks"])
    let relative = LookFolders(environment: ["XDG_CONFIG_HOME": "c"], home: "/home/a", program: "/usr/bin/camrec")
    #expect(relative.paths == installed.paths)
    let built = LookFolders(environment: [:], home: "/home/a", program: "/src/camrec/.build/x86_64/debug/camrec")
    #expect(built.paths.last == "/src/camrec/Looks" && built.paths.count == 3)
  }

  @Test func nameIsFound_inTheFirstFolderThatHasIt() throws {
    let folder = try LookFolder()
    for name in ["own/b.yaml", "its/b.yaml", "its/a.yaml", "its/README.md", "its/Bad Name.yaml"] {
      try folder.write("".utf8, to: name)
    }
    let root = folder.url.path
    let folders = LookFolders(paths: ["\(root)/own", "\(root)/missing", "\(root)/its"])
    #expect(folders.files == ["\(root)/its/a.yaml", "\(root)/own/b.yaml"])
    #expect(try folders.path(of: "b") == "\(root)/own/b.yaml")
    #expect(try folders.path(of: "some/where/c.yaml") == "some/where/c.yaml")
    #expect(throws: CamrecError(.usage, "there is no look 'portra'; the looks are a, b")) {
      try folders.path(of: "portra")
    }
    #expect(throws: CamrecError(.usage, "there is no look 'bb'; did you mean b?")) { try folders.path(of: "bb") }
    #expect(
      throws: CamrecError(
        .usage, "'look.cube' is neither a look's name nor the path of a look file, which ends in .yaml")
    ) { try folders.path(of: "look.cube") }
    #expect(
      throws: CamrecError(
        .usage, "there is no look 'a'; there are no looks in /nowhere; give the path of a look file")
    ) { try LookFolders(paths: ["/nowhere"]).path(of: "a") }
  }
}
