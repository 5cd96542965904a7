public import Audio
import CFFmpeg
import Frames

/// Turns buffers of audio into packets as the film stores them: 16 bits as they are, 32 bits as 24.
///
/// A packet points at memory that lives until the next one. Thread: one at a time.
final class MovieSound {
  private let format: AudioFormat
  private let packet: UnsafeMutablePointer<AVPacket>
  private var packed: UnsafeMutableRawBufferPointer
  /// Audio frames handed out so far; the next packet starts there.
  private(set) var count: Int64 = 0

  init(_ format: AudioFormat) throws(LibavError) {
    self.format = format
    packet = try LibavCall.unwrap(av_packet_alloc(), "av_packet_alloc")
    packed = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 64)
  }

  deinit {
    var packet: UnsafeMutablePointer<AVPacket>? = packet
    av_packet_free(&packet)
    packed.deallocate()
  }

  /// Makes a packet of `sound`, which follows the packet before it without a gap, and lends it to `muxer`.
  func store(_ sound: borrowing AudioBuffer, in muxer: MovieMuxer) throws(LibavError) {
    try withStored(sound) { (bytes) throws(LibavError) in try store(stored: bytes, in: muxer) }
  }

  /// Lends the bytes of `sound` as the film stores them.
  func withStored(
    _ sound: borrowing AudioBuffer, _ body: (UnsafeRawBufferPointer) throws(LibavError) -> Void
  ) throws(LibavError) {
    let outcome: Result<Void, LibavError> = sound.withBytes { bytes in
      do throws(LibavError) {
        try body(format.sample == .s16 ? UnsafeRawBufferPointer(bytes) : pack(bytes))
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try outcome.get()
  }

  /// As `store`, for bytes as the film stores them.
  func store(stored bytes: UnsafeRawBufferPointer, in muxer: MovieMuxer) throws(LibavError) {
    let frames = Int64(bytes.count / format.storedFrameBytes)
    guard frames > 0 else { return }
    packet.pointee.data = UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
    packet.pointee.size = Int32(bytes.count)
    packet.pointee.pts = count
    packet.pointee.dts = count
    packet.pointee.duration = frames
    packet.pointee.flags = AV_PKT_FLAG_KEY
    defer {
      packet.pointee.data = nil
      packet.pointee.size = 0
    }
    try muxer.writeSound(packet)
    count += frames
  }

  /// The upper three bytes of each little-endian 32-bit sample.
  private func pack(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let samples = bytes.count / 4
    if packed.count < samples * 3 {
      packed.deallocate()
      packed = UnsafeMutableRawBufferPointer.allocate(byteCount: samples * 3, alignment: 64)
    }
    for sample in 0..<samples {
      packed[3 * sample] = bytes[4 * sample + 1]
      packed[3 * sample + 1] = bytes[4 * sample + 2]
      packed[3 * sample + 2] = bytes[4 * sample + 3]
    }
    return UnsafeRawBufferPointer(rebasing: packed[..<(samples * 3)])
  }
}

extension AudioFormat {
  /// Bytes of one sample in the file.
  var storedSampleBytes: Int { sample == .s16 ? 2 : 3 }
  /// Bytes of one sample of each channel in the file.
  var storedFrameBytes: Int { channels * storedSampleBytes }
  /// Bytes of one second in the file.
  public var storedBytesPerSecond: Double { Double(sampleRate * storedFrameBytes) }
}
