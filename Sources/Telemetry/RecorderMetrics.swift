import Frames
import Movies
public import Recorder

/// The metrics of one recorder, from its states.
///
/// Counters never fall as long as the recorder runs, over all its films: what a finished film turns out to hold less
/// than was believed is caught up with, not taken back, since Prometheus takes a fall for a new beginning.
///
/// Thread: one at a time.
public struct RecorderMetrics: Sendable {
  /// What is read beside the recorder's state.
  public struct Surroundings: Hashable, Sendable {
    /// Bytes that are free where the film lies.
    public var freeBytes: Int64?
    public var zones: [ThermalZone] = []

    public init() {}
  }

  private let camera: String
  private let version: String
  private let startTime: Double
  private let failedStarts: Int
  /// The highest that was told, by family and labels.
  private var floors: [String: Double] = [:]

  /// - Parameters:
  ///   - camera: what the recorder is called: the label `camera` of every sample.
  ///   - version: of camrec.
  ///   - startTime: when the process began, in seconds since 1970.
  ///   - failedStarts: starts in a row, right before this one, that came to nothing.
  public init(camera: String, version: String, startTime: Double, failedStarts: Int = 0) {
    self.camera = camera
    self.version = version
    self.startTime = startTime
    self.failedStarts = failedStarts
  }

  public mutating func families(_ state: RecorderState, _ around: Surroundings) -> [MetricFamily] {
    facts(state) + frames(state) + files(state) + (state.disk.map { disk($0) } ?? []) + gauges(state, around)
  }

  // MARK: Families

  private func facts(_ state: RecorderState) -> [MetricFamily] {
    [
      gauge("camrec_build_info", "Always 1; the version is a label.", [([("version", version)], 1)]),
      gauge(
        "camrec_start_time_seconds", "When the recorder's process began, in seconds since 1970.", [([], startTime)]),
      gauge(
        "camrec_failed_starts", "Starts of the recorder in a row, up to this one, that came to nothing.",
        [([], Double(state.failedStarts(after: failedStarts)))]),
    ]
  }

  private mutating func frames(_ state: RecorderState) -> [MetricFamily] {
    let ledger = state.ledger
    let reasons = LossReason.allCases.map(\.rawValue) + [RecorderMetrics.between]
    return [
      counter(
        "camrec_frames_expected_total", "Frames that were due, by the camera's own count.", [([], ledger.expected)]),
      counter("camrec_frames_captured_total", "Frames that arrived intact.", [([], ledger.captured)]),
      counter("camrec_frames_written_total", "Frames that were handed to the film.", [([], ledger.written)]),
      counter(
        "camrec_frames_lost_total", "Frames that were due and are in no film, by the reason.",
        reasons.map { ([("reason", RecorderMetrics.snakeCase($0))], ledger.lost[$0] ?? 0) }),
    ]
  }

  private mutating func files(_ state: RecorderState) -> [MetricFamily] {
    let totals = state.totals ?? RecorderState.Totals()
    return [
      counter("camrec_films_total", "Films that were begun.", [([], state.films)]),
      counter("camrec_film_bytes_total", "Bytes of film that were written.", [([], Int(totals.bytes))]),
      counter(
        "camrec_sound_frames_written_total", "Audio frames (a sample of each channel) in films.",
        [([], Int(totals.soundFrames))]),
      counter(
        "camrec_sound_frames_lost_total", "Audio frames that the microphone lost; silence stands for them.",
        [([], Int(totals.soundLost))]),
      counter(
        "camrec_camera_absences_total", "Times that the camera went away and was waited for.",
        [([], totals.absences ?? 0)]),
      counter(
        "camrec_films_deleted_total", "Old films that were deleted.",
        totals.deletedFilms.map { [([], $0)] } ?? []),
      counter("camrec_warnings_total", "Warnings.", [([], totals.warnings)]),
    ]
  }

  private mutating func disk(_ disk: DiskStatus) -> [MetricFamily] {
    [
      counter(
        "camrec_disk_written_bytes_total", "Bytes that were given to the system.", [([], Int(disk.bytesWritten))]),
      counter(
        "camrec_disk_synchronized_bytes_total", "Bytes that are confirmed to be on the medium.",
        [([], Int(disk.bytesSynchronized))]),
      histogram(
        "camrec_disk_sync_seconds", "How long calls of fdatasync took.", DurationHistogram.bounds,
        disk.synchronizationTimes.counts, sum: disk.synchronizationTimes.sum),
      gauge("camrec_disk_buffer_bytes", "Bytes that wait in front of the disk.", [([], Double(disk.waitingBytes))]),
      gauge(
        "camrec_disk_buffer_capacity_bytes", "Bytes that may wait in front of the disk.",
        disk.capacityBytes > 0 ? [([], Double(disk.capacityBytes))] : []),
      gauge(
        "camrec_disk_stalled_seconds", "For how long the disk has been behind the loss bound; 0 while it keeps up.",
        [([], disk.stalledSeconds)]),
    ]
  }

  private func gauges(_ state: RecorderState, _ around: Surroundings) -> [MetricFamily] {
    let queues = state.queues.map { [("captured", $0.captured), ("baked", $0.baked), ("sound", $0.sound)] } ?? []
    return [
      gauge(
        "camrec_phase", "1 for the phase that the recorder is in.",
        RecorderState.Phase.allCases.map { ([("phase", $0.rawValue)], $0 == state.phase ? 1 : 0) }),
      gauge(
        "camrec_film_seconds", "Length of the film that is being recorded.",
        state.source == nil ? [] : [([], state.seconds)]),
      gauge(
        "camrec_queue_depth", "Frames, and blocks of sound, that wait in a queue.",
        queues.map { ([("queue", $0.0)], Double($0.1.depth)) }),
      gauge(
        "camrec_queue_capacity", "Places in a queue.", queues.map { ([("queue", $0.0)], Double($0.1.capacity)) }),
      gauge(
        "camrec_effort_step", "Steps that load or heat has taken the recorder down; 0 is as it was asked for.",
        state.effort.map {
          [([("cause", "load")], Double($0.loadStep)), ([("cause", "heat")], Double($0.heatStep))]
        } ?? []),
      gauge("camrec_bake_workers", "Threads that bake.", state.effort.map { [([], Double($0.workers))] } ?? []),
      gauge(
        "camrec_encoder_speed_ratio", "Frames that the encoder takes in the time of one, while it is busy.",
        state.effort?.encoderSpeed.map { [([], $0)] } ?? []),
      gauge(
        "camrec_camera_clock_offset_ratio",
        "The camera's measured rate against its nominal one, less 1; 0.000001 is 1 ppm.",
        state.ratePartsPerMillion.map { [([], $0 / 1e6)] } ?? []),
      gauge(
        "camrec_disk_free_bytes", "Bytes that are free where the film lies.",
        around.freeBytes.map { [([], Double($0))] } ?? []),
      gauge(
        "camrec_disk_seconds_left", "Seconds of recording until the disk is as full as a film can use it.",
        state.disk?.secondsLeft.map { [([], $0)] } ?? []),
      gauge(
        "camrec_temperature_celsius", "Temperature of the machine's thermal zones.",
        around.zones.map { ([("zone", $0.name), ("type", $0.type)], $0.celsius) }),
    ]
  }

  // MARK: Parts

  /// Frames that were due between a film and the one that continues it.
  private static let between = "between"

  private typealias Labels = [(String, String)]

  private mutating func counter(_ name: String, _ help: String, _ values: [(Labels, Int)]) -> MetricFamily {
    let samples = values.map { labels, value in
      let sample = self.sample(labels, Double(value))
      let key = name + sample.labels.map { "\u{0}\($0.value)" }.joined()
      let highest = max(floors[key] ?? 0, sample.value)
      floors[key] = highest
      return MetricFamily.Sample(sample.labels, highest)
    }
    return MetricFamily(name, .counter, help, samples)
  }

  /// - Parameter counts: of each class, and of what is behind the last bound.
  private func histogram(
    _ name: String, _ help: String, _ bounds: [Double], _ counts: [Int], sum: Double
  ) -> MetricFamily {
    var total = 0
    let buckets = zip(bounds + [.infinity], counts).map { bound, count in
      total += count
      var bucket = sample([("le", MetricFamily.number(bound))], Double(total))
      bucket.suffix = "_bucket"
      return bucket
    }
    var ends = [sample([], sum), sample([], Double(total))]
    ends[0].suffix = "_sum"
    ends[1].suffix = "_count"
    return MetricFamily(name, .histogram, help, buckets + ends)
  }

  private func gauge(_ name: String, _ help: String, _ values: [(Labels, Double)]) -> MetricFamily {
    MetricFamily(name, .gauge, help, values.map { sample($0.0, $0.1) })
  }

  private func sample(_ labels: Labels, _ value: Double) -> MetricFamily.Sample {
    let own = labels.map { MetricFamily.Label($0.0, $0.1) }
    return MetricFamily.Sample([MetricFamily.Label("camera", camera)] + own, value)
  }

  /// `device_gap` for `deviceGap`, as Prometheus writes names.
  static func snakeCase(_ name: String) -> String {
    name.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
  }
}
