import Foundation
import Frames
import SectionFile
import Testing

/// Who may have written a file that a rig obeys.
@Suite struct TrustedFileTests {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-trust-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
  }

  private func write(_ text: String = "cameras: {}\n", mode: Int = 0o644) throws -> String {
    let path = folder.appendingPathComponent("rig.yaml").path
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }

  private func refusal(_ path: String, limit: Int = 1000, user: uid_t = geteuid()) -> String? {
    do {
      _ = try TrustedFile.read(path: path, limit: limit, user: user)
      return nil
    } catch {
      #expect(error.code == .input)
      return error.message
    }
  }

  @Test func ownFile_isRead() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(try TrustedFile.read(path: try write("abc"), limit: 3) == Array("abc".utf8))
    #expect(
      refusal(try write("abcd"), limit: 3)
        == "'\(folder.path)/rig.yaml' is larger than 3 bytes; this is probably the wrong file")
  }

  @Test(arguments: [(0o664, "its group"), (0o646, "anybody"), (0o666, "anybody")])
  func fileThatOthersCanWrite_isRefusedWithTheRemedy(_ mode: Int, _ who: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = try write(mode: mode)
    #expect(
      refusal(path)
        == "'\(path)' can be written by \(who), who could change what camrec does; run: chmod go-w '\(path)'")
  }

  @Test func folderInWhichOthersCanExchangeTheFile_isRefused() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = try write()
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
    #expect(
      refusal(path)
        == "the folder '\(folder.path)' of '\(path)' can be written by anybody, who could change what camrec "
        + "does; run: chmod go-w '\(folder.path)'")
    // As /tmp: nobody can exchange what is another's.
    try FileManager.default.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: folder.path)
    #expect(refusal(path) == nil)
  }

  @Test func linkIntoAnOpenFolder_isRefusedForThatFolder() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let open = folder.appendingPathComponent("open")
    try FileManager.default.createDirectory(at: open, withIntermediateDirectories: false)
    let real = open.appendingPathComponent("real.yaml").path
    try Data("x".utf8).write(to: URL(fileURLWithPath: real))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: real)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: open.path)
    let link = folder.appendingPathComponent("rig.yaml").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: real)
    #expect(refusal(link)?.contains("chmod go-w '\(open.path)'") == true)
  }

  @Test func anotherUsersFile_isRefused() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = try write()
    let owner = geteuid()
    // Root's own is anybody's to use.
    let sentence = refusal(path, user: 4711)
    #expect(
      owner == 0
        ? sentence == nil
        : sentence
          == "'\(path)' belongs to user \(owner), who could change what camrec does as user 4711; "
          + "run: chown 4711 '\(path)'")
  }

  @Test func whatIsNoFile_isRefusedWithoutWaiting() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(refusal(folder.path) == "'\(folder.path)' is a folder, not a file")
    let pipe = folder.appendingPathComponent("pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(refusal(pipe) == "'\(pipe)' is a device, pipe or socket, not a file")
    #expect(refusal(folder.path + "/none") == "'\(folder.path)/none' cannot be opened")
  }
}
