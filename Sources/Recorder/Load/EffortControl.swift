public import Frames
public import RecorderAPI
import Synchronization

/// The effort of a recorder: the encoder's preset, from file to file, and the threads that bake. Load and heat reduce
/// it step by step, and it recovers by itself (`LoadPolicy`, `HeatPolicy`).
///
/// One for all films of a recorder. The bits of the bake do not depend on its threads. Thread: any.
public final class EffortControl: Sendable {
  private struct State {
    var load: LoadPolicy
    var heat = HeatPolicy()
    var speed: Double?
  }

  /// The settings of the next file.
  public struct Take: Hashable, Sendable {
    /// How many presets faster than the requested one.
    public let step: Int
    /// `nil` if the encoder has no presets.
    public let preset: String?

    package init(step: Int, preset: String?) { (self.step, self.preset) = (step, preset) }

    /// The settings as requested.
    public static let asked = Take(step: 0, preset: nil)
  }

  private let presets: [String]
  private let most: Int
  private let easesLoad: Bool
  private let state: Mutex<State>
  private let threads: Atomic<Int>

  /// - Parameters:
  ///   - presets: the encoder's presets, from the requested one to the fastest; empty if it has none.
  ///   - workers: threads that bake, at least 1.
  ///   - easesLoad: whether an encoder that is too slow gets a faster preset.
  public init(presets: [String], workers: Int, easesLoad: Bool) {
    self.presets = presets
    most = workers
    self.easesLoad = easesLoad
    threads = Atomic(workers)
    state = Mutex(State(load: LoadPolicy(most: max(0, presets.count - 1))))
  }

  /// Threads that bake now.
  public var workers: Int { threads.load(ordering: .relaxed) }

  /// The settings for a file that is begun or prepared now.
  public var take: Take {
    let step = state.withLock { self.step($0) }
    return Take(step: step, preset: presets.isEmpty ? nil : presets[step])
  }

  /// The present effort, for the recorder's state.
  public var status: RecorderState.Effort {
    state.withLock { state in
      RecorderState.Effort(
        preset: presets.isEmpty ? nil : presets[step(state)], workers: workers, loadStep: state.load.step,
        heatStep: state.heat.step, encoderSpeed: state.speed)
    }
  }

  /// A file made with this step has begun.
  ///
  /// - Returns: whether load needs another file soon.
  package func began(step: Int, at now: MonotonicTime) -> Bool {
    state.withLock { state in
      guard step != self.step(state) else {
        state.load.began(at: EffortControl.seconds(now))
        return false
      }
      return step < self.step(state) && state.load.step > 0
    }
  }

  /// Reports how the encoder keeps up; call about once a second.
  ///
  /// - Parameters:
  ///   - hasNextFile: the recording is divided into files.
  ///   - isClip: the frames come from a clip, not from a camera.
  package func look(
    _ reading: LoadReading, hasNextFile: Bool, isClip: Bool, at now: MonotonicTime
  ) -> EffortChange? {
    state.withLock { state in
      state.speed = reading.speed
      guard easesLoad else { return nil }
      let before = step(state)
      let decision = state.load.look(reading, at: EffortControl.seconds(now))
      if decision == .keep { return nil }
      let sentence = loadSentence(
        decision, from: before, to: step(state), reading, hasNextFile: hasNextFile, isClip: isClip)
      var change = change(.load, state, sentence)
      if case .faster = decision { change.isUrgent = step(state) != before }
      return change
    }
  }

  /// Reports how warm the machine is; call every few seconds.
  ///
  /// - Parameters:
  ///   - distance: degrees left to the limit, in the zone nearest to its limit; `nil` if no zone reports a temperature.
  ///   - place: that zone and its temperature, in words.
  public func feel(distance: Double?, _ place: String, at now: MonotonicTime) -> EffortChange? {
    state.withLock { state in
      let (before, presetBefore, threadsBefore) = (state.heat.step, step(state), workers)
      let after = state.heat.look(distance: distance, at: EffortControl.seconds(now))
      guard after != before else { return nil }
      threads.store(after == 0 ? most : after == 1 ? max(1, most / 2) : 1, ordering: .relaxed)
      var parts: [String] = []
      if workers != threadsBefore {
        parts.append(
          "\(workers) of \(most) \(most == 1 ? "worker" : "workers") bake\(workers == 1 ? "s" : "") from now on")
      }
      if step(state) != presetBefore { parts.append(presets(from: presetBefore, to: step(state))) }
      let isLeast = workers == 1 && step(state) == max(0, presets.count - 1)
      if parts.isEmpty { parts.append(after > before && isLeast ? "nothing is left to reduce" : "nothing changes") }
      return change(.heat, state, "\(place): \(parts.joined(separator: ", and "))")
    }
  }

  /// The preset steps of load and heat added together.
  private func step(_ state: State) -> Int {
    let last = max(0, presets.count - 1)
    let heat = state.heat.step == HeatPolicy.most ? last : max(0, state.heat.step - 1)
    return min(last, state.load.step + heat)
  }

  private func change(_ cause: EffortChange.Cause, _ state: State, _ sentence: Sentence) -> EffortChange {
    EffortChange(
      cause: cause, step: cause == .load ? state.load.step : state.heat.step,
      preset: presets.isEmpty ? nil : presets[step(state)], workers: workers, sentence: sentence)
  }

  private func loadSentence(
    _ decision: LoadPolicy.Decision, from before: Int, to after: Int, _ reading: LoadReading, hasNextFile: Bool,
    isClip: Bool
  ) -> Sentence {
    switch decision {
    case .keep: return ""
    case .exhausted:
      let preset = presets.last.map { ", and no preset is faster than \($0)" } ?? " and has no presets"
      let remedy = LossReason.overload.words.remedy(isClip: isClip, hasFasterPreset: false)
      return "the encoder does not keep up\(preset): frames are lost; \(sentence: remedy)"
    case .slower: return "the encoder has kept up for a long time: \(presets(from: before, to: after))"
    case .faster:
      let speed = reading.speed.flatMap { $0 < 1 ? $0 : nil }.map { " (\(EffortControl.text($0)) × real time)" } ?? ""
      let hint: Sentence = hasNextFile ? "" : "; without \(setting: .segment), this recording has no next film"
      return "the encoder does not keep up\(speed): \(presets(from: before, to: after))\(sentence: hint)"
    }
  }

  private func presets(from before: Int, to after: Int) -> String {
    before == after
      ? "the preset stays \(presets[after]), already chosen because of the heat"
      : "from the next film on, its preset is \(presets[after]) instead of \(presets[before])"
  }

  private static func seconds(_ time: MonotonicTime) -> Double { Double(time.nanoseconds) * 1e-9 }

  private static func text(_ speed: Double) -> String {
    let hundredths = Int((speed * 100).rounded())
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
  }
}
