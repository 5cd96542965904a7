import Audio
import Frames
import Goldens
import Testing

/// What of a sound is not as in its golden, each fault planted.
@Suite struct SoundComparisonTests {
  /// A sound, and how it is looked into.
  struct Sound {
    var format: AudioFormat
    var bytes: [UInt8]
    var layout: String?

    /// Noise, the same for the same seed.
    static func noise(_ frames: Int, _ format: AudioFormat = small, seed: UInt64 = 1) -> Sound {
      Sound(format: format, bytes: SoundHashesTests.noise(frames, format, seed: seed))
    }

    static func silence(_ frames: Int, _ format: AudioFormat = small) -> Sound {
      Sound(format: format, bytes: [UInt8](repeating: 0, count: frames * format.bytesPerFrame))
    }

    var hashes: SoundHashes {
      var hashing = SoundHashing(format, layout: layout) { Sound.hash($0) }
      hashing.update(bytes.span.bytes)
      return hashing.finish()
    }

    func first(_ frames: Int) -> Sound { part(0, frames) }
    func without(first frames: Int) -> Sound { part(frames, bytes.count / format.bytesPerFrame) }

    func part(_ start: Int, _ end: Int) -> Sound {
      Sound(format: format, bytes: Array(bytes[start * format.bytesPerFrame..<end * format.bytesPerFrame]))
    }

    /// With one bit of one sample turned.
    func damaged(at frame: Int) -> Sound {
      var other = self
      other.bytes[frame * format.bytesPerFrame] ^= 1
      return other
    }

    static func + (a: Sound, b: Sound) -> Sound { Sound(format: a.format, bytes: a.bytes + b.bytes) }

    /// In place of MD5: fast, and the same throughout a run of the tests.
    static func hash(_ bytes: RawSpan) -> String {
      var hasher = Hasher()
      bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
      return "\(hasher.finalize())"
    }
  }

  /// 48 kHz, stereo: a second has 10 blocks.
  static let real = AudioFormat.standard
  /// Of 48 sample frames in a block, and 240 in half a second.
  static let small = AudioFormat(sampleRate: 480, channels: 2)

  static func differences(_ golden: Sound, _ film: Sound) throws -> [SoundDifference] {
    try counted(golden, film).differences
  }

  /// With the number of hashes and of pieces that it took.
  static func counted(_ golden: Sound, _ film: Sound) throws -> (
    differences: [SoundDifference], hashes: Int, reads: Int
  ) {
    let bytesPerFrame = film.format.bytesPerFrame
    var hashes = 0
    var reads = 0
    let comparison = try SoundComparison(
      golden: golden.hashes, film: film.hashes,
      md5: {
        hashes += 1
        return Sound.hash($0)
      },
      samples: { range in
        reads += 1
        #expect(range.lowerBound >= 0 && Int(range.upperBound) * bytesPerFrame <= film.bytes.count)
        #expect(range.count <= film.format.sampleRate * 11 / 10)
        return film.part(Int(range.lowerBound), Int(range.upperBound)).bytes
      })
    return (comparison.differences, hashes, reads)
  }

  @Test func theSameIsTheSame() throws {
    let sound = Sound.noise(970)
    let seen = try Self.counted(sound, sound)
    #expect(seen.differences == [] && seen.hashes == 0 && seen.reads == 0)
    let empty = try Self.differences(.silence(0), .silence(0))
    #expect(empty == [])
  }

  // MARK: Shifts

  @Test func aMillisecondLater() throws {
    let golden = Sound.noise(48_000, Self.real)
    let later = Sound.silence(48, Self.real) + golden
    let cut = try Self.differences(golden, later.first(48_000))
    #expect(cut == [.shifted(by: 48)])
    #expect(cut.map { $0.sentence(golden: golden.hashes) } == ["the audio comes 1.000 ms (48 samples) later"])
    let whole = try Self.differences(golden, later)
    #expect(whole == [.shifted(by: 48), .length(golden: 48_000, film: 48_048)])
  }

  @Test func aMillisecondEarlier() throws {
    let golden = Sound.noise(48_000, Self.real)
    let earlier = golden.without(first: 48)
    let filled = try Self.differences(golden, earlier + Sound.silence(48, Self.real))
    #expect(filled == [.shifted(by: -48)])
    #expect(filled.map { $0.sentence(golden: golden.hashes) } == ["the audio comes 1.000 ms (48 samples) earlier"])
    let short = try Self.differences(golden, earlier)
    #expect(short == [.shifted(by: -48), .length(golden: 48_000, film: 47_952)])
  }

  @Test(arguments: [1, -1, 47, -47, 48, -48, 239, -240, 240]) func shiftsUpToHalfASecond(shift: Int) throws {
    let golden = Sound.noise(970)
    let film = shift > 0 ? Sound.silence(shift) + golden : golden.without(first: -shift)
    let found = try Self.differences(golden, film)
    #expect(found == [.shifted(by: Int64(shift)), .length(golden: 970, film: Int64(970 + shift))])
  }

  @Test func whatIsShiftedFurtherIsAnotherSound() throws {
    let golden = Sound.noise(960)
    let film = (Sound.silence(241) + golden).first(960)
    let found = try Self.differences(golden, film)
    #expect(found == [.changed(0...19)])
  }

  @Test func shiftedAndChanged() throws {
    let golden = Sound.noise(960)
    // Blocks that are looked for are among them.
    for block in [3, 5, 10, 15] {
      let film = (Sound.silence(12) + golden.damaged(at: block * 48 + 47)).first(960)
      let found = try Self.differences(golden, film)
      #expect(found == [.shifted(by: 12), .changed(block...block)], "block \(block)")
    }
  }

  @Test func silenceIsNoSignOfPlace() throws {
    let golden = Sound.silence(720) + Sound.noise(240)
    let film = (Sound.silence(12) + golden).first(960)
    let found = try Self.differences(golden, film)
    #expect(found == [.shifted(by: 12)])
  }

  /// All blocks of a tone are the same; it is the nearest place that counts.
  @Test func aTone() throws {
    let period = Sound.noise(48)
    let tone = (0..<21).reduce(Sound.silence(0)) { sound, _ in sound + period }
    let later = try Self.differences(tone.first(960), tone.part(43, 1003))
    #expect(later == [.shifted(by: 5)])
    let earlier = try Self.differences(tone.first(960), tone.part(5, 965))
    #expect(earlier == [.shifted(by: -5)])
  }

  /// What is missing in the middle has no one shift.
  @Test func aHoleIsNoShift() throws {
    let golden = Sound.noise(960)
    let found = try Self.differences(golden, golden.first(480) + golden.without(first: 492))
    #expect(found == [.length(golden: 960, film: 948), .changed(10...18)])
  }

  // MARK: In place

  @Test func oneSampleOfOneBlock() throws {
    let golden = Sound.noise(48_000, Self.real)
    let seen = try Self.counted(golden, golden.damaged(at: 37_500))
    #expect(seen.differences == [.changed(7...7)] && seen.reads == 0)
    let short = Sound.noise(960)
    let runs = try Self.differences(short, short.damaged(at: 0).damaged(at: 48).damaged(at: 959))
    #expect(runs == [.changed(0...1), .changed(19...19)])
  }

  @Test func anotherLength() throws {
    let golden = Sound.noise(48_000, Self.real)
    let tenth = try Self.differences(golden, golden.first(43_200))
    #expect(tenth == [.length(golden: 48_000, film: 43_200)])
    let little = try Self.differences(golden, golden.first(47_000))
    #expect(little == [.length(golden: 48_000, film: 47_000)])
    // The golden's last block is short, and is looked for in the film's whole one.
    let longer = try Self.differences(golden.first(47_000), golden)
    #expect(longer == [.length(golden: 47_000, film: 48_000)])
    let changed = try Self.differences(golden.first(47_000), golden.damaged(at: 46_999))
    #expect(changed == [.length(golden: 47_000, film: 48_000), .changed(9...9)])
    let none = try Self.differences(golden, .silence(0, Self.real))
    #expect(none == [.length(golden: 48_000, film: 0)])
    let some = try Self.differences(.silence(0, Self.real), golden)
    #expect(some == [.length(golden: 0, film: 48_000)])
  }

  @Test func silence() throws {
    let same = try Self.differences(.silence(960), .silence(960))
    #expect(same == [])
    let noise = try Self.counted(.silence(960), .noise(960))
    #expect(noise.differences == [.changed(0...19)] && noise.reads == 0)
    let silence = try Self.differences(.noise(960), .silence(960))
    #expect(silence == [.changed(0...19)])
  }

  /// Three blocks at all places within half a second, and no more.
  @Test func anotherSoundCostsNoMore() throws {
    let seen = try Self.counted(.noise(4800), .noise(4800, seed: 2))
    #expect(seen.differences == [.changed(0...99)])
    #expect(seen.reads == 3 && 1...3 * 480 + 1 ~= seen.hashes)
  }

  // MARK: What is said

  @Test func anotherFormatIsAllThatIsSaid() throws {
    let golden = Sound.noise(4800, Self.real)
    func said(_ film: Sound) throws -> [String] {
      try Self.differences(golden, film).map { $0.sentence(golden: golden.hashes) }
    }
    let mono = try said(.noise(4410, AudioFormat(sampleRate: 44100, channels: 1)))
    #expect(mono == ["the audio is 44100 Hz mono, not 48000 Hz stereo"])
    let deep = try said(.noise(4800, AudioFormat(sampleRate: 48000, channels: 2, sample: .s32)))
    #expect(deep == ["the audio is 48000 Hz stereo in 32 bits, not 48000 Hz stereo in 16 bits"])
    var named = golden
    named.layout = "downmix"
    let downmix = try said(named)
    #expect(downmix == ["the audio is 48000 Hz downmix, not 48000 Hz stereo"])
  }

  @Test func sentences() {
    let golden = Sound.noise(96_100, Self.real).hashes
    func said(_ difference: SoundDifference) -> String { difference.sentence(golden: golden) }
    #expect(said(.changed(12...13)) == "the audio differs from 1.200 s to 1.400 s")
    #expect(said(.changed(20...20)) == "the audio differs from 2.000 s to 2.002 s")
    #expect(said(.changed(0...20)) == "all of the audio differs")
    #expect(said(.length(golden: 96_100, film: 91_300)) == "the audio is 4800 samples (0.100 s) shorter")
    #expect(said(.length(golden: 96_100, film: 96_101)) == "the audio is 1 sample (0.000 s) longer")
    #expect(said(.shifted(by: 1)) == "the audio comes 0.021 ms (1 sample) later")
    #expect(said(.shifted(by: -24_000)) == "the audio comes 500.000 ms (24000 samples) earlier")
  }

  @Test func samplesThatDoNotCome() {
    let golden = Sound.noise(960)
    let film = Sound.noise(960, seed: 2)
    func error(_ samples: @escaping (Range<Int64>) throws(CamrecError) -> [UInt8]) -> CamrecError? {
      do throws(CamrecError) {
        _ = try SoundComparison(golden: golden.hashes, film: film.hashes, md5: { Sound.hash($0) }, samples: samples)
        return nil
      } catch { return error }
    }
    let gone = CamrecError(.input, "the audio is gone")
    let refused = error { (_) throws(CamrecError) in throw gone }
    #expect(refused == gone)
    let short = error { _ in [0] }
    #expect(short?.code == .defect)
  }
}
