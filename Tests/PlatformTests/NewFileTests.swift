import Foundation
import Frames
import Platform
import Testing
import TestKit

/// A file that somebody has named: new, or one that may be replaced.
@Suite struct NewFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ text: String, to path: String, overwrite: Bool = false) throws(CamrecError) {
    try NewFile.write(Array(text.utf8), to: path, overwrite: overwrite)
  }

  private func text(_ name: String) throws -> String { try String(contentsOfFile: folder.path(name), encoding: .utf8) }

  @Test func fileThatIsThere_isReplacedOnlyWhereAllowed_andKeepsItsMode() throws {
    let path = try folder.write("old".utf8, to: "f")
    try FileManager.default.setAttributes([.posixPermissions: 0o604], ofItemAtPath: path)
    let error = #expect(throws: CamrecError.self) { try write("new", to: path) }
    #expect(error?.field == .overwrite && error?.reason == .exists)
    #expect(try text("f") == "old")
    try write("new", to: path, overwrite: true)
    #expect(try text("f") == "new")
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
    #expect(mode?.intValue == 0o604)
    #expect(try folder.names == ["f"])
  }

  @Test func link_staysALink_andOneToNothingIsRefused() throws {
    _ = try folder.write("old".utf8, to: "f")
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "f")
    try write("new", to: folder.path("link"), overwrite: true)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link")) == "f")
    #expect(try text("f") == "new")
    try FileManager.default.createSymbolicLink(atPath: folder.path("lost"), withDestinationPath: "none")
    #expect(throws: CamrecError.self) { try write("new", to: folder.path("lost"), overwrite: true) }
    #expect(try folder.names == ["f", "link", "lost"])
  }

  @Test func recording_isNeverReplaced() throws {
    let sidecar = RecordingKind.sidecarHeading + "1}"
    let path = try folder.write(sidecar.utf8, to: "f")
    let refusal = CamrecError(.output, "'\(path)' is a film's sidecar, and is not overwritten; choose another name")
    #expect(throws: refusal) { try write("new", to: path, overwrite: true) }
    #expect(try text("f") == sidecar)
  }
}
