import CameraTestKit
import Foundation
import TestKit
import Testing

/// What comes before a recording's first frame: the light is met, and what nobody has measured of the camera is
/// measured.
@Suite(.serialized) struct ExposureStartTests {
  private let camrec: CamrecBinary
  private let folder: TemporaryFolder

  init() throws {
    camrec = try CamrecBinary.find()
    folder = try TemporaryFolder()
  }

  private func record(_ line: String, timeout: Double = 60) throws -> (Events, CamrecBinary.Outcome) {
    let arguments = "\(line) --size 320x180 --json --output take.mov --overwrite --exposure-trace take.trace"
    let outcome = try camrec.run(
      arguments.split(separator: " ").map(String.init), in: folder.url, environment: environment, timeout: timeout)
    return (try Events(outcome), outcome)
  }

  private var environment: [String: String] { ["XDG_STATE_HOME": folder.path("state")] }

  /// EV above grey of each frame that was seen, recorded or not.
  private func levels() throws -> [Double] {
    try String(contentsOfFile: folder.path("take.trace"), encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("frame ") }
      .compactMap { line in
        line.split(separator: " ").first { $0.hasPrefix("level=") }.flatMap { Double($0.dropFirst(6)) }.map {
          $0 / 1024
        }
      }
  }

  private func isReplayed() throws -> Bool {
    try camrec.run(["exposure", "replay", "take.trace"], in: folder.url).exitCode == 0
  }

  // MARK: The light

  @Test(arguments: [("0.05", 1), ("0.05", 5), ("3", 2), ("0.25", 3)])
  func theFirstFrameIsExposed(light: String, delay: Int) throws {
    let (events, outcome) = try record("--camera sim:pace=pulled,light=\(light),delay=\(delay) --frames 24")
    #expect(outcome.exitCode == 0 && events.account == [24, 24, 24], "what was only seen is not in the ledger")
    let levels = try levels(), seen = levels.count - 24
    #expect((1...12).contains(seen), "\(seen) frames, and half a second are 12")
    #expect(abs(levels[0]) > 1 && levels.dropFirst(seen).allSatisfy { abs($0) < 0.15 }, "\(levels)")
    let film = try RecordedFilm(path: folder.path("take.mov"))
    #expect(film.pictures.first?.time == 0 && film.isInOrder && film.missingNumbers == [])
    #expect(film.numbers.first == UInt32(seen))
    #expect(try isReplayed())
  }

  /// 1.2146 times the light makes the simulated scene as bright as the meter wants it.
  @Test func whatIsExposedAlreadyIsNotWaitedFor() throws {
    _ = try record("--camera sim:pace=pulled,light=1.2146 --frames 8")
    #expect(try RecordedFilm(path: folder.path("take.mov")).numbers == (0..<8).map { UInt32($0) })
  }

  @Test(arguments: ["--exposure manual --iso 100", "--exposure locked"])
  func whatFollowsNothingIsNotWaitedFor(mode: String) throws {
    _ = try record("--camera sim:pace=pulled,light=0.05 \(mode) --frames 8")
    #expect(try RecordedFilm(path: folder.path("take.mov")).numbers == (0..<8).map { UInt32($0) })
  }

  @Test func lightThatCannotBeMetIsWaitedForHalfASecond() throws {
    let (events, _) = try record("--camera sim:pace=pulled,light=0.002 --frames 48")
    #expect(events.account == [48, 48, 48])
    #expect((1...12).contains(try levels().count - 48))
  }

  /// In real time, since a pulled camera with encoded pictures is not exposed.
  @Test func encodedPicturesAreMetToo() throws {
    let (events, outcome) = try record("--camera sim:light=0.1 --pixel-format mjpeg --frames 24")
    #expect([0, 3].contains(outcome.exitCode) && events.account[0] == 24, "\(outcome.standardError)")
    let levels = try levels()
    #expect(abs(levels[0]) > 1 && abs(levels[levels.count - 20]) < 0.15, "\(levels)")
  }

  // MARK: The camera

  private struct Kept: Decodable {
    struct Point: Decodable {
      let number: Double
      let ev: Double
    }
    let points: [Point]
    let delay: Int
  }

  private func kept() throws -> Kept? {
    let state = folder.path("state/camrec")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: state)) ?? []
    guard let name = names.first(where: { $0.hasPrefix("gain-") }) else { return nil }
    return try JSONDecoder().decode(Kept.self, from: Data(contentsOf: URL(fileURLWithPath: "\(state)/\(name)")))
  }

  @Test(arguments: [1, 2, 5])
  func aGainThatNobodyMeasuredIsMeasuredOnce(delay: Int) throws {
    let line = "--camera sim:pace=pulled,sensitivity=gain,delay=\(delay),light=0.5 --frames 24"
    let (first, outcome) = try record(line)
    #expect(outcome.exitCode == 0 && first.account == [24, 24, 24], "no recorded frame measures anything")
    let sentences = first.warnings.filter { $0.contains("calibrated") }
    let words = try #require(sentences.first)
    #expect(sentences.count == 1)
    let frames = delay == 1 ? "1 frame" : "\(delay) frames"
    // Behind it is the end, or what of the gain this light does not show.
    let told = words.components(separatedBy: "settings show after ").last?.components(separatedBy: ";").first
    #expect(words.hasPrefix("simulated camera was calibrated in ") && told == frames, "\(words)")
    let kept = try #require(try kept(), "\(first.warnings)")
    #expect(kept.delay == delay && kept.points.count >= 8)
    // Tenths of a decibel: 60.2 of them are a stop. Where noise fills the shadows, its logarithm lies lower.
    for point in kept.points where point.number < 300 {
      #expect(abs(point.ev - point.number / 60.206) < 0.2, "\(point)")
    }
    let levels = try levels()
    #expect(levels.suffix(24).allSatisfy { abs($0) < 0.2 }, "\(levels)")
    #expect(try isReplayed())
    let (second, _) = try record(line)
    #expect(second.warnings.filter { $0.contains("calibrated") } == [])
  }

  @Test func encodedPicturesMeasureAsWell() throws {
    let (events, _) = try record("--camera sim:sensitivity=gain,light=0.5 --pixel-format mjpeg --frames 12")
    #expect(events.warnings.contains { $0.hasPrefix("simulated camera was calibrated in ") }, "\(events.warnings)")
    #expect(try kept()?.delay == 2)
  }

  @Test(arguments: [
    ("0.001", "light 0 0.001", "its frames do not respond to the exposure time"),
    ("0.5", "light 60 2", "the light changed meanwhile"),
  ])
  func whereItFailsTheRecordingGoesOn(light: String, fault: String, sentence: String) throws {
    let script = try folder.write(fault.utf8, to: "faults")
    let (events, outcome) = try record(
      "--camera sim:pace=pulled,sensitivity=gain,light=\(light),faults=\(script) --frames 24")
    #expect(outcome.exitCode == 0 && events.account == [24, 24, 24])
    #expect(
      events.warnings.contains(
        "could not calibrate simulated camera: \(sentence); the camera's gain is not calibrated: ISO is relative, and "
          + "the lowest gain counts as ISO 100"), "\(events.warnings)")
    #expect(try kept() == nil && isReplayed())
  }

  @Test func whoFollowsNothingMeasuresNothing() throws {
    let (events, _) = try record("--camera sim:pace=pulled,sensitivity=gain --exposure locked --frames 8")
    #expect(events.warnings.filter { $0.contains("calibrated") } == [])
    #expect(try kept() == nil)
  }

  /// At two frames a second it takes a minute.
  @Test func anInterruptEndsIt() throws {
    let running = try camrec.start(
      "--camera sim:sensitivity=gain --fps 2 --size 320x180 --output take.mov".split(separator: " ").map(String.init),
      in: folder.url, environment: environment)
    running.awaitSignalHandlers()
    Thread.sleep(forTimeInterval: 0.5)
    running.send(signal: SIGINT)
    let outcome = running.wait(timeout: 60)
    #expect(outcome.exitCode == 0 && !outcome.endedBySignal && !outcome.timedOut, "\(outcome.standardError)")
    #expect(try kept() == nil && !FileManager.default.fileExists(atPath: folder.path("take.mov")))
    #expect(!outcome.standardError.contains("calibrat"), "\(outcome.standardError)")
  }
}
