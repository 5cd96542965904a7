import Foundation
import Movies
import Recorder
import RecorderAPI
import Telemetry
import Testing

@Suite struct MetricsTests {
  private var metrics: RecorderMetrics {
    RecorderMetrics(camera: "fr\"ont", version: "0.1.0", startTime: 1_763_751_901.25)
  }

  private func state(written: Int = 0, lost: [String: Int] = [:], bytes: Int64 = 0) -> RecorderState {
    var state = RecorderState(phase: .recording)
    state.ledger.expected = 100
    state.ledger.captured = 99
    state.ledger.written = written
    state.ledger.lost = lost
    var totals = RecorderState.Totals()
    totals.bytes = bytes
    totals.absences = 2
    state.totals = totals
    return state
  }

  private func value(_ line: String, in families: [MetricFamily]) -> String? {
    MetricFamily.text(families).split(separator: "\n").first { $0.hasPrefix(line + " ") }
      .map { String($0.dropFirst(line.count + 1)) }
  }

  @Test func counters_haveTheLedgersNumbers_andEveryReason() {
    var metrics = metrics
    let families = metrics.families(
      state(written: 95, lost: ["deviceGap": 3, "between": 2], bytes: 12_345_678_901), RecorderMetrics.Surroundings())
    let label = #"camera="fr\"ont""#
    #expect(value("camrec_frames_expected_total{\(label)}", in: families) == "100")
    #expect(value("camrec_frames_captured_total{\(label)}", in: families) == "99")
    #expect(value("camrec_frames_written_total{\(label)}", in: families) == "95")
    #expect(value("camrec_camera_absences_total{\(label)}", in: families) == "2")
    #expect(value("camrec_film_bytes_total{\(label)}", in: families) == "12345678901")
    let losses = families.first { $0.name == "camrec_frames_lost_total" }?.samples.map {
      ($0.labels[1].value, $0.value)
    }
    let wanted: [(String, Double)] = [
      ("device_gap", 3), ("device_error", 0), ("overload", 0), ("disk", 0), ("defect", 0), ("between", 2),
    ]
    #expect(losses?.map(\.0) == wanted.map(\.0) && losses?.map(\.1) == wanted.map(\.1))
    #expect(value("camrec_phase{\(label),phase=\"recording\"}", in: families) == "1")
    #expect(value("camrec_phase{\(label),phase=\"standby\"}", in: families) == "0")
    #expect(value("camrec_start_time_seconds{\(label)}", in: families) == "1763751901.25")
  }

  /// A film that ends may turn out to hold less than was believed.
  @Test func counters_neverFall() {
    var metrics = metrics
    let label = #"camera="fr\"ont""#, around = RecorderMetrics.Surroundings()
    var told: [String?] = [], lost: [String?] = []
    for (written, disk) in [(50, 0), (48, 2), (49, 2), (51, 2)] {
      let families = metrics.families(state(written: written, lost: ["disk": disk]), around)
      told.append(value("camrec_frames_written_total{\(label)}", in: families))
      lost.append(value("camrec_frames_lost_total{\(label),reason=\"disk\"}", in: families))
    }
    #expect(told == ["50", "50", "50", "51"])
    #expect(lost == ["0", "2", "2", "2"])
  }

  /// Classes become Prometheus's buckets, each with all that are below it.
  @Test func synchronisations_areACumulativeHistogram() {
    var metrics = metrics, state = state(), disk = DiskStatus()
    for seconds in [0.0005, 0.001, 0.0015, 0.4, 11] { disk.synchronizationTimes.add(seconds) }
    (disk.bytesWritten, disk.bytesSynchronized, disk.capacityBytes, disk.stalledSeconds) = (9, 8, 7, 1.5)
    state.disk = disk
    let families = metrics.families(state, RecorderMetrics.Surroundings()), label = #"camera="fr\"ont""#
    func bucket(_ bound: String) -> String? {
      value("camrec_disk_sync_seconds_bucket{\(label),le=\"\(bound)\"}", in: families)
    }
    #expect(["0.001", "0.002", "0.2", "0.5", "10", "+Inf"].map(bucket) == ["2", "3", "3", "4", "4", "5"])
    #expect(value("camrec_disk_sync_seconds_count{\(label)}", in: families) == "5")
    #expect(value("camrec_disk_sync_seconds_sum{\(label)}", in: families).flatMap(Double.init) == 11.403)
    #expect(value("camrec_disk_synchronized_bytes_total{\(label)}", in: families) == "8")
    #expect(value("camrec_disk_stalled_seconds{\(label)}", in: families) == "1.5")
  }

  @Test func gauges_areLeftOut_whereNothingIsKnown() {
    var metrics = metrics
    let without = MetricFamily.text(metrics.families(RecorderState(phase: .standby), RecorderMetrics.Surroundings()))
    let names = [
      "queue_depth", "clock_offset", "disk_free", "temperature", "film_seconds", "unsaved_seconds", "loss_bound",
    ]
    for name in names {
      #expect(!without.contains("camrec_\(name)"), "\(name)")
    }
    var state = state()
    state.queues = RecorderState.Queues(
      captured: .init(depth: 1, capacity: 4), baked: .init(depth: 2, capacity: 2), sound: .init(depth: 0, capacity: 192)
    )
    state.ratePartsPerMillion = -25
    (state.unsavedSeconds, state.lossBound) = (2.5, 0.96875)
    var around = RecorderMetrics.Surroundings()
    around.zones = [ThermalZone(name: "thermal_zone0", type: "x86_pkg_temp", celsius: 61.5)]
    let families = metrics.families(state, around)
    let label = #"camera="fr\"ont""#
    #expect(value("camrec_queue_depth{\(label),queue=\"baked\"}", in: families) == "2")
    #expect(value("camrec_unsaved_seconds{\(label)}", in: families) == "2.5")
    #expect(value("camrec_loss_bound_seconds{\(label)}", in: families) == "0.96875")
    #expect(value("camrec_queue_capacity{\(label),queue=\"sound\"}", in: families) == "192")
    #expect(value("camrec_camera_clock_offset_ratio{\(label)}", in: families).flatMap(Double.init) == -25e-6)
    let zone = "camrec_temperature_celsius{\(label),zone=\"thermal_zone0\",type=\"x86_pkg_temp\"}"
    #expect(value(zone, in: families) == "61.5")
  }

  /// Without a film, too: a start may fail for lack of room.
  @Test func room_isThatOfTheState() {
    var metrics = metrics, state = RecorderState(phase: .ended), disk = DiskStatus()
    (disk.freeBytes, disk.secondsLeft) = (500_000_000, 1.5)
    state.disk = disk
    let families = metrics.families(state, RecorderMetrics.Surroundings()), label = #"camera="fr\"ont""#
    #expect(value("camrec_disk_free_bytes{\(label)}", in: families) == "500000000")
    #expect(value("camrec_disk_seconds_left{\(label)}", in: families) == "1.5")
  }

  @Test func text_isThePrometheusFormat() {
    let family = MetricFamily(
      "m_seconds", .histogram, "two\nlines, a \\",
      [
        .init(suffix: "_bucket", [.init("le", "0.5"), .init("path", "a\\b\n\"c\"")], 1),
        .init(suffix: "_bucket", [.init("le", "+Inf")], 2), .init(suffix: "_sum", [], 0.75),
        .init(suffix: "_count", [], 2),
      ])
    let odd = MetricFamily(
      "odd", .gauge, "o", [Double.infinity, -.infinity, .nan, 1e-7, 1e300].map { .init([], $0) })
    let none = MetricFamily("none", .gauge, "n", [])
    #expect(
      MetricFamily.text([family, none, odd]) == """
        # HELP m_seconds two\\nlines, a \\\\
        # TYPE m_seconds histogram
        m_seconds_bucket{le="0.5",path="a\\\\b\\n\\"c\\""} 1
        m_seconds_bucket{le="+Inf"} 2
        m_seconds_sum 0.75
        m_seconds_count 2
        # HELP odd o
        # TYPE odd gauge
        odd +Inf
        odd -Inf
        odd NaN
        odd 1e-07
        odd 1e+300

        """)
  }
}
