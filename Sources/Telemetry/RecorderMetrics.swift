import Frames
import Movies
import Recorder
public import RecorderAPI

/// The metrics of one recorder, from its states.
///
/// Counters cover all films of the recorder and never fall while it runs: Prometheus takes a falling counter for a
/// restart. If a finished film holds less than was counted, the counter stands still until the true count catches up.
///
/// Thread: one at a time.
public struct RecorderMetrics: Sendable {
  /// What is read in addition to the recorder's state.
  public struct Surroundings: Hashable, Sendable {
    public var zones: [ThermalZone] = []

    public init() {}
  }

  private let camera: String
  private let version: String
  private let startTime: Double
  private let failedStarts: Int
  /// The highest value reported so far, by family and labels.
  private var floors: [String: Double] = [:]

  /// - Parameters:
  ///   - camera: the recorder's name: the label `camera` of every sample.
  ///   - version: of camrec.
  ///   - startTime: when the process began, in seconds since 1970.
  ///   - failedStarts: consecutive failed starts right before this one.
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
        "camrec_failed_starts", "Consecutive failed starts of the recorder, including the current one.",
        [([], Double(state.failedStarts(after: failedStarts)))]),
    ]
  }

  private mutating func frames(_ state: RecorderState) -> [MetricFamily] {
    let ledger = state.ledger
    let reasons = LossReason.allCases.map(\.rawValue) + [RecorderMetrics.between]
    return [
      counter(
        "camrec_frames_expected_total", "Frames that were due, in films and between them.", [([], ledger.expected)]),
      counter("camrec_frames_captured_total", "Frames that arrived intact.", [([], ledger.captured)]),
      counter("camrec_frames_written_total", "Frames handed to the film.", [([], ledger.written)]),
      counter(
        "camrec_frames_lost_total", "Frames that were due and are not in any film, by reason.",
        reasons.map { ([("reason", RecorderMetrics.snakeCase($0))], ledger.lost[$0] ?? 0) }),
    ]
  }

  private mutating func files(_ state: RecorderState) -> [MetricFamily] {
    let totals = state.totals ?? RecorderState.Totals()
    return [
      counter("camrec_films_total", "Films begun; segments that follow one another count as 1.", [([], state.films)]),
      counter("camrec_film_bytes_total", "Bytes of film written.", [([], Int(totals.bytes))]),
      counter(
        "camrec_sound_frames_written_total", "Audio frames (one sample of each channel) in films.",
        [([], Int(totals.soundFrames))]),
      counter(
        "camrec_sound_frames_lost_total", "Audio frames lost by the microphone or to the disk.",
        [([], Int(totals.soundLost))]),
      counter(
        "camrec_camera_absences_total", "Times the camera went away and the recorder waited for it.",
        [([], totals.absences ?? 0)]),
      counter(
        "camrec_films_deleted_total", "Old films deleted.",
        totals.deletedFilms.map { [([], $0)] } ?? []),
      counter("camrec_warnings_total", "Warnings.", [([], totals.warnings)]),
    ]
  }

  private mutating func disk(_ disk: DiskStatus) -> [MetricFamily] {
    [
      counter(
        "camrec_disk_written_bytes_total", "Bytes handed to the system.", [([], Int(disk.bytesWritten))]),
      counter(
        "camrec_disk_synchronized_bytes_total", "Bytes confirmed to be on the medium.",
        [([], Int(disk.bytesSynchronized))]),
      histogram(
        "camrec_disk_sync_seconds", "Duration of fdatasync calls.", DurationHistogram.bounds,
        disk.synchronizationTimes.counts, sum: disk.synchronizationTimes.sum),
      gauge("camrec_disk_buffer_bytes", "Bytes waiting to be written to disk.", [([], Double(disk.waitingBytes))]),
      gauge(
        "camrec_disk_buffer_capacity_bytes", "Bytes that can wait to be written to disk.",
        disk.capacityBytes > 0 ? [([], Double(disk.capacityBytes))] : []),
      gauge(
        "camrec_disk_stalled_seconds", "How long the disk has been behind the loss limit; 0 while it keeps up.",
        [([], disk.stalledSeconds)]),
    ]
  }

  private func gauges(_ state: RecorderState, _ around: Surroundings) -> [MetricFamily] {
    let queues = state.queues.map { [("captured", $0.captured), ("baked", $0.baked), ("sound", $0.sound)] } ?? []
    return [
      gauge(
        "camrec_phase", "1 for the recorder's current phase.",
        RecorderState.Phase.allCases.map { ([("phase", $0.rawValue)], $0 == state.phase ? 1 : 0) }),
      gauge(
        "camrec_film_seconds", "Length of the film being recorded.",
        state.source == nil ? [] : [([], state.seconds)]),
      gauge(
        "camrec_unsaved_seconds", "Captured film that is not on the medium yet: a crash now would cost it.",
        state.unsavedSeconds.map { [([], $0)] } ?? []),
      gauge(
        "camrec_loss_bound_seconds", "What that is at most while bake, encoder and disk keep up.",
        state.lossBound.map { [([], $0)] } ?? []),
      gauge(
        "camrec_queue_depth", "Frames, or blocks of audio, waiting in a queue.",
        queues.map { ([("queue", $0.0)], Double($0.1.depth)) }),
      gauge(
        "camrec_queue_capacity", "Places in a queue.", queues.map { ([("queue", $0.0)], Double($0.1.capacity)) }),
      gauge(
        "camrec_effort_step", "Steps by which load or heat has reduced the recorder's effort; 0 is full effort.",
        state.effort.map {
          [([("cause", "load")], Double($0.loadStep)), ([("cause", "heat")], Double($0.heatStep))]
        } ?? []),
      gauge("camrec_bake_workers", "Workers that bake.", state.effort.map { [([], Double($0.workers))] } ?? []),
      gauge(
        "camrec_encoder_speed_ratio", "Frames the encoder accepts per frame interval, while it is busy.",
        state.effort?.encoderSpeed.map { [([], $0)] } ?? []),
      gauge(
        "camrec_camera_clock_offset_ratio",
        "The camera's measured rate divided by its nominal rate, minus 1; 0.000001 is 1 ppm.",
        state.ratePartsPerMillion.map { [([], $0 / 1e6)] } ?? []),
      gauge(
        "camrec_disk_free_bytes", "Free bytes on the film's file system.",
        state.disk?.freeBytes.map { [([], Double($0))] } ?? []),
      gauge(
        "camrec_disk_seconds_left", "Seconds of recording until the space that a film may use is full at this rate.",
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

  /// - Parameter counts: one for each bound, and one for the values above the last.
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

  /// `device_gap` for `deviceGap`: Prometheus's naming style.
  static func snakeCase(_ name: String) -> String {
    name.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
  }
}
