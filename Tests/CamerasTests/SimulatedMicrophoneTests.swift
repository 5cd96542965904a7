import Audio
import Cameras
import Foundation
import Frames
import Platform
import TestKit
import Testing

@Suite struct SimulatedMicrophoneTests {
  struct Sound {
    var samples: [Int16] = []
    /// For each block: its first sample, its time, what was lost before it.
    var blocks: [(first: Int, time: MonotonicTime, lost: Int)] = []
  }

  /// Takes `seconds` of pictures from a small pulled camera and all sound that goes with them.
  private func record(_ options: String, seconds: Int, rate: String = "24", format: AudioFormat = .standard) throws
    -> (flashes: [MonotonicTime], sound: Sound)
  {
    let options = try SimulatedCamera.Options(parsing: "physics=fast,pace=pulled,\(options)")
    let clock = SimulatedClock(pace: options.pace)
    let frameRate = try #require(FrameRate(parsing: rate))
    let camera = try SimulatedCamera(
      options, request: CameraRequest(width: 64, height: 36, frameRate: frameRate), clock: clock, frames: 1)
    let microphone = SimulatedMicrophone(options, frameRate: frameRate, clock: clock, format: format)
    #expect(microphone.isPulled && microphone.format == format)
    try microphone.start()
    try camera.start()
    let flash = SimulatedFlash(frameRate: frameRate)
    var flashes: [MonotonicTime] = []
    var sound = Sound()
    var buffer = AudioBuffer(format: format, capacity: 4096)
    var end = clock.now
    for _ in 0..<Int(Double(seconds) * frameRate.framesPerSecond) {
      let picture = try #require(SimulatedPicture.take(1, from: camera).first)
      if flash.isFlash(picture.sequence) { flashes.append(picture.captureTime) }
      // A block of 10 ms and the largest loss of these tests fit in: no read has to wait.
      while clock.now - end > 31_000_000 {
        #expect(try microphone.read(into: &buffer))
        append(buffer, to: &sound)
        end = buffer.time.advanced(by: Int64(buffer.count) * 1_000_000_000 / Int64(format.sampleRate))
      }
    }
    return (flashes, sound)
  }

  /// A sound thread that comes late loses nothing of a camera that waits for its recorder.
  @Test func pulledSoundBeginsWithThePictures_wheneverItIsStarted() throws {
    let options = try SimulatedCamera.Options(parsing: "physics=fast,pace=pulled")
    let clock = SimulatedClock(pace: .pulled)
    let camera = try SimulatedCamera(options, request: CameraRequest(width: 64, height: 36), clock: clock, frames: 1)
    let microphone = SimulatedMicrophone(options, frameRate: camera.frameRate, clock: clock)
    try camera.start()
    let pictures = try SimulatedPicture.take(3, from: camera)
    try microphone.start()
    var buffer = AudioBuffer(format: .standard, capacity: 4096)
    #expect(try microphone.read(into: &buffer))
    #expect(buffer.count > 0 && buffer.time == pictures.first?.captureTime && buffer.lostBefore == 0)
  }

  private func append(_ buffer: borrowing AudioBuffer, to sound: inout Sound) {
    guard buffer.count > 0 else { return }
    sound.blocks.append((sound.samples.count, buffer.time, buffer.lostBefore))
    let (format, count) = (buffer.format, buffer.count)
    buffer.withBytes { bytes in
      for frame in 0..<count {
        let place = frame * format.bytesPerFrame
        sound.samples.append(
          format.sample == .s16
            ? bytes.loadUnaligned(fromByteOffset: place, as: Int16.self)
            : Int16(bytes.loadUnaligned(fromByteOffset: place, as: Int32.self) >> 16))
      }
    }
  }

  @Test(arguments: [
    ("", "24"), ("ppm=100,microphone-ppm=-100", "24"), ("ppm=-900,microphone-ppm=500,seed=4", "30000/1001"),
    ("jitter=0ms", "60"),
  ])
  func tonesBeginWithTheFlashes(options: String, rate: String) throws {
    let (flashes, sound) = try record(options, seconds: 3, rate: rate)
    let onsets = ToneReader(sampleRate: 48000).onsets(in: sound.samples)
    #expect(flashes.count == 3 && onsets.count == 3)
    for (flash, onset) in zip(flashes, onsets) {
      let block = try #require(sound.blocks.last { Double($0.first) <= onset })
      let time = Double(block.time.nanoseconds) + (onset - Double(block.first)) / 48000 * 1e9
      #expect(abs(time - Double(flash.nanoseconds)) < 5000, "within a quarter of a sample")
    }
  }

  @Test(arguments: [
    AudioFormat(sampleRate: 44100, channels: 1), AudioFormat(sampleRate: 96000, channels: 2, sample: .s32),
  ])
  func otherFormatsSoundTheSame(format: AudioFormat) throws {
    let sound = try record("", seconds: 1, format: format).sound
    let onsets = ToneReader(sampleRate: Double(format.sampleRate)).onsets(in: sound.samples)
    #expect(onsets.count == 1 && abs(onsets[0] - Double(format.sampleRate) / 2) < 0.5)
    let loudest = sound.samples.map { Int($0.magnitude) }.max() ?? 0
    #expect(abs(loudest - 8192) < 100, "a quarter of full scale")
    let quiet = sound.samples.prefix(format.sampleRate / 3).map { Double($0) / 32768 }
    #expect(abs(quiet.variance.squareRoot() / SimulatedMicrophone.noiseLevel - 1) < 0.15)
    #expect(abs(quiet.mean) < 1e-4)
  }

  @Test func blocksFollowOneAnotherOnTheMicrophonesClock() throws {
    let sound = try record("microphone-ppm=200", seconds: 1).sound
    let start = try #require(sound.blocks.first).time
    for block in sound.blocks {
      #expect(block.lost == 0)
      #expect(abs(Double(block.time - start) - Double(block.first) / 48000 / 1.0002 * 1e9) <= 1)
    }
  }

  @Test func anOverrunTakesSoundAwayAndSaysSo() throws {
    let path = try SimulatedCameraTests.script("xrun 0.3s 20ms\nxrun 0.7s 5ms")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let sound = try record("faults=\(path)", seconds: 1).sound
    let losses = sound.blocks.filter { $0.lost > 0 }
    #expect(losses.map(\.lost) == [960, 240])
    #expect(losses.map(\.first) == [14400, 33600 - 960])
    let start = try #require(sound.blocks.first).time
    #expect(losses.map { ($0.time - start) } == [320_000_000, 705_000_000])
  }

  @Test func soundEndsWithThePictures() throws {
    let path = try SimulatedCameraTests.script("end 3")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let options = try SimulatedCamera.Options(parsing: "pace=pulled,faults=\(path)")
    let clock = SimulatedClock(pace: .pulled)
    let camera = try SimulatedCamera(options, request: CameraRequest(width: 64, height: 36), clock: clock)
    let microphone = SimulatedMicrophone(options, frameRate: camera.frameRate, clock: clock)
    try camera.start()
    try microphone.start()
    #expect(try SimulatedPicture.take(9, from: camera).count == 3)
    var buffer = AudioBuffer(format: .standard, capacity: 480)
    var frames = 0
    while try microphone.read(into: &buffer) { frames += buffer.count }
    #expect(abs(frames - 3 * 2000) <= 1500, "three frames and the exposure after them, in blocks")
  }

  /// Four thousand samples are eight blocks and a third of one.
  @Test func soundOfStoppedPicturesIsWhole() throws {
    let options = try SimulatedCamera.Options(parsing: "physics=fast,pace=pulled")
    let clock = SimulatedClock(pace: .pulled), rate = try #require(FrameRate(parsing: "24"))
    let camera = try SimulatedCamera(
      options, request: CameraRequest(width: 64, height: 36, frameRate: rate), clock: clock, frames: 2)
    let microphone = SimulatedMicrophone(options, frameRate: rate, clock: clock)
    try camera.start()
    try microphone.start()
    #expect(try SimulatedPicture.take(2, from: camera).count == 2)
    camera.stop()
    var buffer = AudioBuffer(format: .standard, capacity: 4096)
    var blocks: [Int] = []
    while try microphone.read(into: &buffer) { blocks.append(buffer.count) }
    #expect(blocks == Array(repeating: 480, count: 8) + [160])
  }

  @Test func withoutACameraThereIsOnlyNoise() throws {
    let clock = SimulatedClock()
    let rate = try #require(FrameRate(parsing: "24"))
    let microphone = SimulatedMicrophone(frameRate: rate, clock: clock)
    try microphone.start()
    var buffer = AudioBuffer(format: .standard, capacity: 480)
    var count = 0
    for _ in 0..<3 {
      #expect(try microphone.read(into: &buffer))
      #expect(MonotonicTime.now() - buffer.time >= 10_000_000, "a block is there when it has been")
      #expect(buffer.peak < 0.01)
      count += buffer.count
    }
    #expect(count == 3 * 480 && !microphone.isPulled)
  }
}
