import Foundation
import TestKit
import Testing

/// Ctrl-C while a camera is metered, takes stills or is calibrated. That its controls are as they were found is seen on
/// the kernel's own driver (Tests/VM/tests/50-exposure).
@Suite struct InterruptTests {
  @Test(arguments: [
    "meter --at 0.5,0.5 --fps 1", "bracket --shadow 1/15 --highlight 1/250 --capture --output b --fps 1",
    "controls calibrate --fps 1", "bracket --shadow meter:0.5,0.5 --highlight 1/1000 --fps 1",
  ], [SIGINT, SIGTERM])
  func endsIt(line: String, signal: Int32) throws {
    let folder = try TemporaryFolder()
    let sensitivity = line.hasPrefix("controls") ? "gain" : "iso"
    let arguments: [String] = "\(line) --camera sim:sensitivity=\(sensitivity) --size 320x180".split(separator: " ")
      .map { String($0) }
    let running = try CamrecBinary.find().start(
      arguments, in: folder.url, environment: ["XDG_STATE_HOME": folder.path("state")])
    running.awaitSignalHandlers()
    // Until it waits for a frame. Any of these takes more than six, and they come once a second.
    running.awaitRest()
    running.send(signal: signal)
    let outcome = running.wait(timeout: 60)
    #expect(outcome.exitCode == 130 && !outcome.endedBySignal && !outcome.timedOut, "\(outcome.standardError)")
    let stills = try folder.names
    // A still that was finished before stays, with its exposure beside it.
    let said = stills.filter { $0.hasSuffix(".jpg") }.sorted().map { $0 + "\n" }.joined()
    #expect(outcome.standardError == said + "Error: interrupted; restored the settings of simulated camera\n")
    #expect(stills.count == 2 * stills.count(where: { $0.hasSuffix(".json") }), "\(stills)")
  }
}
