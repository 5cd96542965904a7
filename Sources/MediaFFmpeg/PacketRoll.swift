import Audio
import CFFmpeg
import Frames
import Movies

/// Encoded frames and audio in the order in which they came, in a ring each. The oldest groups of pictures can be
/// forgotten with their audio.
///
/// Thread: one at a time.
final class PacketRoll {
  private let pictures: PacketRing
  private let sound: PacketRing?
  private var window: PreRollWindow
  private var order: UInt64 = 0
  /// Samples of each channel in a tick, and the bytes in the file of one sample of all channels.
  private let samplesPerTick: Rational
  private let soundFrameBytes: Int
  private(set) var newest: Int64 = 0
  /// The fewest ticks of film that were left when pictures needed more room than there was; `nil`: never.
  private(set) var leastLeft: Int64?

  /// - Parameter length: ticks to keep.
  init(_ settings: MovieSettings, _ room: PreRollRoom, length: Int64) {
    pictures = PacketRing(capacity: room.pictureBytes)
    sound = room.soundBytes > 0 ? PacketRing(capacity: room.soundBytes) : nil
    window = PreRollWindow(length: length)
    samplesPerTick = Rational(Int64(settings.audio?.sampleRate ?? 0)) * settings.timeBase
    soundFrameBytes = settings.audio?.storedFrameBytes ?? 1
  }

  var begin: Int64? { window.begin }
  var isEmpty: Bool { pictures.isEmpty && sound?.isEmpty ?? true }
  var bytes: Int { pictures.bytes + (sound?.bytes ?? 0) }
  func keepAll(_ keeps: Bool) { window.keepsAll = keeps }
  func start(for time: Int64) -> Int64? { window.start(for: time) }

  // MARK: Keeping

  /// Keeps a packet of the video track, and forgets what is too old now or takes the room that it needs.
  func keep(_ packet: UnsafeMutablePointer<AVPacket>) {
    newest = max(newest, packet.pointee.pts)
    while !pictures.hasRoom(for: Int(packet.pointee.size)), !pictures.isEmpty {
      forgetFirstGroup()
      let left = window.begin.map { newest - $0 } ?? 0
      leastLeft = min(leastLeft ?? left, left)
    }
    // After a group that is forgotten halfway, only the next group can be decoded.
    guard window.begin != nil || packet.pointee.flags & AV_PKT_FLAG_KEY != 0 else { return }
    guard append(packet) else { return }
    if packet.pointee.flags & AV_PKT_FLAG_KEY != 0 { window.add(keyAt: packet.pointee.pts) }
    while window.isOld(at: newest) { forgetFirstGroup() }
  }

  /// Keeps audio that is packed as the file stores it.
  func keep(_ bytes: UnsafeRawBufferPointer, sample: Int64) {
    guard let sound else { return }
    while !sound.hasRoom(for: bytes.count), !sound.isEmpty {
      // While no pictures come, audio fills its ring: that says nothing of the room for pictures.
      if window.begin == nil { sound.dropFirst() } else { forgetFirstGroup() }
    }
    _ = append(bytes, sample: sample)
  }

  private func forgetFirstGroup() {
    let next = window.forgetFirst()
    while let first = pictures.first, next.map({ first.time < $0 }) ?? true { pictures.dropFirst() }
    // Without another group, the audio belongs to frames that are still in the encoder.
    if let next { forgetSound(before: samplesPerTick.scaling(next)) }
  }

  private func forgetSound(before sample: Int64) {
    while let sound, let first = sound.first, first.time + Int64(first.count / soundFrameBytes) <= sample {
      sound.dropFirst()
    }
  }

  /// Forgets what comes before a film's beginning.
  func forget(before time: Int64, sample: Int64) {
    window.forget(before: time)
    while let first = pictures.first, first.time < time { pictures.dropFirst() }
    forgetSound(before: sample)
  }

  // MARK: Passing through

  /// Returns false if there is no room.
  func append(_ packet: UnsafeMutablePointer<AVPacket>) -> Bool {
    guard pictures.hasRoom(for: Int(packet.pointee.size)) else { return false }
    let entry = PacketRing.Entry(
      order: nextOrder(), time: packet.pointee.pts, decodingTime: packet.pointee.dts, flags: packet.pointee.flags)
    pictures.append(entry, UnsafeRawBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)))
    return true
  }

  /// Returns false if there is no room.
  func append(_ bytes: UnsafeRawBufferPointer, sample: Int64) -> Bool {
    guard let sound, sound.hasRoom(for: bytes.count) else { return false }
    sound.append(PacketRing.Entry(order: nextOrder(), time: sample), bytes)
    return true
  }

  private func nextOrder() -> UInt64 {
    order += 1
    return order
  }

  /// The oldest packet.
  enum First {
    case picture(PacketRing.Entry)
    case sound(PacketRing.Entry)
  }

  var first: First? {
    switch (pictures.first, sound?.first) {
    case (let picture?, let sound?): picture.order < sound.order ? .picture(picture) : .sound(sound)
    case (let picture?, nil): .picture(picture)
    case (nil, let sound?): .sound(sound)
    case (nil, nil): nil
    }
  }

  /// Moves the first video packet into `packet`, which must be empty.
  func takePicture(into packet: UnsafeMutablePointer<AVPacket>) throws(LibavError) {
    guard let first = pictures.first else { return }
    try LibavCall.check(av_new_packet(packet, Int32(first.count)), "av_new_packet")
    pictures.copyFirst(to: packet.pointee.data)
    packet.pointee.pts = first.time
    packet.pointee.dts = first.decodingTime
    packet.pointee.flags = first.flags
    pictures.dropFirst()
  }

  /// Lends the bytes of the first audio packet, from `sample` on, and forgets them.
  func takeSound(from sample: Int64, _ body: (UnsafeRawBufferPointer) throws(LibavError) -> Void) throws(LibavError) {
    guard let sound, let first = sound.first else { return }
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(first.count, 1), alignment: 16)
    defer { copy.deallocate() }
    if let base = copy.baseAddress { sound.copyFirst(to: base) }
    sound.dropFirst()
    let skipped = min(first.count, max(0, Int(sample - first.time)) * soundFrameBytes)
    try body(UnsafeRawBufferPointer(rebasing: copy[skipped..<first.count]))
  }
}
