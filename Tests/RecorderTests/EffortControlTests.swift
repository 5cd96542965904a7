import Frames
import Recorder
import RecorderAPI
import Testing

/// Presets and threads, as load and heat ask for them together.
struct EffortControlTests {
  private static let presets = ["medium", "fast", "faster", "veryfast", "superfast", "ultrafast"]

  private func time(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1e9)) }

  private func warm(_ effort: EffortControl, _ distance: Double, from seconds: Double) -> EffortChange? {
    _ = effort.feel(distance: distance, "cpu is at 79.0 °C", at: time(seconds))
    return effort.feel(distance: distance, "cpu is at 79.0 °C", at: time(seconds + 5))
  }

  @Test func heat_takesThreadsFirst_thenPresets() {
    let effort = EffortControl(presets: Self.presets, workers: 7, easesLoad: false)
    #expect(effort.take.preset == "medium" && effort.take.step == 0 && effort.workers == 7)
    let first = warm(effort, 7, from: 0)
    #expect(first?.message == "cpu is at 79.0 °C: 3 of 7 workers bake from now on")
    #expect(first?.cause == .heat && first?.step == 1 && effort.workers == 3 && effort.take.step == 0)
    let second = warm(effort, 4, from: 100)
    #expect(
      second?.message
        == "cpu is at 79.0 °C: 1 of 7 workers bakes from now on, and from the next film on, its preset is fast "
        + "instead of medium")
    #expect(effort.take.preset == "fast")
    let third = warm(effort, 1, from: 200)
    #expect(third?.preset == "ultrafast" && effort.take.preset == "ultrafast" && effort.take.step == 5)
    for seconds in stride(from: 300.0, through: 440, by: 5) { _ = effort.feel(distance: 20, "", at: time(seconds)) }
    #expect(effort.status.heatStep == 2 && effort.take.preset == "fast" && effort.status.loadStep == 0)
  }

  @Test func encoderWithoutPresets_hasThreadsOnly() {
    let effort = EffortControl(presets: [], workers: 1, easesLoad: true)
    #expect(warm(effort, 7, from: 0)?.message == "cpu is at 79.0 °C: nothing is left to reduce")
    #expect(effort.take.preset == nil && effort.take.step == 0 && effort.workers == 1)
  }

  /// The first step is about threads, and one of several cameras often has but one.
  @Test func aStepThatChangesNothing_isNotTheLastOfAll() {
    let effort = EffortControl(presets: ["fast", "faster"], workers: 1, easesLoad: false)
    #expect(warm(effort, 7, from: 0)?.message == "cpu is at 79.0 °C: nothing changes", "a preset is left")
    #expect(warm(effort, 4, from: 100)?.preset == "faster")
    #expect(warm(effort, 1, from: 200)?.message == "cpu is at 79.0 °C: nothing is left to reduce")
    let cooler = stride(from: 300.0, through: 440, by: 5).compactMap {
      effort.feel(distance: 20, "cpu is at 61.0 °C", at: time($0))
    }
    #expect(cooler.first?.step == 2 && cooler.first?.message == "cpu is at 61.0 °C: nothing changes")
  }

  /// Three bad seconds from `second` on.
  private func overload(
    _ effort: EffortControl, speed: Double = 0.9, isClip: Bool = false, from second: Double
  ) -> EffortChange? {
    let reading = LoadReading(lost: 3, isFull: true, speed: speed)
    return (0..<3).compactMap {
      effort.look(reading, hasNextFile: true, isClip: isClip, at: time(second + Double($0)))
    }.last
  }

  @Test func overload_givesTheNextFileAFasterPreset() {
    let effort = EffortControl(presets: ["fast", "faster", "veryfast"], workers: 2, easesLoad: true)
    let change = overload(effort, from: 0)
    #expect(change?.cause == .load && change?.step == 1 && change?.isUrgent == true)
    #expect(
      change?.message
        == "the encoder does not keep up (0.90 × real time): from the next film on, its preset is faster instead of "
          + "fast"
    )
    #expect(effort.take == EffortControl.Take(step: 1, preset: "faster") && effort.workers == 2)
    #expect(effort.status.encoderSpeed == 0.9)
    // A file that was made ready before has the old one, and is to be followed soon.
    #expect(effort.began(step: 0, at: time(5)))
    #expect(overload(effort, from: 20) == nil)
    #expect(!effort.began(step: 1, at: time(30)))
    #expect(overload(effort, from: 40)?.preset == "veryfast")
    #expect(!effort.began(step: 2, at: time(50)))
    let last = overload(effort, from: 60)
    #expect(last?.step == 2 && last?.isUrgent == false)
    #expect(
      last?.message
        == "the encoder does not keep up, and no preset is faster than veryfast: frames are lost; try a smaller "
          + "--size or a lower --fps; 'camrec bench' measures what this machine can do")
  }

  /// A clip has its own size and rate.
  @Test func aClipThatIsTooMuch_isToBeBaked() {
    let effort = EffortControl(presets: [], workers: 2, easesLoad: true)
    #expect(
      overload(effort, isClip: true, from: 0)?.message
        == "the encoder does not keep up and has no presets: frames are lost; bake the clip with 'camrec bake', which "
          + "loses no frame")
  }

  @Test func loadAndHeat_addUp() {
    let effort = EffortControl(presets: Self.presets, workers: 2, easesLoad: true)
    _ = overload(effort, from: 0)
    _ = effort.began(step: 1, at: time(10))
    _ = warm(effort, 4, from: 20)
    #expect(effort.take.preset == "fast" && effort.workers == 1)
    _ = warm(effort, 4, from: 60)
    #expect(effort.take.preset == "faster", "the second step of heat beside the first of load")
  }

  @Test func whoDidNotAsk_isLeftAlone() {
    let effort = EffortControl(presets: Self.presets, workers: 2, easesLoad: false)
    #expect(overload(effort, speed: 0.1, from: 0) == nil && effort.take.step == 0)
  }
}
