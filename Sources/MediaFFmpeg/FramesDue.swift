import CFFmpeg
import Frames

/// Finds out which frames a decoder leaves out.
///
/// Packets go into a decoder in decoding order, and frames come out in the order of their times: a damaged frame is
/// missing once a later one comes out. A packet without an error may be one that is not shown, such as the second field
/// of a frame, or one that the decoder took for nothing: that leaves a hole as long as a frame. In MPEG-4 a packet may
/// stand for no change: there a hole counts beside an error only, since the decoder skips what refers to the damage.
struct FramesDue {
  /// The times of packets whose frames have not come out, in order.
  private var times: [Int64] = []
  /// Errors whose place is unknown, each with the latest time among the packets that it may belong to.
  private var errors: [Int64] = []
  /// `nil` if two packets may show one frame.
  private let ticksPerFrame: Int64?
  private let showsEachPacket: Bool
  /// The latest time that came out or was missing.
  private var latest: Int64?
  /// The times of the frames found missing last. Behind damage, some come out after all, among later ones.
  private var missed: [Int64] = []

  /// Frames by which one may be shown later than it is decoded.
  private static let mostReordered: Int64 = 17
  /// No decoder holds back that many.
  private static let most = 512

  /// - Parameters:
  ///   - ticksPerFrame: of progressive frames; `nil` for others, whose fields may have packets of their own.
  ///   - showsEachPacket: every packet shows a frame.
  init(ticksPerFrame: Int64?, showsEachPacket: Bool) {
    self.ticksPerFrame = ticksPerFrame
    self.showsEachPacket = showsEachPacket
  }

  /// Notes a packet that the decoder gets.
  mutating func sent(_ time: Int64) {
    times.insert(time, at: (times.lastIndex { $0 <= time } ?? -1) + 1)
    if times.count > FramesDue.most { times.removeFirst() }
  }

  /// Notes that the clip was cut off behind the packet of a frame: those of frames shown before it may be missing.
  ///
  /// - Parameter time: the frame's.
  mutating func cut(before time: Int64) {
    guard showsEachPacket, let ticksPerFrame, let latest, time > latest,
      time.subtractingSaturated(latest) <= ticksPerFrame.multipliedSaturated(by: FramesDue.mostReordered)
    else { return }
    var missing = latest.addingSaturated(ticksPerFrame)
    while time.subtractingSaturated(missing) >= least {
      let isThere = times.contains { $0.subtractingSaturated(missing).magnitude < least.magnitude }
      if !isThere { sent(missing) }
      missing = missing.addingSaturated(ticksPerFrame)
    }
  }

  /// Notes an error of the decoder. Returns false if no time tells which frame it concerns.
  mutating func failed() -> Bool {
    guard let last = times.last else { return false }
    errors.append(last)
    return true
  }

  /// Notes a frame that the decoder delivers.
  ///
  /// - Returns: the times of the damaged frames before it; `nil` for a frame whose time is unknown.
  mutating func came(_ time: Int64) -> [Int64?] {
    var damaged: [Int64?] = [], countsHoles = showsEachPacket
    while let missing = times.first, missing < time {
      times.removeFirst()
      if let last = errors.first, missing <= last {
        errors.removeFirst()
        countsHoles = true
      } else if !countsHoles || !isHole(missing, before: time) {
        continue
      }
      if missed.count == FramesDue.most { missed.removeFirst() }
      missed.append(missing)
      damaged.append(missing)
      latest = max(latest ?? missing, missing)
    }
    if times.first == time { times.removeFirst() }
    if time != CFFmpeg_noTimestamp, time != .max { latest = max(latest ?? time, time) }
    while let last = errors.first, last < time {
      errors.removeFirst()
      damaged.append(nil)
    }
    return damaged
  }

  /// How far apart two frames are at least.
  private var least: Int64 { ticksPerFrame.map { $0 - $0 / 4 } ?? .max }

  /// Whether at `missing` a frame is missing between the latest and the one at `time`.
  private func isHole(_ missing: Int64, before time: Int64) -> Bool {
    guard ticksPerFrame != nil, let latest else { return false }
    return missing.subtractingSaturated(latest) >= least && time.subtractingSaturated(missing) >= least
  }

  /// Whether the frame of that time was found missing.
  func hasMissed(_ time: Int64) -> Bool { missed.contains(time) }

  /// Notes that the decoder delivers no more frames. Returns the same as `came`.
  mutating func ended() -> [Int64?] { came(.max) }
}
