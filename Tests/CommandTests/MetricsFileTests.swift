import Foundation
import TestKit
import Testing

/// What a recorder writes for node_exporter, and says to systemd.
@Suite struct MetricsFileTests {
  let folder: TemporaryFolder
  let binary: CamrecBinary

  init() throws {
    folder = try TemporaryFolder()
    binary = try CamrecBinary.find()
  }

  private func record(_ arguments: [String]) throws -> CamrecBinary.Outcome {
    try binary.run(
      [
        "--camera", "sim:pace=pulled,faults=faults.txt", "--size", "64x36", "--microphone", "sim", "--output",
        "take.mov",
        "--control", "none", "--state", "none",
      ] + arguments, in: folder.url)
  }

  @Test func metrics_passPromtool_andAgreeWithTheLedger() throws {
    _ = try folder.write("drop 5 2\n".utf8, to: "faults.txt")
    let outcome = try record(["--frames", "60", "--name", "front", "--metrics", "camrec.prom", "--json"])
    #expect(outcome.exitCode == 3, "\(outcome.standardError)")
    let text = try String(contentsOfFile: folder.path("camrec.prom"), encoding: .utf8)
    try Tool.run(["promtool", "check", "metrics"], input: Data(text.utf8))
    let mode = try FileManager.default.attributesOfItem(atPath: folder.path("camrec.prom"))[.posixPermissions] as? Int
    #expect(mode == 0o644, "the collector is another user")
    let lines = text.split(separator: "\n")
    for line in [
      #"camrec_frames_expected_total{camera="front"} 60"#, #"camrec_frames_written_total{camera="front"} 58"#,
      #"camrec_frames_lost_total{camera="front",reason="device_gap"} 2"#, #"camrec_films_total{camera="front"} 1"#,
      #"camrec_phase{camera="front",phase="ended"} 1"#,
    ] { #expect(lines.contains { $0 == line }, "\(line) in \(text)") }
    let events = try Events(outcome)
    let bytes = try #require(lines.first { $0.hasPrefix("camrec_film_bytes_total{") }?.split(separator: " ").last)
    #expect(Int(bytes) == events.stopped["bytes"] as? Int)
    #expect(try folder.names.filter { $0.contains("prom") } == ["camrec.prom"], "nothing is left beside it")
  }

  /// So that the test above can fail.
  @Test func promtool_refusesWhatIsNoMetric() {
    #expect(throws: Tool.Failure.self) {
      try Tool.run(["promtool", "check", "metrics"], input: Data("camrec_x{camera=\"a} 1\n".utf8))
    }
  }

  /// Starts a recorder that keeps its metrics in `camrec.prom`.
  private func start(
    _ name: String, _ more: [String], environment: [String: String] = [:]
  ) throws -> RunningCamrec {
    try binary.start(
      [
        "--camera", "sim:pace=pulled", "--size", "64x36", "--microphone", "none", "--output", "\(name).mov",
        "--control", "none", "--state", "none", "--name", name, "--metrics", "camrec.prom",
      ] + more, in: folder.url, environment: environment)
  }

  private func text() -> String { (try? String(contentsOfFile: folder.path("camrec.prom"), encoding: .utf8)) ?? "" }

  @Test(arguments: ["metrics.txt", ".prom", "folder/.prom"])
  func fileThatTheCollectorWouldNotRead_isRefused(_ name: String) throws {
    let outcome = try record(["--metrics", name])
    #expect(outcome.exitCode == 64)
    let sentence = "the collector reads only names that end in .prom, as in --metrics camrec.prom; '\(name)' does not"
    #expect(outcome.standardError.contains(sentence))
    #expect(try folder.names == [])
  }

  /// As a state file: two that took turns would be two series in one.
  @Test func fileOfARunningRecorder_isLeftToIt() throws {
    let front = try start("front", [])
    for _ in 0..<3000 where !text().contains(#"camera="front""#) { usleep(20_000) }
    let back = try start("back", ["--frames", "24"]).wait()
    let sentence =
      "'camrec.prom' is the metrics file of a running recorder (process \(front.processIdentifier)); "
      + "choose another --metrics; the recorder continues without it, and tries again every second"
    #expect(back.exitCode == 0 && back.standardError.contains(sentence), "\(back.standardError)")
    #expect(text().contains(#"camera="front""#) && !text().contains(#"camera="back""#))
    front.send(signal: SIGTERM)
    #expect(front.wait().exitCode == 0)
    #expect(try start("back2", ["--frames", "24"]).wait().exitCode == 0)
    #expect(text().contains(#"camera="back2""#), "it is free when its recorder has ended")
  }

  /// Held between its look for another recorder and its own first write, the first one has the file all the same.
  @Test func ofTwoThatStartAtOnce_oneHasTheFile() throws {
    #expect(try start("old", ["--frames", "24"]).wait().exitCode == 0)
    let gate = try FileGate(path: folder.path("gate"), ofFile: "camrec.prom")
    let front = try start("front", [], environment: try gate.environment())
    try gate.awaitSomebody()
    let back = try start("back", ["--frames", "24"]).wait()
    #expect(back.exitCode == 0 && text().contains(#"camera="old""#), "\(back.standardError)")
    gate.open()
    for _ in 0..<3000 where !text().contains(#"camera="front""#) { usleep(20_000) }
    #expect(text().contains(#"camera="front""#) && !text().contains(#"camera="back""#))
    front.send(signal: SIGTERM)
    #expect(front.wait().exitCode == 0)
  }

  @Test func serviceManager_isToldFromReadyToStopping() throws {
    _ = try folder.write([], to: "faults.txt")
    let socket = try NotifySocket(path: folder.path("notify"))
    let running = try binary.start(
      [
        "--camera", "sim:pace=pulled", "--size", "64x36", "--microphone", "none", "--output", "take.mov", "--control",
        "none",
        "--state", "none",
      ], in: folder.url,
      environment: ["NOTIFY_SOCKET": folder.path("notify"), "WATCHDOG_USEC": "30000000"])
    var told: [String] = []
    for _ in 0..<1500 where told.count(where: { $0 == "WATCHDOG=1\n" }) < 2 || !told.contains("READY=1\n") {
      usleep(20_000)
      while let message = socket.take() { told.append(message) }
    }
    running.send(signal: SIGTERM)
    #expect(running.wait().exitCode == 0)
    while let message = socket.take() { told.append(message) }
    #expect(told.count { $0 == "READY=1\n" } == 1)
    #expect(told.count { $0 == "WATCHDOG=1\n" } >= 2)
    #expect(told.contains { $0.hasPrefix("STATUS=recording") })
    #expect(told.last == "STOPPING=1\n")
  }
}

/// A socket as systemd has one for its services.
final class NotifySocket {
  private let descriptor: Int32

  init(path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let result = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0, "bind: \(errno)")
  }

  deinit { close(descriptor) }

  /// The next datagram that has come.
  func take() -> String? {
    var room = [UInt8](repeating: 0, count: 1 << 14)
    let count = recv(descriptor, &room, room.count, Int32(MSG_DONTWAIT))
    return count < 0 ? nil : String(decoding: room[..<count], as: UTF8.self)
  }
}
