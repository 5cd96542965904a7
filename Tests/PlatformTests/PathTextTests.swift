import Foundation
import Frames
import Platform
import Testing

@Suite struct PathTextTests {
  @Test func partsOfAPath() {
    for (text, folder, name, kind, without) in [
      ("take.mov", "", "take.mov", "mov", "take"), ("x", "", "x", "", "x"), ("-", "", "-", "", "-"),
      (".", "", ".", "", "."), ("..", "", "..", "", ".."), ("", "", "", "", ""), ("/", "/", "/", "", "/"),
      ("//", "/", "/", "", "//"), ("./", "", ".", "", "./"), ("d/f", "d", "f", "", "d/f"),
      ("d/f.mov/", "d", "f.mov", "mov", "d/f"), ("/f.mov", "/", "f.mov", "mov", "/f"), ("//f", "/", "f", "", "//f"),
      ("/a//b/c.d.mov", "/a//b", "c.d.mov", "mov", "/a//b/c.d"), (".mov", "", ".mov", "", ".mov"),
      ("a/.mov", "a", ".mov", "", "a/.mov"), ("a.b/c", "a.b", "c", "", "a.b/c"),
      ("ü/名.MOV", "ü", "名.MOV", "MOV", "ü/名"),
      ("a\nb/c\n.mov", "a\nb", "c\n.mov", "mov", "a\nb/c\n"), ("take.", "", "take.", "", "take."),
    ] {
      let path = PathText(text)
      #expect(path.folder == folder && path.name == name, "\(text): \(path.folder) \(path.name)")
      #expect(path.kind == kind && path.withoutKind == without, "\(text): \(path.kind) \(path.withoutKind)")
    }
    #expect(PathText("d/take.mov").stem == "take" && PathText("x").stem == "x" && PathText("").stem == "")
  }

  /// As the C library's own functions say it.
  @Test func folderAndNameAreDirnamesAndBasenames() {
    let pieces = ["a", "bc", ".", "..", "/", "//", "d.e", "-"]
    for first in pieces {
      for second in pieces {
        for third in pieces {
          let text = first + second + third
          // Two slashes at the beginning may mean anything (4.16, Pathname Resolution).
          if text.hasPrefix("//") { continue }
          var bytes = Array(text.utf8CString), more = bytes
          let dir = bytes.withUnsafeMutableBufferPointer { String(cString: dirname($0.baseAddress)) }
          let base = more.withUnsafeMutableBufferPointer { String(cString: __xpg_basename($0.baseAddress)) }
          #expect(PathText(text).folderOrDot == dir, "\(text)")
          #expect(PathText(text).name == base, "\(text)")
        }
      }
    }
  }

  @Test func whatTwoNamesMeanIsOne() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/paths-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder + "/real", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "real")
    try FileManager.default.createSymbolicLink(atPath: folder + "/loop", withDestinationPath: "loop")
    let real = PathText(folder + "/real").resolved
    #expect(PathText(folder + "/link").resolved == real)
    #expect(PathText(folder + "/link/none.mov").resolved == real + "/none.mov")
    #expect(PathText(folder + "/link/no/ne.mov").resolved == real + "/no/ne.mov")
    #expect(PathText(folder + "/loop").resolved.hasSuffix("/loop"))
    #expect(PathText("x").absolute == FileManager.default.currentDirectoryPath + "/x")
    #expect(PathText("/x").absolute == "/x" && PathText("/nowhere/at/all").resolved == "/nowhere/at/all")
    #expect(PathText("").appending("x") == "x" && PathText("/").appending("x") == "/x")
    #expect(PathText("d").appending("x") == "d/x")
  }
}
