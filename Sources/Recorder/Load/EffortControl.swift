public import Frames
import Synchronization

/// How much a recorder puts into its pictures: the encoder's preset, from file to file, and the threads that bake. Load
/// and heat take it down step by step, and it comes back by itself (`LoadPolicy`, `HeatPolicy`).
///
/// One for all films of a recorder. Bits of the bake do not depend on its threads. Thread: any.
public final class EffortControl: Sendable {
  private struct State {
    var load: LoadPolicy
    var heat = HeatPolicy()
    var speed: Double?
  }

  /// What the next file is made with.
  public struct Take: Hashable, Sendable {
    /// Presets from the one that was asked for.
    public let step: Int
    /// `nil` where the encoder has none.
    public let preset: String?

    package init(step: Int, preset: String?) { (self.step, self.preset) = (step, preset) }

    /// As it was asked for.
    public static let asked = Take(step: 0, preset: nil)
  }

  private let presets: [String]
  private let most: Int
  private let easesLoad: Bool
  private let state: Mutex<State>
  private let threads: Atomic<Int>

  /// - Parameters:
  ///   - presets: the encoder's, from the one that was asked for to the fastest; empty where it has none.
  ///   - workers: threads that bake, at least 1.
  ///   - easesLoad: an encoder that is too slow is given a faster preset.
  public init(presets: [String], workers: Int, easesLoad: Bool) {
    self.presets = presets
    most = workers
    self.easesLoad = easesLoad
    threads = Atomic(workers)
    state = Mutex(State(load: LoadPolicy(most: max(0, presets.count - 1))))
  }

  /// Threads that bake now.
  public var workers: Int { threads.load(ordering: .relaxed) }

  /// For a file that is begun now, or made ready.
  public var take: Take {
    let step = state.withLock { self.step($0) }
    return Take(step: step, preset: presets.isEmpty ? nil : presets[step])
  }

  /// For who wants to know.
  public var status: RecorderState.Effort {
    state.withLock { state in
      RecorderState.Effort(
        preset: presets.isEmpty ? nil : presets[step(state)], workers: workers, loadStep: state.load.step,
        heatStep: state.heat.step, encoderSpeed: state.speed)
    }
  }

  /// A file has begun that was made with that step.
  ///
  /// - Returns: whether load asks for another file soon.
  package func began(step: Int, at now: MonotonicTime) -> Bool {
    state.withLock { state in
      guard step != self.step(state) else {
        state.load.began(at: EffortControl.seconds(now))
        return false
      }
      return step < self.step(state) && state.load.step > 0
    }
  }

  /// How the encoder keeps up, about once a second.
  ///
  /// - Parameter hasNextFile: the recording is divided into files.
  package func look(_ reading: LoadReading, hasNextFile: Bool, at now: MonotonicTime) -> EffortChange? {
    state.withLock { state in
      state.speed = reading.speed
      guard easesLoad else { return nil }
      let before = step(state)
      let decision = state.load.look(reading, at: EffortControl.seconds(now))
      if decision == .keep { return nil }
      var change = change(.load, state, loadSentence(decision, from: before, to: step(state), reading, hasNextFile))
      if case .faster = decision { change.isUrgent = step(state) != before }
      return change
    }
  }

  /// How warm the machine is, every few seconds.
  ///
  /// - Parameters:
  ///   - distance: degrees that are left to the limit of the zone with the fewest; `nil` where none tells.
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
          "\(workers) of \(most) \(most == 1 ? "thread" : "threads") bake\(workers == 1 ? "s" : "") from now on")
      }
      if step(state) != presetBefore { parts.append(presets(from: presetBefore, to: step(state))) }
      let does = parts.isEmpty ? "there is nothing left to do with less" : parts.joined(separator: ", and ")
      return change(.heat, state, "\(place): \(does)")
    }
  }

  /// Load's and heat's presets together: each is what its cause needs beside the other.
  private func step(_ state: State) -> Int {
    let last = max(0, presets.count - 1)
    let heat = state.heat.step == HeatPolicy.most ? last : max(0, state.heat.step - 1)
    return min(last, state.load.step + heat)
  }

  private func change(_ cause: EffortChange.Cause, _ state: State, _ sentence: String) -> EffortChange {
    EffortChange(
      cause: cause, step: cause == .load ? state.load.step : state.heat.step,
      preset: presets.isEmpty ? nil : presets[step(state)], workers: workers, sentence: sentence)
  }

  private func loadSentence(
    _ decision: LoadPolicy.Decision, from before: Int, to after: Int, _ reading: LoadReading, _ hasNextFile: Bool
  ) -> String {
    switch decision {
    case .keep: return ""
    case .exhausted:
      let preset = presets.last.map { ", and there is no preset faster than \($0)" } ?? ", which has no presets"
      return
        "the encoder does not keep up\(preset): frames are lost and accounted; use a smaller --size or a lower --fps"
    case .slower: return "the encoder has kept up for long: \(presets(from: before, to: after))"
    case .faster:
      let speed = reading.speed.flatMap { $0 < 1 ? $0 : nil }.map { " (\(EffortControl.text($0)) × real time)" } ?? ""
      let hint = hasNextFile ? "" : "; there is a next file with --segment only"
      return "the encoder does not keep up\(speed): \(presets(from: before, to: after))\(hint)"
    }
  }

  private func presets(from before: Int, to after: Int) -> String {
    before == after
      ? "the preset stays \(presets[after]), which the machine's heat has asked for already"
      : "from the next file on its preset is \(presets[after]) instead of \(presets[before])"
  }

  private static func seconds(_ time: MonotonicTime) -> Double { Double(time.nanoseconds) * 1e-9 }

  private static func text(_ speed: Double) -> String {
    let hundredths = Int((speed * 100).rounded())
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
  }
}
