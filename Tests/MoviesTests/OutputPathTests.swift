import Foundation
import Frames
import Movies
import Testing

@Suite final class OutputPathTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-output-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  @Test func patternsAreFilledInWithLocalTime() throws {
    let parts = DateComponents(
      calendar: Calendar(identifier: .gregorian), year: 2026, month: 3, day: 9, hour: 7, minute: 5, second: 2)
    let date = try #require(parts.date)
    let output = try OutputPath(pattern: "a/camrec_%Y-%m-%d_%H-%M-%S.mov", date: date)
    #expect(output.path == "a/camrec_2026-03-09_07-05-02.mov")
    #expect(output.container == .mov)
  }

  @Test(arguments: [("a.mov", Container.mov), ("b.MKV", .mkv), ("c.d.framemd5", .framemd5)])
  func extensionChoosesTheContainer(_ path: String, _ container: Container) throws {
    #expect(try OutputPath(pattern: path, date: Date()).container == container)
  }

  @Test(arguments: ["a.mp4", "mov", "a.", "folder/"])
  func anotherExtensionIsRefused(_ path: String) {
    let error = #expect(throws: CamrecError.self) { try OutputPath(pattern: path, date: Date()) }
    #expect(error?.code == .usage)
    #expect(
      error?.message
        == "the output '\(path)' needs a name that ends in .mov, .mkv or .framemd5, the kinds of film")
  }

  @Test func emptyAndEndlessNamesAreRefused() {
    #expect(throws: CamrecError(.usage, "the output has no name; give --output PATH")) {
      try OutputPath(pattern: "", date: Date())
    }
    #expect(throws: CamrecError(.usage, "the output's name is longer than 4096 bytes; choose a shorter --output")) {
      try OutputPath(pattern: String(repeating: "%Y", count: 2000) + ".mov", date: Date())
    }
  }

  @Test func existingFileNeedsOverwrite() throws {
    let path = folder.appendingPathComponent("a.mov").path
    try Data([1]).write(to: URL(fileURLWithPath: path))
    let output = try OutputPath(pattern: path, date: Date())
    try output.check(overwrite: true)
    #expect(
      message { () throws(CamrecError) in try output.check(overwrite: false) }
        == "'\(path)' exists already; choose another --output or allow replacing it with --overwrite")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([1]))
  }

  @Test func namesThatAreTakenOrImpossibleAreToldEarly() throws {
    let link = folder.appendingPathComponent("link.mov").path, pipe = folder.appendingPathComponent("pipe.mov").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path + "/nothing.mov")
    try #require(mkfifo(pipe, 0o600) == 0)
    let long = folder.path + "/" + String(repeating: "x", count: 252) + ".mov"
    for (path, overwrite, sentence) in [
      (link, false, "'\(link)' exists already; choose another --output or allow replacing it with --overwrite"),
      (link, true, nil),
      (pipe, true, "'\(pipe)' is not an ordinary file, which a film has to be; choose another --output"),
      (long, false, "the name '\(long)' is too long for this file system"),
      (long, true, "the name '\(long)' is too long for this file system"),
    ] as [(String, Bool, String?)] {
      #expect(
        message { () throws(CamrecError) in try OutputPath(pattern: path, date: Date()).check(overwrite: overwrite) }
          == sentence)
    }
  }

  @Test func directoriesAndMissingPlacesAreNamed() throws {
    let directory = folder.appendingPathComponent("b.mov").path
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    for (path, sentence) in [
      (directory, "'\(directory)' is a folder; name a file in it"),
      (folder.path, "'\(folder.path)' is a folder; name a file in it"),
      (
        folder.path + "/no/a.mov",
        "the folder of '\(folder.path)/no/a.mov' does not exist; create it or choose another --output"
      ),
      (
        "/proc/self/stat/a.mov",
        "the path '/proc/self/stat/a.mov' has a file where a folder should be; choose another --output"
      ),
    ] {
      #expect(
        message { () throws(CamrecError) in try OutputPath(pattern: path, date: Date()).check(overwrite: true) }
          == sentence)
    }
  }

  @Test func foldersThatTheTimeNamesAreMade() throws {
    let day = DateComponents(calendar: Calendar(identifier: .gregorian), timeZone: .gmt, year: 2026, month: 3, day: 9)
    let date = try #require(day.date), root = folder.path
    let output = try OutputPath(pattern: "\(root)/%Y/rig//%m-%d/take.mov", date: date, isUTC: true)
    #expect(output.path == "\(root)/2026/rig//03-09/take.mov")
    try output.check(overwrite: false)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: root).isEmpty, "it is only looked whether they could be")
    try output.makeFolders()
    try output.makeFolders()
    for made in ["2026", "2026/rig", "2026/rig/03-09"] {
      let mode = try FileManager.default.attributesOfItem(atPath: "\(root)/\(made)")[.posixPermissions] as? Int
      #expect(mode.map { $0 & 0o027 == 0 && $0 & 0o700 == 0o700 } == true, "\(made)")
    }
    try output.check(overwrite: false)
    // Folders that are given are not: a misspelt one would be recorded to.
    let missing = try OutputPath(pattern: "\(root)/no/%Y/take.mov", date: date, isUTC: true)
    let sentence = "the folder of '\(root)/no/2026/take.mov' does not exist; create it or choose another --output"
    #expect(message { () throws(CamrecError) in try missing.check(overwrite: false) } == sentence)
    #expect(
      message { () throws(CamrecError) in try missing.makeFolders() } == "cannot make the folder '\(root)/no/2026'")
    try Data().write(to: folder.appendingPathComponent("2027"))
    let through = try OutputPath(pattern: "\(root)/%Y/take.mov", date: date + 365 * 86400, isUTC: true)
    #expect(
      message { () throws(CamrecError) in try through.check(overwrite: false) }?
        .contains("has a file where a folder should be") == true)
    #expect(OutputPath.hasTimedFolder("a/%Y/b.mov") && !OutputPath.hasTimedFolder("a/%Y.mov"))
  }

  @Test func aBakesFoldersAreMade() throws {
    let root = folder.path, output = try OutputPath(pattern: "\(root)/a/b/c.mov", date: Date()).makingFolders
    try output.check(overwrite: false)
    #expect(try FileManager.default.contentsOfDirectory(atPath: root).isEmpty)
    try output.makeFolders()
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(root)/a") == ["b"])
    try output.check(overwrite: false)
    #expect(try OutputPath(pattern: "c.mov", date: Date()).makingFolders.path == "c.mov")
    try Data().write(to: folder.appendingPathComponent("file"))
    let through = try OutputPath(pattern: "\(root)/file/c.mov", date: Date()).makingFolders
    #expect(
      message { () throws(CamrecError) in try through.check(overwrite: false) }?
        .contains("has a file where a folder should be") == true)
  }

  /// The sentence of the `output` error that `body` throws.
  private func message(_ body: () throws(CamrecError) -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return error.code == .output ? error.message : nil
    }
  }
}
