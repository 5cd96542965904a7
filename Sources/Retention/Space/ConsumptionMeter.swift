import Frames

/// Measures how fast a disk fills while a recorder records.
///
/// The recorder's own bytes are averaged over the last minute of recording. What others write there, such as another
/// camera of the rig, shows in the free space: the median of its fall in each five seconds counts, so that a file that
/// somebody deletes, or one that is there only for a moment, changes nothing. The larger of the two is the rate. Time
/// without recording does not count.
public struct ConsumptionMeter: Sendable {
  private struct Reading {
    /// Seconds of recording.
    var seconds: Double
    var written: Int64
    var free: Int64
  }

  /// The readings at which each part begins, and the one at which the last part ends.
  private var readings: [Reading] = []
  private var latest: Reading?
  private var lastTime: Double?
  /// Bytes a second by which the free space fell at the last looks, and the reading to compare the next one with.
  private var falls: [Double] = []
  private var fallen: Reading?

  /// Seconds of a part, and the number of parts that count.
  private static let part = 5.0
  private static let parts = 12
  /// Fewer parts say too little: encoders begin with large frames, and of one part the median is what happened in it.
  private static let fewest = 2
  /// Looks that have to show a fall, and seconds between two.
  private static let looks = 2
  private static let apart = 0.5

  public init() {}

  /// - Parameters:
  ///   - written: bytes that the recorder has accepted for the disk so far.
  ///   - free: bytes that are free.
  ///   - time: of a clock that does not jump, in seconds.
  public mutating func look(written: Int64, free: Int64, isRecording: Bool, at time: Double) {
    defer { lastTime = time }
    guard isRecording else {
      // What comes and goes meanwhile is not the recording's.
      if let latest { restart(behind: latest, written, free) }
      (falls, fallen) = ([], nil)
      return
    }
    let step = latest == nil ? 0 : max(0, time - (lastTime ?? time))
    let now = Reading(seconds: (latest?.seconds ?? 0) + step, written: max(written, latest?.written ?? 0), free: free)
    latest = now
    noteFall(now)
    guard let last = readings.last else { return readings.append(now) }
    guard now.seconds - last.seconds >= ConsumptionMeter.part else { return }
    readings.append(now)
    if readings.count > ConsumptionMeter.parts + 1 { readings.removeFirst() }
  }

  private mutating func noteFall(_ now: Reading) {
    guard let before = fallen else { return fallen = now }
    let seconds = now.seconds - before.seconds
    guard seconds >= ConsumptionMeter.apart else { return }
    falls.append(Double(before.free.subtractingSaturated(now.free)) / seconds)
    if falls.count > ConsumptionMeter.looks { falls.removeFirst() }
    fallen = now
  }

  /// Bytes a second by which the free space has fallen at the last two looks; `nil` unless each shows more than `rate`.
  public func fall(fasterThan rate: Double) -> Double? {
    guard falls.count == ConsumptionMeter.looks, falls.allSatisfy({ $0 > rate }) else { return nil }
    return falls.reduce(0, +) / Double(falls.count)
  }

  private mutating func restart(behind last: Reading, _ written: Int64, _ free: Int64) {
    let more = written.subtractingSaturated(last.written), less = last.free.subtractingSaturated(free)
    guard more != 0 || less != 0 else { return }
    func moved(_ reading: Reading) -> Reading {
      Reading(
        seconds: reading.seconds, written: reading.written.addingSaturated(more),
        free: reading.free.subtractingSaturated(less))
    }
    readings = readings.map(moved)
    latest = moved(last)
  }

  /// Bytes a second; `nil` before ten seconds were recorded.
  public var bytesPerSecond: Double? {
    guard let latest, let first = readings.first, readings.count > ConsumptionMeter.fewest else { return nil }
    let own = Double(latest.written.subtractingSaturated(first.written)) / (latest.seconds - first.seconds)
    let falls = zip(readings, readings.dropFirst()).map {
      Double($0.free.subtractingSaturated($1.free)) / ($1.seconds - $0.seconds)
    }.sorted()
    return max(own, falls.isEmpty ? 0 : falls[(falls.count - 1) / 2])
  }
}
