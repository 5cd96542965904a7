import Foundation
import Frames
import Platform
import Synchronization
import Testing
import Triggers

/// Through a named pipe, which says what an input device says; the kernel's own are in the virtual machine.
struct ButtonListenerTests {
  private static func event(_ type: UInt16, _ code: UInt16, _ value: Int32) -> Data {
    var data = Data(count: 16)
    withUnsafeBytes(of: type) { data.append(contentsOf: $0) }
    withUnsafeBytes(of: code) { data.append(contentsOf: $0) }
    withUnsafeBytes(of: value) { data.append(contentsOf: $0) }
    return data
  }

  private static func wait(_ what: String, until condition: () -> Bool) {
    for _ in 0..<1000 where !condition() { usleep(10_000) }
    #expect(condition(), "waited in vain until \(what)")
  }

  @Test func aButton_isHeard_goes_andComesBack() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("event0").path
    let presses = Atomic<Int>(0), warnings = Mutex<[String]>([])
    let choice = try ButtonChoice(parsing: "KEY_RECORD@\(path)")
    let listener = ButtonListener(
      choice, debounce: 1_000_000, grabs: false, pressed: { presses.add(1, ordering: .relaxed) },
      warn: { sentence in warnings.withLock { $0.append(sentence) } })
    defer { listener.close() }
    Self.wait("it is missed") { warnings.withLock { $0.count } == 1 }
    let refusal = "cannot open the input device '\(path)'; list the devices with 'ls -l /dev/input/by-id"
    #expect(warnings.withLock { $0[0] }.contains(refusal))
    for round in 1...2 {
      mkfifo(path, 0o600)
      let pipe = try FileHandle(forUpdating: URL(fileURLWithPath: path))
      Self.wait("it is there") { warnings.withLock { $0.last == "the button \(choice) is back" } }
      // Another key, a movement, the one that is meant, and its repeats.
      for data in [
        Self.event(1, 28, 1), Self.event(2, 0, 1), Self.event(1, 167, 1), Self.event(0, 0, 0), Self.event(1, 167, 2),
      ] {
        try pipe.write(contentsOf: data)
      }
      Self.wait("it is pressed") { presses.load(ordering: .relaxed) == round }
      try pipe.write(contentsOf: Self.event(1, 167, 0))
      usleep(50_000)
      #expect(presses.load(ordering: .relaxed) == round)
      try FileManager.default.removeItem(atPath: path)
      try pipe.close()
      Self.wait("it is gone") {
        warnings.withLock { $0.last == "the button \(choice) is gone; waiting for it to come back" }
      }
    }
  }
}
