import Audio
import AudioALSA
import Frames
import Testing

@Suite struct SoundTimesTests {
  private func at(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }

  @Test func firstFrame_liesTheFillOfTheBufferBeforeTheStamp() {
    var times = SoundTimes(sampleRate: 48000)
    let place = times.place(stamp: at(1000), available: 480, count: 480)
    #expect(place.time == at(990))
    #expect(place.lostBefore == 0)
  }

  @Test func stampsThatWander_loseNothing() {
    var times = SoundTimes(sampleRate: 48000)
    _ = times.place(stamp: at(1000), available: 480, count: 480)
    #expect(times.place(stamp: at(1014), available: 480, count: 480).lostBefore == 0)
    #expect(times.place(stamp: at(1019), available: 480, count: 480).lostBefore == 0)
  }

  @Test func overrun_losesTheTimeBetweenTheBlocks_once() {
    var times = SoundTimes(sampleRate: 48000)
    _ = times.place(stamp: at(1000), available: 480, count: 480)
    times.noteOverrun()
    // The block before ended at 1000 ms, this one begins at 2500 ms.
    let place = times.place(stamp: at(2510), available: 480, count: 480)
    #expect(place.time == at(2500))
    #expect(place.lostBefore == 72000)
    #expect(times.place(stamp: at(2520), available: 480, count: 480).lostBefore == 0)
  }

  @Test func overrunBeforeTheFirstBlock_losesNothing() {
    var times = SoundTimes(sampleRate: 44100)
    times.noteOverrun()
    #expect(times.place(stamp: at(1000), available: 441, count: 441).lostBefore == 0)
  }

  @Test func overrunThatReadsBackwards_losesNothing() {
    var times = SoundTimes(sampleRate: 48000)
    _ = times.place(stamp: at(1000), available: 480, count: 480)
    times.noteOverrun()
    #expect(times.place(stamp: at(1005), available: 480, count: 480).lostBefore == 0)
  }
}

@Suite struct SampleEncodingTests {
  private func expanded(_ encoding: SampleEncoding, _ bytes: [UInt8], count: Int) -> [Int32] {
    withUnsafeTemporaryAllocation(byteCount: count * 4, alignment: 4) { buffer in
      buffer.initializeMemory(as: UInt8.self, repeating: 0)
      buffer.copyBytes(from: bytes)
      encoding.expand(buffer, count: count)
      return (0..<count).map { buffer.load(fromByteOffset: $0 * 4, as: Int32.self) }
    }
  }

  @Test func threeBytes_becomeTheHighEndOf32Bits() {
    let bytes: [UInt8] = [0x01, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0x56, 0x34, 0x12, 0x00, 0x00, 0x80]
    #expect(expanded(.s24in24, bytes, count: 4) == [0x100, -0x100, 0x12_3456_00, .min])
  }

  @Test func lowEnd_becomesTheHighEnd_whateverTheFillIs() {
    let bytes: [UInt8] = [0x56, 0x34, 0x12, 0x00, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x80, 0xFF]
    #expect(expanded(.s24in32, bytes, count: 3) == [0x12_3456_00, -0x100, .min])
  }

  @Test func full32Bits_stay() {
    #expect(expanded(.s32, [1, 2, 3, 4], count: 1) == [0x0403_0201])
    #expect(SampleEncoding.s16.sample == .s16 && SampleEncoding.s24in24.sample == .s32)
  }
}
