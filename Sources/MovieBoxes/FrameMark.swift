/// What every frame of a codec has, and overwritten data does not.
enum FrameMark: Hashable, Sendable {
  /// HEVC: units that fill the frame, each behind its length in so many bytes (ISO/IEC 14496-15, 4.3.2 and 8.3.3).
  case lengths(bytes: Int)
  /// ProRes: the frame's size, then `icpf` (SMPTE RDD 36, 5.1).
  case name

  /// `nil` for a codec whose frames are not told.
  ///
  /// - Parameter description: of the track's samples.
  init?(_ description: BoxReader.Box) {
    if FrameMark.proRes.contains(description.type) {
      self = .name
    } else if FrameMark.hevc.contains(description.type), let bytes = FrameMark.lengthBytes(description) {
      self = .lengths(bytes: bytes)
    } else {
      return nil
    }
  }

  private static let hevc: Set<BoxType> = [BoxType("hvc1"), BoxType("hev1")]
  private static let proRes: Set<BoxType> = [
    BoxType("apco"), BoxType("apcs"), BoxType("apcn"), BoxType("apch"), BoxType("ap4h"), BoxType("ap4x"),
  ]

  /// The last two bits of the decoder configuration's 22nd byte say it.
  private static func lengthBytes(_ description: BoxReader.Box) -> Int? {
    var reader = description.reader
    // A frame's size and the like come before the boxes (14496-12, 12.1.3).
    guard (try? reader.skip(78)) != nil, let boxes = try? reader.boxes(),
      let last = boxes.first(where: { $0.type == BoxType("hvcC") })?.content.dropFirst(21).first
    else { return nil }
    return Int(last & 3) + 1
  }

  /// Whether a frame has it. What is in its middle may be overwritten all the same.
  func isOn<E: Error>(
    frameAt offset: UInt64, _ size: UInt32, _ read: (UInt64, Int) throws(E) -> [UInt8]
  ) throws(E) -> Bool {
    switch self {
    case .name:
      let head = try read(offset, 8)
      return head.count == 8 && head.dropFirst(4).elementsEqual("icpf".utf8)
        && FrameMark.number(head.prefix(4)) <= UInt64(size)
    case .lengths(let bytes):
      var place = offset
      let end = offset + UInt64(size)
      while place < end {
        let head = try read(place, bytes), length = FrameMark.number(head[...])
        place += UInt64(bytes)
        guard head.count == bytes, place <= end, length > 0, length <= end - place else { return false }
        place += length
      }
      return true
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
