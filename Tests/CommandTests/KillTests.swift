import CameraTestKit
import Foundation
import TestKit
import Testing

/// SIGKILL at random moments of a recording in real time. `scripts/soak-kill` does it two hundred times.
///
/// What is lost is measured from outside: the wall clock at the kill, less that of the first frame's exposure, which
/// the sidecar's head has, less what plays. The limit of a second is checked by the soak only, since a busy machine may
/// give the recorder or its disk no time; here the film holds all that the recorder has said to be on the disk.
@Suite(.serialized) struct KillTests {
  private struct Kill {
    /// Seconds of film that were taken when the kill came, and that play.
    var taken: Double
    var kept: Double
    var lost: Double { taken - kept }
  }

  private let environment = ProcessInfo.processInfo.environment
  private var count: Int { environment["CAMREC_KILLS"].flatMap(Int.init) ?? 12 }
  private var isSoak: Bool { environment["CAMREC_KILLS"] != nil }
  private static let rate = 24.0

  @Test(arguments: ["", "unplug 700ms\n"])
  func killedAtAnyMomentTheFilmPlays(faults: String) throws {
    let camrec = try CamrecBinary.find(), folder = try TemporaryFolder()
    let script = try folder.write(faults.utf8, to: "faults")
    let camera = faults.isEmpty ? "sim" : "sim:faults=\(script)"
    var random = SplitMix(seed: environment["CAMREC_SEED"].flatMap(UInt64.init) ?? 20_261_121)
    var kills: [Kill] = []
    for number in 0..<(faults.isEmpty ? count : (count + 2) / 3) {
      let film = folder.path("kill-\(number).mov")
      let running = try camrec.start([
        "record", "--camera", camera, "--size", "320x180", "--json", "--control", "none", "--output", film,
      ])
      let start = try #require(awaitStart(film), "\(running.outputSoFar().standardError)")
      let wait = Double.random(in: 0...4, using: &random) + (faults.isEmpty ? 0 : 0.7)
      Thread.sleep(forTimeInterval: wait)
      let saved = framesSaved(running)
      let instant = Date()
      running.send(signal: SIGKILL)
      #expect(running.wait(timeout: 60).endedBySignal)
      let kept = try check(film)
      #expect(kept >= saved, "killed after \(wait) s, which said \(saved) frames")
      kills.append(Kill(taken: instant.timeIntervalSince(start), kept: Double(kept) / Self.rate))
      try FileManager.default.removeItem(atPath: film)
      try FileManager.default.removeItem(atPath: film + ".camrec")
    }
    let worst = try #require(kills.map(\.lost).max())
    let mean = kills.map(\.lost).reduce(0, +) / Double(kills.count)
    print(
      "SIGKILL\(faults.isEmpty ? "" : " without its microphone"): \(kills.count) times, worst loss "
        + "\(String(format: "%.3f", worst)) s, mean \(String(format: "%.3f", mean)) s")
    #expect(!isSoak || worst <= 1)
  }

  /// When the first frame was taken, as soon as the sidecar says so.
  private func awaitStart(_ film: String) -> Date? {
    for _ in 0..<6000 {
      let text = (try? String(contentsOfFile: film + ".camrec", encoding: .utf8)) ?? ""
      if text.contains("\n"), let match = text.firstMatch(of: /"start":"([^"]+)"/) {
        return try? Date(String(match.1), strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
      }
      Thread.sleep(forTimeInterval: 0.01)
    }
    return nil
  }

  /// Frames' time up to which the film is on the disk, by the latest progress.
  private func framesSaved(_ running: RunningCamrec) -> Int {
    let line = running.outputSoFar().standardOutput.split(separator: "\n").last { $0.contains("\"progress\"") }
    let event = line.flatMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
    guard let seconds = event?["seconds"] as? Double, let unsaved = event?["unsavedSeconds"] as? Double else {
      return 0
    }
    return Int(((seconds - unsaved) * Self.rate + 1e-6).rounded(.down))
  }

  /// - Returns: frames of film that play, from the first to the last.
  private func check(_ path: String) throws -> Int {
    // Before the first fragment there is nothing to play.
    let head = try Data(contentsOf: URL(fileURLWithPath: path)).prefix(1 << 16)
    guard head.range(of: Data("moof".utf8)) != nil else { return 0 }
    let film = try RecordedFilm(path: path)
    let last = try #require(film.pictures.last)
    let frames = Int((last.time * Self.rate).rounded()) + 1
    #expect(film.isInOrder)
    // The kill may tear the fragment that is being written.
    #expect((0...6).contains(film.packetCount - film.pictures.count))
    // A picture may be missing behind which B-frames were stored before it, and those that a busy machine has lost are
    // in the account.
    let end = film.numbers.compactMap(\.self).last.map(Double.init) ?? 0
    let missing = film.missingNumbers.filter { Double($0) < end - Self.rate }
    // Those of the account begin with the film.
    let first = film.numbers.compactMap(\.self).first ?? 0, lost = try lostFrames(path)
    #expect(
      missing.allSatisfy { lost.contains(Int($0 - first)) },
      "\(film.missingNumbers) are missing, \(lost.sorted()) accounted")
    return frames
  }

  /// Frames that the film's sidecar says are lost.
  private func lostFrames(_ film: String) throws -> Set<Int> {
    var lost: Set<Int> = []
    for line in try String(contentsOfFile: film + ".camrec", encoding: .utf8).split(separator: "\n") {
      guard let record = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
        record["lost"] != nil, let frame = record["frame"] as? Int, let count = record["count"] as? Int
      else { continue }
      lost.formUnion(frame..<frame + count)
    }
    return lost
  }
}
