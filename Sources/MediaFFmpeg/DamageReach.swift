import CFFmpeg

/// Finds the frames that damage reaches: those decoded behind a damaged one, up to the next key frame.
///
/// Packets come in the order of decoding, frames in that of their times: a frame may come out before a damaged one that
/// it refers to. So it has to wait until all frames up to there that are decoded before it have come out, or are known
/// to be missing.
struct DamageReach {
  private struct Packet {
    let time: Int64
    let isKey: Bool
    /// No other frame refers to its frame.
    let isDisposable: Bool
    var isDamaged = false
  }

  /// In the order of decoding.
  private var packets: [Packet] = []
  /// Whether damage reaches the first of `packets`, unless that is a key frame.
  private var isDamagedBefore = false
  private var hasDamage = false
  /// For frames without a time: something was damaged behind the last key frame.
  private var isOpen = false

  /// Packets to remember, several times as many as a decoder holds back.
  private static let most = 2048

  /// Notes a packet that the decoder gets.
  mutating func sent(_ packet: AVPacket) {
    if packets.count == DamageReach.most {
      for old in packets[..<(DamageReach.most / 2)] {
        if old.isKey { isDamagedBefore = false }
        if old.isDamaged { isDamagedBefore = true }
      }
      packets.removeFirst(DamageReach.most / 2)
    }
    packets.append(
      Packet(
        time: packet.pts, isKey: packet.flags & AV_PKT_FLAG_KEY != 0,
        isDisposable: packet.flags & AV_PKT_FLAG_DISPOSABLE != 0))
  }

  /// Notes that the packet sent last does not decode.
  mutating func failed() {
    guard !packets.isEmpty else { return }
    damage(packets.count - 1)
  }

  /// Notes a damaged frame; `nil` for one whose time is unknown. One whose packet the file does not have was due behind
  /// all packets that it has, so that none of their frames refers to it.
  mutating func damaged(at time: Int64?) {
    guard let time else { return failed() }
    if let place = place(time) { damage(place) }
  }

  private mutating func damage(_ place: Int) {
    guard !packets[place].isDisposable else { return }
    packets[place].isDamaged = true
    hasDamage = true
    isOpen = true
  }

  /// Whether nothing that a frame may refer to is still to come, after frames up to the time `latest`.
  func isKnown(_ time: Int64, after latest: Int64) -> Bool {
    guard var place = place(time) else { return true }
    while place > 0, !packets[place].isKey {
      place -= 1
      if packets[place].time > latest { return false }
    }
    return true
  }

  /// Whether a frame may refer to a damaged one.
  ///
  /// - Parameter isKey: what the decoder says of it; counts for a frame without a time.
  mutating func reaches(_ time: Int64, isKey: Bool) -> Bool {
    guard hasDamage else { return false }
    guard var place = place(time) else {
      if isKey { isOpen = false }
      return isOpen
    }
    while !packets[place].isDamaged {
      // A frame shown before the key frame that it follows may also refer to frames before that.
      if packets[place].isKey, packets[place].time <= time { return false }
      guard place > 0 else { return isDamagedBefore }
      place -= 1
    }
    return true
  }

  private func place(_ time: Int64) -> Int? {
    time == CFFmpeg_noTimestamp ? nil : packets.lastIndex { $0.time == time }
  }
}
