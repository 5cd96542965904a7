import Audio
import Foundation
import Frames
import MediaFFmpeg
import Movies
import Testing

struct MovieSoundTests {
  static let formats = [
    AudioFormat.standard, AudioFormat(sampleRate: 48000, channels: 1),
    AudioFormat(sampleRate: 44100, channels: 2, sample: .s32),
    AudioFormat(sampleRate: 96000, channels: 4, sample: .s16),
  ]

  /// The samples that went in, left-aligned in 32 bits as the file stores them.
  private func expected(_ format: AudioFormat, count: Int) -> [Int32] {
    (0..<count * format.channels).map { index in
      let value = MovieTake.sample(index / format.channels, index % format.channels)
      return format.sample == .s16
        ? Int32(Int16(truncatingIfNeeded: value)) << 16 : Int32(truncatingIfNeeded: value) << 8
    }
  }

  @Test(arguments: formats, [Container.mov, .mkv])
  func everySampleIsStoredOnce(format: AudioFormat, container: Container) throws {
    let directory = try MovieDirectory()
    let settings = MovieTake.settings(directory.path("take.\(container.rawValue)"), container: container, audio: format)
    let killed = directory.path("killed.\(container.rawValue)")
    let writer = try MovieWriter.open(settings)
    _ = try MovieTake(settings, frames: 48).record(to: writer) { number in
      writer.settle()
      if number == 47 { try FileManager.default.copyItem(atPath: settings.path, toPath: killed) }
    }
    #expect(try MovieProbe.samples(settings.path) == expected(format, count: 2 * format.sampleRate))
    // Sound is not delayed by the encoder: a killed file has all of it up to the last fragment.
    let survived = try MovieProbe.samples(killed)
    #expect(survived.count > format.channels * format.sampleRate * 3 / 2)
    #expect(survived == expected(format, count: survived.count / format.channels))
    let audio = try MovieProbe(settings.path).audio
    if container == .mov {
      // A rate above 65535 Hz does not fit into the older sample descriptions.
      let tag = format.sampleRate > 65535 ? "lpcm" : format.sample == .s16 ? "sowt" : "in24"
      #expect(audio["codec_tag_string"] as? String == tag)
      #expect(audio["time_base"] as? String == "1/\(format.sampleRate)")
    }
    #expect(audio["codec_name"] as? String == (format.sample == .s16 ? "pcm_s16le" : "pcm_s24le"))
    #expect(audio["channels"] as? Int == format.channels)
  }

  @Test func soundThatStopsHoldsUpNoPicture() throws {
    let directory = try MovieDirectory()
    let settings = MovieTake.settings(directory.path("take.mov"), audio: .standard)
    var seen: Int64 = 0
    let take = MovieTake(settings, frames: 96)
    let writer = try MovieWriter.open(settings)
    let report = try take.record(to: writer, soundUntil: 1) { number in
      writer.settle()
      if number == 60 { seen = writer.bytesWritten }
      if number == 95 { #expect(writer.bytesWritten > seen, "pictures go to disk without sound") }
    }
    #expect(report.frames == 96)
    #expect(try MovieProbe.decodedTimes(settings.path) == take.times)
    #expect(try MovieProbe.samples(settings.path).count == 2 * 48000)
  }

  @Test func movieWhoseSoundNeverCameIsWhole() throws {
    let directory = try MovieDirectory()
    let settings = MovieTake.settings(directory.path("take.mov"), audio: .standard)
    let take = MovieTake(settings, frames: 48)
    let report = try take.record(to: try MovieWriter.open(settings), soundUntil: 0)
    #expect(report.frames == 48)
    #expect(report.warnings == [])
    #expect(try MovieProbe.decodedTimes(settings.path) == take.times)
  }

  @Test func picturesThatStopHoldUpNoSound() throws {
    let directory = try MovieDirectory()
    let settings = MovieTake.settings(directory.path("take.mov"), audio: .standard)
    let writer = try MovieWriter.open(settings)
    let pool = FramePool(format: settings.format, capacity: 64)
    for number in 0..<40 {
      guard let frame = pool.take() else { throw MovieTake.Exhausted() }
      try writer.write(frame, at: Int64(number) * 1000)
    }
    var sound = AudioBuffer(format: .standard, capacity: 4800)
    MovieTake.draw(from: 0, count: 4800, into: &sound)
    for _ in 0..<30 { try writer.write(sound) }
    // Three seconds of sound: all but the open fragment are in the file.
    writer.settle()
    #expect(writer.bytesWritten > 4 * 48000 * 11 / 4)
    let report = try writer.finish(at: 72000)
    #expect(report.frames == 40)
    #expect(try MovieProbe.samples(settings.path).count == 2 * 48000 * 3)
  }

  @Test func soundOfAnotherFormatIsRefused() throws {
    let directory = try MovieDirectory()
    let settings = MovieTake.settings(directory.path("take.mov"), audio: .standard)
    let writer = try MovieWriter.open(settings)
    let error = #expect(throws: CamrecError.self) {
      try writer.write(AudioBuffer(format: AudioFormat(sampleRate: 44100, channels: 2), capacity: 16))
    }
    #expect(error?.code == .defect)
    _ = try writer.finish(at: 0)
    #expect(directory.names == [])
  }
}
