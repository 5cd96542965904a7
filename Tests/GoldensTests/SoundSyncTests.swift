import Audio
import Foundation
import Frames
import Goldens
import Testing

/// Flashes in pictures, tones in sound, and how they meet.
@Suite struct SoundSyncTests {
  // MARK: Tones

  /// Silence and tones of 1 kHz at a quarter of full scale, the last channel alone.
  private func sound(_ format: AudioFormat, seconds: Double, tones: [Double]) -> [UInt8] {
    let rate = Double(format.sampleRate)
    var bytes: [UInt8] = []
    for frame in 0..<Int(seconds * rate) {
      let tone = tones.first { (0..<Int(0.08 * rate)).contains(frame - Int(($0 * rate).rounded())) }
      let phase = tone.map { Double(frame) - ($0 * rate).rounded() } ?? 0
      let level = 0.25 * sin(2 * .pi * 1000 * phase / rate)
      for channel in 0..<format.channels {
        let value = channel == format.channels - 1 ? level : 0.01
        switch format.sample {
        case .s16: withUnsafeBytes(of: Int16(value * 32767).littleEndian) { bytes += $0 }
        case .s32: withUnsafeBytes(of: Int32(value * 2_147_483_647).littleEndian) { bytes += $0 }
        }
      }
    }
    return bytes
  }

  @Test(arguments: [
    AudioFormat(sampleRate: 48000, channels: 2, sample: .s16),
    AudioFormat(sampleRate: 44100, channels: 1, sample: .s32),
  ]) func `a tone begins where silence ends, in pieces of any size`(format: AudioFormat) {
    let bytes = sound(format, seconds: 2, tones: [0.5, 0.62, 1.5])
    for piece in [1, 7, 4800, 1_000_000] {
      var search = ToneSearch(format)
      for start in stride(from: 0, to: bytes.count, by: piece * format.bytesPerFrame) {
        search.update(Array(bytes[start..<min(bytes.count, start + piece * format.bytesPerFrame)]).span.bytes)
      }
      // The second one's silence is shorter than a tenth of a second.
      #expect(search.beginnings.count == 2)
      for (found, seconds) in zip(search.beginnings, [0.5, 1.5]) {
        let late = Double(found) / Double(format.sampleRate) - seconds
        #expect(0...0.0001 ~= late, "\(late) s late")
      }
    }
  }

  @Test func `sound that never rests has no beginning`() {
    let format = AudioFormat(sampleRate: 8000, channels: 1, sample: .s16)
    var search = ToneSearch(format)
    // The lowest number has no positive counterpart.
    search.update([UInt8](repeating: 0x80, count: 32000).span.bytes)
    #expect(search.beginnings == [])
  }

  // MARK: Flashes

  private func flashes(_ lumas: [Double], marks: [Int: Bool] = [:], rate: Double = 24) -> [Int] {
    var search = FlashSearch()
    for (number, luma) in lumas.enumerated() { search.take(luma: luma, mark: marks[number], at: Double(number) / rate) }
    return search.flashes.map { Int(($0 * rate).rounded()) }
  }

  @Test func `a flash is bright and short`() {
    #expect(flashes([0.2, 0.2, 0.9, 0.2, 0.2]) == [2])
    #expect(flashes([0.2, 0.2, 0.5, 0.9, 0.3, 0.2]) == [2])
    // The light goes on.
    #expect(flashes([0.2, 0.2, 0.9, 0.9, 0.9, 0.9, 0.9, 0.2]) == [])
    // Somewhat brighter, slowly, or darker.
    #expect(flashes([0.2, 0.29, 0.2, 0.25, 0.3, 0.35, 0.4, 0.1]) == [])
    #expect(flashes([0.9, 0.2, 0.9, 0.9, 0.9, 0.9]) == [])
    #expect(flashes([0.9, 0.2]) == [])
    // The film ends with it, or begins.
    #expect(flashes([0.2, 0.9]) == [])
    #expect(flashes([0.9, 0.2, 0.2]) == [])
    // Two pictures a second: the picture behind decides.
    #expect(flashes([0.2, 0.9, 0.2, 0.2, 0.9, 0.9, 0.2], rate: 2) == [1])
  }

  /// Of exactly a tenth of a second, wherever that lies.
  @Test(arguments: [20.0, 30, 50, 60]) func `the longest flash`(rate: Double) {
    let long = Int(rate / 10)
    for start in 1..<40 {
      func film(_ pictures: Int) -> [Double] {
        Array(repeating: 0.2, count: start) + Array(repeating: 0.9, count: pictures) + [0.2, 0.2]
      }
      #expect(flashes(film(long), rate: rate) == [start])
      #expect(flashes(film(long + 1), rate: rate) == [])
    }
  }

  @Test func `what a picture says of itself decides`() {
    #expect(
      flashes([0.2, 0.9, 0.2, 0.2, 0.2, 0.2], marks: [0: false, 1: false, 2: false, 3: true, 4: true, 5: false]) == [
        3, 4,
      ])
  }

  // MARK: Both

  @Test func `a flash and its tone are nearest to each other`() {
    let sync = SoundSync(flashes: [0.5, 1.5, 1.55, 2.5, 7], tones: [0.1, 0.5001, 1.49, 2.2, 2.51])
    // The flash of 1.55 s has none: that of 1.49 s is the other's.
    #expect(sync.delays == [10, -1000, 1000])
    #expect(sync.words == "3 flashes, tone delay -10.00 to 10.00 ms")
    #expect(SoundSync(flashes: [1], tones: [1.2504]).delays == [])
    #expect(SoundSync(flashes: [1], tones: [1.2499]).delays == [24990])
    #expect(SoundSync(flashes: [], tones: [1]).delays == [] && SoundSync(flashes: [1], tones: []).delays == [])
    #expect(SoundSync(flashes: [1], tones: [0.9999999]).words == "1 flash, tone delay 0.00 ms")
    #expect(SoundSync(flashes: [], tones: []).words == "no flash with a tone")
    // Half-way between two tones.
    #expect(SoundSync(flashes: [1], tones: [0.9, 1.1]).delays.count == 1)
  }

  private func hashes(_ comment: String) throws -> SoundHashes {
    let head = SoundHashesTests.head.replacing("5.1(side)", with: "mono")
      .replacing("#stream#", with: comment + "#stream#")
    return try SoundHashes(
      text: head + "0,          0,          0,     4800,     9600, 0123456789abcdef0123456789abcdef\n",
      path: "a.sound.framemd5")
  }

  @Test func `a golden keeps it`() throws {
    var hashes = try hashes("")
    #expect(hashes.sync == nil)
    hashes.loudness = -20
    for (sync, text) in [
      (SoundSync(flashes: [0.5, 1.5, 2.5], tones: [0.49, 1.50012, 2.499995]), "-10.00 0.12 0.00 ms"),
      (SoundSync(flashes: [0.5], tones: [0.49995]), "-0.05 ms"), (SoundSync(flashes: [1], tones: [2]), "none"),
    ] {
      hashes.sync = sync
      #expect(hashes.text.contains("mono\n#loudness 0: -20.0 LUFS\n#sync 0: \(text)\n#stream"), "\(hashes.text)")
      let read = try SoundHashes(text: hashes.text, path: "a.sound.framemd5")
      #expect(read == hashes && read.sync == sync)
    }
  }

  @Test(arguments: [
    "", "0.06", "0.6 ms", "0.06  0.06 ms", "0,06 ms", " ms", "early", "1234.00 ms", "+0.06 ms", "none ms",
  ]) func `what says nothing of flashes is refused`(text: String) {
    #expect(
      throws: CamrecError(
        .input,
        "'a.sound.framemd5', line 9: this is not a list of tone delays; write '#sync 0: 0.06 -1.25 ms'"
          + " or '#sync 0: none'"
      )
    ) { try hashes("#sync 0: \(text)\n") }
  }

  @Test func `what differs is said`() {
    func sync(_ delays: Double...) -> SoundSync {
      SoundSync(flashes: delays.indices.map { Double($0) }, tones: delays.enumerated().map { Double($0) + $1 / 1000 })
    }
    #expect(SoundSync.differences(sync(1, 2), from: nil) == [])
    #expect(SoundSync.differences(sync(), from: sync()) == [])
    for first in stride(from: -1.0, to: 1, by: 0.01) {
      #expect(SoundSync.differences(sync(first), from: sync(first + 0.09)) == [])
      #expect(SoundSync.differences(sync(first), from: sync(first + 0.1)).count == 1)
    }
    #expect(
      SoundSync.differences(sync(1, 2, 3), from: sync(1, 2.1, 3)) == [
        "the audio sync differs: the tone of flash 2 of 3 comes 2.00 ms after it, not 2.10 ms"
      ])
    // One between the earliest and the latest.
    #expect(
      SoundSync.differences(sync(-40, 0, 1, 40), from: sync(-40, 40, 0, 40)) == [
        "the audio sync differs: the tone of flash 2 of 4 comes 0.00 ms after it, not 40.00 ms;"
          + " this is the worst of 2"
      ])
    #expect(
      SoundSync.differences(sync(1), from: sync(1, 1)) == [
        "the audio sync differs: 1 flash, tone delay 1.00 ms, not 2 flashes, tone delay 1.00 ms"
      ])
    #expect(
      SoundSync.differences(sync(), from: sync(1)) == [
        "the audio sync differs: no flash with a tone, not 1 flash, tone delay 1.00 ms"
      ])
    #expect(SoundSync.differences(sync(1), from: sync()).count == 1)
  }
}
