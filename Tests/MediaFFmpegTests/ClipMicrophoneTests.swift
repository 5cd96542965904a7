import Audio
import Cameras
import Foundation
import Frames
import MediaFFmpeg
import Platform
import TestKit
import Testing

struct ClipMicrophoneTests {
  let clips: ClipMaker

  init() throws { clips = try ClipMaker() }

  private func open(_ clip: String, paced: Bool = false) throws -> ClipMicrophone {
    let camera = try ClipCamera.open(path: clip, paced: paced)
    return try #require(try ClipMicrophone.open(path: clip, sharing: camera.clock))
  }

  /// Everything that a microphone says until its end.
  private struct Heard {
    var samples = Data()
    /// Time, audio frames, and frames lost before, of each block.
    var blocks: [(time: Int64, count: Int, lost: Int)] = []

    init(_ microphone: ClipMicrophone, capacity: Int = 960) throws {
      var buffer = AudioBuffer(format: microphone.format, capacity: capacity)
      try microphone.start()
      while try microphone.read(into: &buffer) {
        guard buffer.count > 0 || buffer.lostBefore > 0 else { continue }
        blocks.append((buffer.time.nanoseconds, buffer.count, buffer.lostBefore))
        buffer.withBytes { samples.append(contentsOf: $0) }
      }
      microphone.stop()
    }
  }

  private func decoded(_ clip: String, as format: String) throws -> Data {
    try Tool.run(["ffmpeg", "-v", "error", "-i", clip, "-map", "0:a:0", "-f", format, "-c:a", "pcm_\(format)", "-"])
  }

  @Test(arguments: [
    ("pcm_s16le", "mov", SampleFormat.s16), ("pcm_s16be", "mov", .s16), ("pcm_s24le", "mov", .s32),
    ("pcm_s32le", "mov", .s32), ("pcm_f32le", "mov", .s32), ("pcm_u8", "avi", .s16), ("flac", "mkv", .s16),
    ("aac", "mp4", .s16), ("mp2", "mkv", .s16), ("libopus", "mkv", .s16)
  ])
  func soundIsWhatFFmpegDecodes(codec: String, container: String, sample: SampleFormat) throws {
    let clip = try clips.make(
      "sound.\(container)", ClipMaker.picture, "-f lavfi -i sine=frequency=997:sample_rate=48000:duration=1",
      "-ac 2 -c:v mpeg4 -c:a \(codec)")
    let microphone = try open(clip)
    #expect(microphone.format == AudioFormat(sampleRate: 48000, channels: 2, sample: sample))
    #expect(microphone.isPulled)
    let heard = try Heard(microphone)
    #expect(heard.samples == (try decoded(clip, as: sample == .s16 ? "s16le" : "s32le")))
    #expect(heard.blocks.map(\.lost).allSatisfy { $0 == 0 })
    #expect(microphone.endWarnings == [])
    for (index, block) in heard.blocks.enumerated() {
      #expect(block.time - heard.blocks[0].time == Int64((Double(index * 960) / 48000 * 1e9).rounded()))
    }
  }

  @Test(arguments: [(8000, 1), (44100, 2), (96000, 6), (48000, 3)])
  func rateAndChannelsAreTheClips(rate: Int, channels: Int) throws {
    let clip = try clips.make(
      "rate.mkv", ClipMaker.picture, "-f lavfi -i sine=frequency=997:sample_rate=\(rate):duration=0.5",
      "-ac \(channels) -c:v mpeg4 -c:a pcm_s16le")
    let microphone = try open(clip)
    #expect(microphone.format == AudioFormat(sampleRate: rate, channels: channels))
    #expect(try Heard(microphone).samples == (try decoded(clip, as: "s16le")))
  }

  @Test func soundThatStartsLateKeepsItsOffset() throws {
    let clip = try clips.make(
      "late.mov", ClipMaker.picture, "-itsoffset 0.25", ClipMaker.sound, "-c:v mpeg4 -bf 0 -c:a pcm_s16le")
    let heard = try Heard(open(clip))
    #expect(heard.blocks.first?.time == 250_000_000)
  }

  @Test func primingSamplesAreSkipped() throws {
    let clip = try clips.make(
      "priming.mp4", ClipMaker.picture, "-f lavfi -i aevalsrc='if(lt(t\\,0.5)\\,0\\,0.5*sin(2*PI*1000*t))':s=48000:d=1",
      "-c:v mpeg4 -bf 0 -c:a aac -b:a 256k")
    let heard = try Heard(open(clip))
    #expect(heard.blocks.first?.time == 0)
    let samples = heard.samples.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    let onset = try #require(samples.firstIndex { abs(Int($0)) > 4000 })
    #expect(abs(onset - 24000) < 60)
  }

  @Test func aHoleInTheSoundIsCounted() throws {
    let clip = try clips.make(
      "hole.mkv", ClipMaker.picture, ClipMaker.sound,
      "-af aselect='not(between(t\\,0.4\\,0.6))' -c:v mpeg4 -c:a pcm_s16le")
    let heard = try Heard(open(clip))
    let lost = heard.blocks.filter { $0.lost > 0 }
    #expect(lost.count == 1)
    let frames = heard.blocks.reduce(0) { $0 + $1.count + $1.lost }
    #expect(abs(frames - 48000) <= 48)
    let hole = try #require(lost.first)
    #expect(abs(hole.lost - 9600) <= 2048)
    let before = heard.blocks.prefix { $0.lost == 0 }.reduce(0) { $0 + $1.count }
    #expect(hole.time == Int64((Double(before + hole.lost) / 48000 * 1e9).rounded()))
  }

  /// Zeros are no AAC.
  private func damaged(_ packets: (_ count: Int) -> Range<Int>) throws -> String {
    let clip = try clips.make("damaged.mp4", ClipMaker.picture, ClipMaker.sound, "-c:v mpeg4 -bf 0 -c:a aac")
    try SpoiledPacket.eraseSound(clip, packets: packets)
    return clip
  }

  @Test func damageAtTheEndIsLostUpToTheEndThatTheTrackHas() throws {
    let clip = try damaged { $0 - 3..<$0 }, microphone = try open(clip)
    let heard = try Heard(microphone)
    let last = try #require(heard.blocks.last), count = heard.blocks.reduce(0) { $0 + $1.count }
    #expect(last.count == 0 && last.lost == 48000 - count && last.lost >= 2048, "\(heard.blocks)")
    #expect(last.time == 1_000_000_000)
    #expect(heard.blocks.dropLast().allSatisfy { $0.lost == 0 && $0.count > 0 })
    #expect(
      microphone.endWarnings
        == ["audio of \(clip): 3 packets cannot be decoded; silence fills what is missing"])
    #expect(!microphone.isCutOff)
  }

  @Test func damageAtTheBeginningIsLost() throws {
    let clip = try damaged { _ in 0..<3 }
    let heard = try Heard(open(clip))
    let first = try #require(heard.blocks.first)
    #expect(first.lost >= 2048 && heard.blocks.dropFirst().allSatisfy { $0.lost == 0 }, "\(heard.blocks)")
    #expect(first.time == Int64((Double(first.lost) / 48000 * 1e9).rounded()))
  }

  /// A packet of 10 ms lasts no longer than timestamps may be off.
  @Test func aShortPacketThatDoesNotDecodeIsLost() throws {
    let clip = try clips.make(
      "short.mp4", ClipMaker.picture, ClipMaker.sound, "-c:v mpeg4 -bf 0 -strict -2 -c:a flac -frame_size 480")
    try SpoiledPacket.eraseSound(clip) { _ in 40..<41 }
    let heard = try Heard(open(clip))
    #expect(heard.blocks.map(\.lost).filter { $0 > 0 } == [480], "\(heard.blocks)")
    #expect(heard.blocks.reduce(0) { $0 + $1.count + $1.lost } == 48000)
  }

  @Test func soundThatWasCutOffIsNamed() throws {
    let whole = try clips.make("whole.mkv", ClipMaker.picture, ClipMaker.sound, "-c:v mpeg4 -bf 0 -c:a pcm_s16le")
    let complete = try open(whole)
    _ = try Heard(complete)
    #expect(complete.endWarnings == [] && !complete.isCutOff)
    let path = try clips.cut(whole, to: "cut.mkv") { $0 * 6 / 10 }
    let microphone = try open(path)
    let heard = try Heard(microphone)
    #expect(heard.blocks.allSatisfy { $0.lost == 0 })
    let said = try #require(microphone.endWarnings.first)
    #expect(said.hasPrefix("audio of \(path) ends at 0."), "\(said)")
    #expect(said.hasSuffix(" s, but its header promises 1.0 s: it was cut off"), "\(said)")
    #expect(microphone.endWarnings.count == 1 && microphone.isCutOff)
  }

  @Test func pacedSoundComesWhenItHasBeenHeard() throws {
    let clip = try clips.make(
      "paced.mov", "-f lavfi -i testsrc2=size=64x36:rate=25:duration=0.2",
      "-f lavfi -i sine=sample_rate=48000:duration=0.2",
      "-c:v mpeg4 -bf 0 -c:a pcm_s16le")
    let microphone = try open(clip, paced: true)
    #expect(!microphone.isPulled)
    var buffer = AudioBuffer(format: microphone.format, capacity: 960)
    try microphone.start()
    var frames = 0
    while try microphone.read(into: &buffer) {
      let end = buffer.time.nanoseconds + Int64(buffer.count) * 1_000_000_000 / 48000
      if buffer.count > 0 { #expect(MonotonicTime.now().nanoseconds >= end) }
      frames += buffer.count
    }
    #expect(frames == 9600)
  }

  @Test func cameraAndMicrophoneShareOneClock() throws {
    let clip = try clips.make(
      "shared.mkv", "-itsoffset 10", ClipMaker.picture, "-itsoffset 10.1", ClipMaker.sound,
      "-c:v mpeg4 -bf 0 -c:a pcm_s16le",
      "-copyts")
    let camera = try ClipCamera.open(path: clip, paced: true)
    let microphone = try #require(try ClipMicrophone.open(path: clip, sharing: camera.clock))
    var buffer = AudioBuffer(format: microphone.format, capacity: 960)
    try microphone.start()
    let read = try ReadClip(camera, limit: 1)
    while buffer.count == 0 { #expect(try microphone.read(into: &buffer)) }
    #expect(abs(buffer.time.nanoseconds - read.captureTimes[0] - 100_000_000) <= 1_000_000)
  }

  @Test func aClipWithoutSoundHasNoMicrophone() throws {
    let clip = try clips.make("silent.mov", ClipMaker.picture, "-c:v mpeg4")
    let camera = try ClipCamera.open(path: clip, paced: false)
    #expect(try ClipMicrophone.open(path: clip, sharing: camera.clock) == nil)
  }

  /// The microphone had gone when this segment began.
  @Test func anAudioTrackWithoutASampleIsNoAudio() throws {
    let clip = try clips.make(
      "empty.mkv", ClipMaker.picture, ClipMaker.sound, "-map 0 -map 1 -bsf:a noise=drop=1",
      "-c:v mpeg4 -c:a pcm_s16le")
    let camera = try ClipCamera.open(path: clip, paced: false)
    #expect(try ClipMicrophone.open(path: clip, sharing: camera.clock) == nil)
  }
}
