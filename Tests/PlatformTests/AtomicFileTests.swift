import Foundation
import Frames
import Platform
import Testing

@Suite struct AtomicFileTests {
  private let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/atomic-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private func file(_ name: String, _ mark: String? = nil) -> AtomicFile {
    AtomicFile(path: "\(folder)/\(name)", mark: mark.map { .init(name: "state file", text: $0) })
  }

  private func text(_ name: String) -> String? { try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8) }

  private func put(_ bytes: [UInt8], _ name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
  }

  private func refusal(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch { return (error as? CamrecError)?.message }
  }

  /// A file that is written piece by piece, at any place in it, appears as a whole or not at all.
  @Test func aWriterThatFailsLeavesTheOldFile() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = file("p")
    func write(_ text: String, to descriptor: Int32, at place: Int) {
      _ = Array(text.utf8).withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(place)) }
    }
    try file.replace { (descriptor) throws(CamrecError) in
      write("end", to: descriptor, at: 5)
      write("start", to: descriptor, at: 0)
    }
    #expect(text("p") == "startend")
    #expect(
      refusal {
        try file.replace { (descriptor) throws(CamrecError) in
          write("half", to: descriptor, at: 0)
          throw CamrecError(.input, "no more")
        }
      } == "no more")
    #expect(text("p") == "startend")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["p"])
  }

  @Test func whatCamrecWroteBeforeIsReplaced() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = file("s", "camrec-state")
    try file.replace(with: "{camrec-state 1}".utf8)
    try file.replace(with: "{camrec-state 2}".utf8)
    #expect(text("s") == "{camrec-state 2}")
    // The mark may stand at the end of a long one, and an empty file is nobody's.
    try put(Array((String(repeating: ".", count: 100_000) + "camrec-state").utf8), "s")
    try file.replace(with: "{camrec-state 3}".utf8)
    try put([], "s")
    try file.replace(with: "{camrec-state 4}".utf8)
    #expect(text("s") == "{camrec-state 4}")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["s"])
    file.remove()
    #expect(text("s") == nil)
  }

  @Test func anythingElseStays() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let kinds: [(name: String, bytes: [UInt8], sentence: String)] = [
      ("v.mov", [0, 0, 0, 20] + Array("ftypqt  ".utf8), "is a film, and is not overwritten; choose another name"),
      ("w.mov", [0, 0, 0, 8] + Array("wide".utf8) + Array("mdat".utf8), "is a film"),
      ("m.mkv", [0x1A, 0x45, 0xDF, 0xA3, 1], "is a film"),
      ("h.framemd5", Array("#format: frame checksums\n#version: 2\n".utf8),
        "is a hash recording, and is not overwritten; choose"),
      ("v.mov.camrec", Array("{\"camrec-sidecar\":1,\"film\":\"v.mov\"}\n".utf8),
        "is a film's sidecar, and is not overwritten; choose another name"),
      (
        "notes", Array("shopping".utf8),
        "is not a state file written by camrec, and is not overwritten; choose another name"
      ),
    ]
    for (name, bytes, sentence) in kinds {
      try put(bytes, name)
      let file = file(name, "camrec-state")
      #expect(refusal { try file.replace(with: "x".utf8) }?.contains(sentence) == true)
      #expect(refusal { try file.check() }?.contains(sentence) == true)
      file.remove()
      #expect(FileManager.default.contents(atPath: "\(folder)/\(name)") == Data(bytes))
    }
    // Without a mark, too, a film is a film.
    #expect(refusal { try file("v.mov").replace(with: "x".utf8) }?.contains("is a film") == true)
    #expect(refusal { try file("h.framemd5").replace(with: "x".utf8) }?.contains("is a hash recording") == true)
    #expect(refusal { try file("v.mov.camrec").replace(with: "x".utf8) }?.contains("is a film's sidecar") == true)
    try file("notes").replace(with: "x".utf8)
    #expect(text("notes") == "x")
    // Goldens are hashes, and replace nothing else.
    func golden(_ name: String) -> AtomicFile {
      AtomicFile(path: "\(folder)/\(name)", mark: .hashes(name: "golden"))
    }
    try golden("h.framemd5").replace(with: "#format: frame checksums\n#new".utf8)
    #expect(text("h.framemd5") == "#format: frame checksums\n#new")
    #expect(refusal { try golden("notes").check() }?.contains("is not a golden written by camrec") == true)
    #expect(refusal { try golden("v.mov").check() }?.contains("is a film") == true)
  }

  @Test func whatOlderVersionsWroteIsKnown() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = AtomicFile(
      path: "\(folder)/p", mark: .init(name: "page", text: "camrec-page", older: ["first style", "second style"]))
    for text in ["a camrec-page", "a second style"] {
      try put(Array(text.utf8), "p")
      try file.check()
    }
    try put(Array("a page".utf8), "p")
    #expect(refusal { try file.check() }?.contains("is not a page written by camrec") == true)
  }

  @Test func aFolderThatTakesNoFileIsFoundBefore() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try AtomicFile(path: "\(folder)/new").check()
    #expect(refusal { try AtomicFile(path: "\(folder)/none/new").check() }?.contains("cannot be written") == true)
    try put(Array("text".utf8), "file")
    #expect(refusal { try AtomicFile(path: "\(folder)/file/new").check() }?.contains("cannot be written") == true)
  }

  @Test func whatIsNoOrdinaryFileIsWrittenToOrRefused() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    mkfifo("\(folder)/fifo", 0o600)
    try FileManager.default.createDirectory(atPath: "\(folder)/d", withIntermediateDirectories: false)
    #expect(refusal { try file("fifo").replace(with: "x".utf8) }?.contains("is not an ordinary file") == true)
    #expect(refusal { try file("d").replace(with: "x".utf8) }?.contains("is a folder; name a file in it") == true)
    let null = AtomicFile(path: "/dev/null", mark: .init(name: "state file", text: "camrec-state"))
    try null.replace(with: "x".utf8)
    null.remove()
    var status = stat()
    #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    let full = AtomicFile(path: "/dev/full")
    #expect(refusal { try full.replace(with: "x".utf8) }?.contains("'/dev/full' cannot be written") == true)
  }
}
