import CFFmpeg

/// Judges the packets of an FFV1 stream by the checksums of their slices (RFC 9043, 4.9).
///
/// libavcodec shows the frame before in place of a slice whose checksum does not match, and does not report it.
struct FFV1Checksums {
  /// What a checksum begins with, and what it is over a whole slice.
  private let reference: UInt32
  /// Whether a damaged packet came after the last key frame: the frames up to the next one follow from it.
  private var isBroken = false

  /// Bytes at the end of a slice: its size (3), a status (1) and its checksum (4).
  private static let footer = 8

  /// `nil` if the stream's slices have no checksums: before version 3, or if the encoder was told to leave them out.
  init?(_ parameters: AVCodecParameters) {
    let record = UnsafeBufferPointer<UInt8>(start: parameters.extradata, count: Int(parameters.extradata_size))
    switch FFV1Configuration.protection(in: record) {
    case 1: reference = 0
    case 2: reference = 0x7A8C_4079
    default: return nil
    }
  }

  /// Whether the packet's frame can be decoded without damage. Takes the packets in their order.
  mutating func accept(_ packet: AVPacket) -> Bool {
    let bytes = UnsafeBufferPointer<UInt8>(start: packet.data, count: Int(packet.size))
    guard !bytes.isEmpty else { return true }
    if !isWhole(bytes) {
      isBroken = true
    } else if FFV1Symbols.beginsKeyFrame(bytes) {
      isBroken = false
    }
    return !isBroken
  }

  /// Whether all slices match their checksums. Their sizes lead from the packet's end to its beginning.
  private func isWhole(_ packet: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = packet.baseAddress else { return true }
    let table = av_crc_get_table(AV_CRC_32_IEEE)
    var end = packet.count
    while end > 0 {
      let sizeAt = end - FFV1Checksums.footer
      guard sizeAt >= 0 else { return false }
      let start = sizeAt - packet[sizeAt..<sizeAt + 3].reduce(0) { $0 << 8 | Int($1) }
      guard start >= 0, av_crc(table, reference, first + start, end - start) == reference else { return false }
      end = start
    }
    return true
  }
}
