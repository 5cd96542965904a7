import Color
import Digest
import Foundation
import Frames
import Testing

/// Files on disk: what the operating system has to say.
@Suite struct CubeFileTests {
  /// A folder that its maker removes.
  private struct Folder {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-cubes-\(UUID().uuidString)").path

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    func remove() { try? FileManager.default.removeItem(atPath: path) }

    func write(_ bytes: [UInt8], as name: String = "x.cube") throws -> String {
      let file = path + "/" + name
      try Data(bytes).write(to: URL(fileURLWithPath: file))
      return file
    }
  }

  private func refusal(_ path: String) -> CamrecError? {
    do {
      _ = try LookupTable(readingFile: path)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a file larger than the buffer is the same from disk and from memory`() throws {
    let folder = try Folder()
    defer { folder.remove() }
    let rows = CubeText.rows(33)
    #expect(rows.count == 35_937)
    let bytes = CubeText.cube(["TITLE \"big\"", "LUT_3D_SIZE 33"], rows: rows, end: "\r\n")
    let fromDisk = try LookupTable(readingFile: folder.write(bytes))
    let fromMemory = try CubeText.read(bytes)
    #expect(fromDisk.lattice?.samples == fromMemory.lattice?.samples)
    #expect(fromDisk.sha256 == fromMemory.sha256 && fromDisk.sha256 == SHA256.hash(bytes))
    #expect(fromDisk.title == "big")
  }

  @Test func `missing, a directory, a pipe, a device`() throws {
    let folder = try Folder()
    defer { folder.remove() }
    let missing = folder.path + "/none.cube"
    #expect(refusal(missing) == CamrecError(.input, "the LUT \(missing) does not exist; check the path"))
    #expect(refusal(folder.path)?.message == "the LUT \(folder.path) is a folder; give the path of a .cube file")
    let pipe = folder.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(refusal(pipe)?.message == "the LUT \(pipe) is a device or a pipe; give the path of a .cube file")
    #expect(refusal("/dev/zero")?.message == "the LUT /dev/zero is a device or a pipe; give the path of a .cube file")
  }

  @Test(.enabled(if: getuid() != 0, "root may read everything"))
  func `a file that may not be read`() throws {
    let folder = try Folder()
    defer { folder.remove() }
    let file = try folder.write(CubeText.cube())
    #expect(chmod(file, 0) == 0)
    #expect(refusal(file) == CamrecError(.input, "no permission to read the LUT \(file); check its permissions"))
  }

  @Test func `an empty file`() throws {
    let folder = try Folder()
    defer { folder.remove() }
    let empty = try folder.write([])
    #expect(refusal(empty)?.message == "\(empty) is empty; a .cube file has LUT_3D_SIZE or LUT_1D_SIZE")
  }

  @Test func `five gigabytes are refused by their size, after one piece`() throws {
    let folder = try Folder()
    defer { folder.remove() }
    let file = try folder.write(CubeText.cube())
    #expect(truncate(file, 5_000_000_000) == 0)
    let message = try #require(refusal(file)?.message)
    #expect(message == "\(file) is 5000000000 bytes long; a table of LUT_3D_SIZE 5 takes at most 1079826 bytes")
  }

  @Test func `a symbolic link is followed`() throws {
    let folder = try Folder()
    defer { folder.remove() }
    let file = try folder.write(CubeText.cube())
    let link = folder.path + "/link.cube"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
    #expect(try LookupTable(readingFile: link).lattice?.size == 5)
  }

  /// The collection of 27 files from the wild lies beside the checkout on some machines.
  @Test func `the collected files are read or refused as their list says`() throws {
    let beside = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../shared").standardized.path
    let shared = ProcessInfo.processInfo.environment["CAMREC_SHARED"] ?? beside
    let refused = ["four", "comma", "nan", "short", "long"]
    let names = (try? FileManager.default.contentsOfDirectory(atPath: shared + "/cubes")) ?? []
    for name in names where name.hasSuffix(".cube") {
      let error = refusal(shared + "/cubes/" + name)
      #expect((error != nil) == refused.contains(String(name.dropLast(5))), "\(name): \(error?.message ?? "read")")
    }
  }
}
