import Digest
import Foundation
import Testing

/// Against RFC 1321's own examples (A.5), and md5sum.
@Suite struct MD5LanesTests {
  private func hashes(_ messages: [[UInt8]], _ level: MD5Lanes.Level) -> [String] {
    Array(messages.joined()).withUnsafeBytes { MD5Lanes.hashes($0, size: messages[0].count, level: level) }
  }

  @Test(arguments: [
    ("a", "0cc175b9c0f1b6a831c399e269772661"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
    ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
    ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
    (
      "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
      "57edf4a22be3c955ac49da2e2107b67a"
    ),
  ]) func `the examples of the standard, in every lane`(text: String, hash: String) {
    for level in MD5Lanes.Level.available {
      for count in 1...MD5Lanes.count {
        #expect(hashes(Array(repeating: Array(text.utf8), count: count), level) == Array(repeating: hash, count: count))
      }
    }
  }

  /// Around the ends of blocks, and each lane with a message of its own.
  @Test(arguments: MD5Lanes.Level.available) func `every length gives what md5sum gives`(level: MD5Lanes.Level) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-md5-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var found: [String] = []
    var names: [String] = []
    for length in Array(1...130) + [4095, 65536, 100_001] {
      let messages = (0..<MD5Lanes.count).map { lane in
        (0..<length).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 7 &+ 37 * lane) }
      }
      found += hashes(messages, level)
      for (lane, message) in messages.enumerated() {
        let name = folder.appendingPathComponent("\(length)-\(lane)")
        try Data(message).write(to: name)
        names.append(name.path)
      }
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/md5sum")
    process.arguments = names
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let said = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(said.split(separator: "\n").map { String($0.prefix(32)) } == found)
  }
}
