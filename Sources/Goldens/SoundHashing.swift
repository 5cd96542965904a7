public import Audio

/// Hashes audio that comes in pieces.
///
/// The audio starts at presentation time 0: the caller leaves out what comes before, and passes zeros for what is
/// missing before the first sample and in gaps.
public struct SoundHashing: Sendable {
  private let format: AudioFormat
  private let layout: String
  private let md5: @Sendable (RawSpan) -> String
  private let blockBytes: Int
  /// Bytes of the unfinished block.
  private var pending: [UInt8] = []
  private var blocks: [SoundHashes.Block] = []

  /// - Parameters:
  ///   - layout: the channels as FFmpeg calls them (`av_channel_layout_describe`); `nil`: the default for their number.
  ///   - md5: the MD5 of bytes in lower-case hexadecimal.
  public init(_ format: AudioFormat, layout: String? = nil, md5: @escaping @Sendable (RawSpan) -> String) {
    self.format = format
    self.layout = layout ?? SoundHashes.layoutName(channels: format.channels)
    self.md5 = md5
    blockBytes = SoundHashes.blockLength(sampleRate: format.sampleRate) * format.bytesPerFrame
    pending.reserveCapacity(blockBytes)
  }

  /// Takes the next bytes: interleaved, little-endian PCM in pieces of any size, which need not end with a sample.
  public mutating func update(_ bytes: RawSpan) {
    var done = 0
    while done < bytes.byteCount {
      let count = min(blockBytes - pending.count, bytes.byteCount - done)
      let piece = bytes.extracting(done..<done + count)
      done += count
      if count == blockBytes {
        note(md5(piece), bytes: count)
      } else {
        // Marked unsafe: the pointer is the span's, and is not kept.
        unsafe piece.withUnsafeBytes { unsafe pending.append(contentsOf: $0) }
        if pending.count == blockBytes { notePending() }
      }
    }
  }

  /// The hashes of everything passed in; the last block may be shorter.
  ///
  /// - Precondition: the pieces together are whole sample frames.
  public consuming func finish() -> SoundHashes {
    precondition(pending.count % format.bytesPerFrame == 0, "sound ends with a whole sample frame")
    if !pending.isEmpty { notePending() }
    return SoundHashes(format: format, layout: layout, blocks: blocks)
  }

  private mutating func notePending() {
    // Marked unsafe: bytes may be looked at as bytes.
    let hash = unsafe md5(pending.span.bytes)
    note(hash, bytes: pending.count)
    pending.removeAll(keepingCapacity: true)
  }

  private mutating func note(_ hash: String, bytes: Int) {
    let start = blocks.last.map { $0.start + Int64($0.count) } ?? 0
    blocks.append(SoundHashes.Block(start: start, count: bytes / format.bytesPerFrame, hash: hash))
  }
}
