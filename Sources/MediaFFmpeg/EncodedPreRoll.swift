public import Audio
import CFFmpeg
public import Frames
public import Movies
public import RecorderAPI
import Synchronization

/// A pre-roll of an encoder's packets and of PCM. A film that begins takes over the running encoder, so there is no
/// break between what was kept and what follows.
///
/// `@unchecked Sendable`: mutable state is touched only by calls that come one at a time; `status` is locked.
public final class EncodedPreRoll: PreRoll, @unchecked Sendable {
  public let room: PreRollRoom
  /// What a film that begins with the pre-roll takes over.
  struct Rest {
    let encoder: VideoEncoder
    let roll: PacketRoll
    let decodingTimes: DecodingTimes
    /// Where the film begins, in ticks and samples of the pre-roll.
    let start: Int64
    let startSample: Int64
    /// Times of the film's frames that the encoder has received, in ticks of the pre-roll.
    let times: [Int64]
  }

  private let settings: MovieSettings
  private let encoder: VideoEncoder
  private let roll: PacketRoll
  private let sound: MovieSound?
  private let packet: LibavPacket
  private var decodingTimes = DecodingTimes()
  /// Times of the frames kept, and of those in the encoder.
  private var times: [Int64] = []
  private var hasForgotten = false
  private var start: (time: Int64, sample: Int64)?
  private let told: Mutex<PreRollStatus>
  /// As `shortfall`.
  private let short = Mutex<PreRollShortfall?>(nil)
  /// To keep, as far as memory allows.
  private let seconds: Double

  var heldFrames: Int? { encoder.heldFrames }

  /// Opens the encoder.
  ///
  /// - Parameters:
  ///   - settings: the film's; its path is not read.
  ///   - seconds: seconds of film to keep, at least.
  /// - Throws: as `MovieWriter.open`.
  public init(_ settings: MovieSettings, seconds: Rational) throws(CamrecError) {
    LibavLog.silence()
    guard settings.container != .framemd5 else {
      throw CamrecError(.usage, "a hash recording has no pre-roll; record to a .mov or .mkv")
    }
    try settings.checkTimes()
    let encoder = try VideoEncoder(settings)
    let room = PreRollRoom(settings, seconds: seconds.doubleValue, heldFrames: encoder.heldFrames ?? 16)
    do throws(LibavError) {
      sound = if let format = settings.audio { try MovieSound(format) } else { nil }
      packet = try LibavPacket()
    } catch {
      throw CamrecError(.defect, "no memory for a pre-roll", cause: error.cause)
    }
    self.settings = settings
    self.encoder = encoder
    self.room = room
    self.seconds = seconds.doubleValue
    roll = PacketRoll(settings, room, length: settings.timeBase.inverse.scaling(seconds))
    told = Mutex(PreRollStatus(capacityBytes: room.bytes))
  }

  public var status: PreRollStatus { told.withLock { $0 } }
  public var shortfall: PreRollShortfall? { short.withLock { $0 } }

  public func write(_ frame: consuming Frame, at time: Int64) throws(CamrecError) {
    try settings.check(frame.format, at: time, after: times.last)
    do throws(LibavError) {
      try encoder.send(frame, at: time)
      times.append(time)
      decodingTimes.add(pictureAt: time)
      while try encoder.receive(packet.pointer) {
        packet.pointer.pointee.dts = decodingTimes.settle(packet.pointer.pointee.dts)
        roll.keep(packet.pointer)
        av_packet_unref(packet.pointer)
      }
    } catch {
      throw CamrecError(.defect, "\(encoder.name) failed before anything was recorded", cause: error.cause)
    }
    if let begin = roll.begin, let first = times.first, first < begin {
      hasForgotten = true
      // Seldom more than one group.
      times.removeFirst(times.firstIndex { $0 >= begin } ?? times.count)
    }
    tell(newest: time)
  }

  public func write(_ sound: borrowing AudioBuffer, at sample: Int64) throws(CamrecError) {
    guard let store = self.sound, sound.format == settings.audio else {
      throw CamrecError(.defect, "a pre-roll was given audio that it was not opened for")
    }
    do throws(LibavError) {
      try store.withStored(sound) { roll.keep($0, sample: sample) }
    } catch {
      throw CamrecError(.defect, "a pre-roll cannot keep its audio", cause: error.cause)
    }
  }

  private func tell(newest: Int64) {
    // More is kept only to reach back to a keyframe.
    let frame = settings.frameRate.frameDuration.doubleValue
    let seconds = begin.map { min(Double(newest - $0) * settings.timeBase.doubleValue + frame, self.seconds) } ?? 0
    let bytes = roll.bytes
    told.withLock {
      ($0.seconds, $0.bytes) = (seconds, bytes)
      $0.frames += 1
    }
    guard let left = roll.leastLeft else { return }
    let kept = Double(left) * settings.timeBase.doubleValue
    // Said in tenths.
    if kept < min(self.seconds, room.seconds) - 0.05 {
      short.withLock { $0 = PreRollShortfall(seconds: kept, wanted: self.seconds, isMostMemory: room.isMost) }
    }
  }

  /// Until something is forgotten, the first frame that goes into the encoder is the first that comes out of it.
  public var begin: Int64? { roll.begin ?? (hasForgotten ? nil : times.first) }

  public func keepAll(_ keeps: Bool) { roll.keepAll(keeps) }

  public func start(for time: Int64) -> Int64? { roll.start(for: time) ?? begin }

  public func begins(at time: Int64, sample: Int64) {
    roll.forget(before: time, sample: sample)
    times.removeAll { $0 < time }
    start = (time, sample)
  }

  /// What the film takes over.
  ///
  /// - Throws: code `defect`: `begins` has not been called.
  func rest() throws(CamrecError) -> Rest {
    guard let start else { throw CamrecError(.defect, "a film was opened before its beginning was known") }
    return Rest(
      encoder: encoder, roll: roll, decodingTimes: decodingTimes, start: start.time, startSample: start.sample,
      times: times)
  }
}
