import Audio
import Frames
import Testing

struct AudioBufferTests {
  private func buffer(_ samples: [Int16], capacity: Int = 8) -> AudioBuffer {
    var buffer = AudioBuffer(format: AudioFormat(sampleRate: 48000, channels: 1), capacity: capacity)
    buffer.count = samples.count
    buffer.withMutableBytes { bytes in
      for (index, sample) in samples.enumerated() {
        bytes.storeBytes(of: sample, toByteOffset: 2 * index, as: Int16.self)
      }
    }
    return buffer
  }

  private func samples(_ buffer: borrowing AudioBuffer) -> [Int16] {
    buffer.withBytes { Array($0.bindMemory(to: Int16.self)) }
  }

  @Test func appendingPutsAPartBehindWhatIsThere() {
    var target = buffer([1, 2])
    target.append(buffer([3, 4, 5, 6]), from: 1, count: 2)
    #expect(samples(target) == [1, 2, 4, 5])
    target.append(buffer([7]), from: 0, count: 0)
    #expect(target.count == 4)
  }

  @Test func droppingFromTheFrontMovesTheTimeOn() {
    var target = buffer([1, 2, 3])
    target.dropFirst(2)
    #expect(samples(target) == [3] && target.time.nanoseconds == 41_667)
  }
}
