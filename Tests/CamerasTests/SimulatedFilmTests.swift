import Audio
import CameraTestKit
import Cameras
import Foundation
import Frames
import TestKit
import Testing

/// The proof from a finished file, on a file that is known to be right and on files that are known to be wrong.
@Suite struct SimulatedFilmTests {
  /// Films `frames` frames of a pulled camera with its microphone; sound is moved by `shift` seconds against picture.
  private func film(frames: Int, options: String, shift: Double = 0, filter: String = "null") throws -> RecordedFilm {
    let options = try SimulatedCamera.Options(parsing: "pace=pulled,physics=fast,\(options)")
    let clock = SimulatedClock(pace: .pulled)
    let camera = try SimulatedCamera(options, request: CameraRequest(width: 320, height: 180), clock: clock, frames: 1)
    let microphone = SimulatedMicrophone(options, frameRate: camera.frameRate, clock: clock)
    try camera.start()
    try microphone.start()
    let pictures = Data(try SimulatedPicture.take(frames, from: camera).flatMap(\.bytes))
    var buffer = AudioBuffer(format: .standard, capacity: 480)
    var sound = Data()
    while sound.count < (frames - 1) * 2000 * 4, try microphone.read(into: &buffer) {
      buffer.withBytes { sound.append(contentsOf: $0) }
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("film-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = { folder.appendingPathComponent($0).path }
    try sound.write(to: URL(fileURLWithPath: path("sound.raw")))
    try Tool.run(
      ["ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", "nv12", "-s", "320x180", "-r", "24", "-i", "-"]
        + ["-itsoffset", "\(shift)", "-f", "s16le", "-ar", "48000", "-ac", "2", "-i", path("sound.raw")]
        + [
          "-vf", filter, "-fps_mode", "passthrough", "-c:v", "libx265", "-preset", "ultrafast", "-crf", "20",
          "-x265-params", "log-level=error",
        ]
        + ["-c:a", "pcm_s16le", path("film.mov")],
      input: pictures)
    return try RecordedFilm(path: path("film.mov"))
  }

  @Test func aRightFilmIsFoundRight() throws {
    let film = try film(frames: 62, options: "seed=3")
    #expect(film.numbers == (0..<62).map(UInt32.init) && film.isInOrder && film.missingNumbers.isEmpty)
    #expect(film.packetCount == 62 && film.rotation == Rotation.none)
    #expect(film.flashTimes.count == 3 && film.soundOffsets.count == 3)
    #expect(film.soundOffsets.allSatisfy { abs($0) < 1.0 / 48000 }, "to a sample: \(film.soundOffsets)")
  }

  @Test func lateSoundIsFoundLate() throws {
    let offsets = try film(frames: 40, options: "seed=3", shift: 0.05).soundOffsets
    #expect(offsets.count == 2 && offsets.allSatisfy { abs($0 - 0.05) < 2.0 / 48000 }, "\(offsets)")
  }

  @Test func missingAndDoubledFramesAreFound() throws {
    let missing = try film(frames: 40, options: "", filter: "select='not(between(n,20,21))'")
    #expect(missing.missingNumbers == [20, 21] && missing.isInOrder)
    let doubled = try film(frames: 40, options: "", filter: "loop=loop=1:size=1:start=7")
    #expect(doubled.missingNumbers.isEmpty && !doubled.isInOrder)
  }
}
