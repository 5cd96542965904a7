import Frames

/// Decides when the room on a recorder's disk is worth a warning, when some has to be made, and when a film has to end.
///
/// A value without clocks of its own: looks go in, decisions come out.
public struct SpaceGuard: Sendable {
  /// What to do before the disk is full.
  public enum Full: String, Hashable, Sendable, CaseIterable {
    /// The film ends while there is room for its index.
    case stop
    /// Deletes the oldest films that may be deleted; if there are none, the film ends.
    case rotate

    /// The default.
    public static let usual = Full.stop
  }

  /// What was seen.
  public struct Look: Hashable, Sendable {
    /// Of a clock that does not jump, in seconds.
    public var time: Double
    /// Bytes that are free on the film's disk.
    public var freeBytes: Int64
    /// Bytes of films there that may be deleted when the disk gets full.
    public var reclaimableBytes: Int64
    /// Bytes that the recorder has accepted for the disk so far, including those that wait.
    public var writtenBytes: Int64
    /// Bytes that finishing takes for what is recorded so far: the index, and what waits in memory.
    public var closingBytes: Int64
    /// Bytes a second that such a film needs if its pictures are difficult, for the time before a rate is measured.
    /// An estimate: an encoder of constant quality may need more.
    public var expectedBytesPerSecond: Double?
    public var isRecording: Bool

    public init(
      time: Double, freeBytes: Int64, reclaimableBytes: Int64 = 0, writtenBytes: Int64, closingBytes: Int64,
      expectedBytesPerSecond: Double?, isRecording: Bool
    ) {
      self.time = time
      self.freeBytes = freeBytes
      self.reclaimableBytes = reclaimableBytes
      self.writtenBytes = writtenBytes
      self.closingBytes = closingBytes
      self.expectedBytesPerSecond = expectedBytesPerSecond
      self.isRecording = isRecording
    }
  }

  /// How much room there is.
  public struct Room: Hashable, Sendable {
    public var freeBytes: Int64
    /// Bytes a second by which it shrinks, from which `secondsLeft` follows; `nil` if unknown.
    public var bytesPerSecond: Double?
    /// Whether that was measured over ten seconds at least.
    public var isMeasured: Bool
    /// Seconds of recording until nothing is left to delete and the film has to end; `nil` if the rate is unknown.
    public var secondsLeft: Double?
    /// Whether the rate is the one expected: none is measured yet, and nothing shows so far that the disk fills faster.
    /// `secondsLeft` is then an estimate and no bound: dark, noisy pictures may need more room, and so may others.
    public var isExpected: Bool
    /// Bytes that are kept for finishing the film.
    public var reserve: Int64
  }

  public enum Decision: Hashable, Sendable {
    case warn(SpaceMark, Room)
    case makeRoom(RoomTarget, Room)
    /// The film has to end now.
    case stop(Room)
  }

  private let marks: [SpaceMark]
  private let full: Full
  private var meter = ConsumptionMeter()
  private var passed: Set<SpaceMark> = []
  /// Whether the film that is being recorded has to end for lack of room: none is deleted for it any more.
  public private(set) var hasStopped = false
  /// How often in a row room had to be made while there was less than the reserve.
  private var attempts = 0
  public private(set) var room: Room?

  /// Seconds of film that are kept free for what is on its way: queues, encoder, a look a second, the stop itself.
  static let closingSeconds = 5.0
  /// Bytes for the sidecar, the folder, the log, and what file systems keep for themselves.
  static let margin: Int64 = 8 << 20
  /// Seconds of film above the reserve: room is made when there is less, and until there is twice as much. On a small
  /// disk a quarter of what is free or can be, above the reserve, takes their place.
  static let ahead = 60.0
  /// Films are deleted only if that lets this one go on for this many seconds above the reserve.
  static let shortestGain = 10.0
  /// Some file systems free what was deleted a moment later. The reserve lasts for this many looks, a second apart.
  static let mostAttempts = 3

  public init(marks: [SpaceMark] = SpaceMark.standard, full: Full = .usual) {
    self.marks = marks
    self.full = full
  }

  /// Bytes that have to stay free for a film to be finished.
  public static func reserve(closing: Int64, bytesPerSecond: Double) -> Int64 {
    max(0, closing).addingSaturated(max(0, Int64(saturating: bytesPerSecond * closingSeconds))).addingSaturated(margin)
  }

  /// Bytes that have to be free for a film to begin: twice the reserve, so that a film that has ended for lack of room
  /// is not followed by another at once.
  public static func needed(bytesPerSecond: Double) -> Int64 {
    reserve(closing: 0, bytesPerSecond: bytesPerSecond).multipliedSaturated(by: 2)
  }

  public mutating func look(_ look: Look) -> [Decision] {
    meter.look(written: look.writtenBytes, free: look.freeBytes, isRecording: look.isRecording, at: look.time)
    let measured = meter.bytesPerSecond, rate = measured ?? look.expectedBytesPerSecond
    let reserve = SpaceGuard.reserve(closing: look.closingBytes, bytesPerSecond: rate ?? 0)
    // Another program may be writing there. A short fall tells how long the room lasts, and is worth a warning, but no
    // film is deleted or ended for it.
    let fall = measured == nil ? look.expectedBytesPerSecond.flatMap { meter.fall(fasterThan: $0) } : nil
    let least = SpaceGuard.least(reserve, fall ?? rate)
    let usable = max(0, reachable(look, least).subtractingSaturated(reserve))
    let room = Room(
      freeBytes: look.freeBytes, bytesPerSecond: fall ?? rate, isMeasured: measured != nil,
      secondsLeft: (fall ?? rate).flatMap { $0 > 0 ? Double(usable) / $0 : nil },
      isExpected: measured == nil && fall == nil, reserve: reserve)
    self.room = room
    guard look.isRecording else {
      hasStopped = false
      return []
    }
    return warnings(look, room, least) + actions(look, room, rate, least)
  }

  private mutating func warnings(_ look: Look, _ room: Room, _ least: Int64) -> [Decision] {
    marks.compactMap { mark in
      let (value, limit): (Double?, Double) =
        switch mark {
        // Few films reach the rate expected; ten seconds later the real one is known.
        case .seconds(let seconds): (room.isExpected ? nil : room.secondsLeft, seconds)
        case .bytes(let bytes): (Double(reachable(look, least)), Double(bytes))
        }
      guard let value else { return nil }
      if value >= limit * SpaceMark.rearming { passed.remove(mark) }
      guard value < limit, passed.insert(mark).inserted else { return nil }
      return .warn(mark, room)
    }
  }

  /// Bytes that are free, or can be. Films are not deleted if all of them together do not let the recording go on.
  private func reachable(_ look: Look, _ least: Int64) -> Int64 {
    let all = look.freeBytes.addingSaturated(look.reclaimableBytes)
    return full == .rotate && all >= least ? all : look.freeBytes
  }

  /// Bytes that have to be free for the film to go on.
  private static func least(_ reserve: Int64, _ bytesPerSecond: Double?) -> Int64 {
    reserve.addingSaturated(max(0, Int64(saturating: (bytesPerSecond ?? 0) * shortestGain)))
  }

  private mutating func actions(_ look: Look, _ room: Room, _ rate: Double?, _ least: Int64) -> [Decision] {
    guard !hasStopped else { return [] }
    // The rate expected is no reason to delete a minute's worth of film. And a small disk keeps half of what fits
    // above the reserve.
    let minute = room.isMeasured ? Int64(saturating: (rate ?? 0) * SpaceGuard.ahead) : 0
    let all = look.freeBytes.addingSaturated(look.reclaimableBytes)
    let more = max(0, min(minute, all.subtractingSaturated(room.reserve) / 4))
    let wanted = room.reserve.addingSaturated(more)
    guard full == .rotate, look.reclaimableBytes > 0, room.freeBytes < wanted, all >= least else {
      attempts = 0
      return stop(room)
    }
    attempts = room.freeBytes < room.reserve ? attempts + 1 : 0
    if attempts > SpaceGuard.mostAttempts { return stop(room) }
    // What makes deleting worth it is made at once: a second later it may not be worth it any more.
    return [.makeRoom(RoomTarget(bytes: max(wanted.addingSaturated(more), least), least: least), room)]
  }

  private mutating func stop(_ room: Room) -> [Decision] {
    guard room.freeBytes < room.reserve else { return [] }
    hasStopped = true
    return [.stop(room)]
  }
}
