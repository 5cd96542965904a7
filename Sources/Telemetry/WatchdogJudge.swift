import Frames
import Movies
public import Recorder

/// Decides whether a recorder is well, from how its states follow one another: what systemd's watchdog is fed by.
///
/// It is well while the pipeline moves frames, or waits for something that it has said it waits for: an order, its
/// camera, the disk. So a hung thread, driver or library is a reason to start it anew, and an unplugged camera is none.
/// A value: the same states at the same times have the same verdicts.
public struct WatchdogJudge: Sendable {
  public enum Verdict: Hashable, Sendable {
    case well
    /// A sentence.
    case hangs(String)
  }

  /// For how many seconds something may stand still.
  public struct Patience: Hashable, Sendable {
    /// Opening camera, encoder and film, measuring a camera that nobody has measured, up to the first frame. USB
    /// cameras that enumerate slowly take a few seconds, an encoder one, a measurement of gain and delay ten.
    public var starting = 90.0
    /// Finishing a film: all that waits, on a slow disk, then its index.
    public var stopping = 180.0
    /// Frames that come from the camera. One that is silent is given up after 10 s, or ten frames (`CameraSilence`).
    public var capture = 20.0
    /// Frames that leave the pipeline while others are in it. Longer than any encoder looks ahead.
    public var writing = 20.0
    /// The recorder's own thread. It opens cameras, and waits for those that are closed.
    public var recorder = 90.0

    public init() {}
  }

  /// A count that is to grow.
  private struct Mark: Sendable {
    var count: Int
    var since: Double

    /// Seconds for which it has not.
    mutating func stand(at time: Double, _ count: Int) -> Double {
      if count != self.count { self = Mark(count: count, since: time) }
      return time - since
    }
  }

  /// Frame intervals that a slow camera is given: two more than it takes to give it up.
  private static let intervals = 12.0
  /// Frames that meeting the light and measuring gain and delay of a camera take that nobody has measured, and as many
  /// again.
  private static let measuredFrames = 200.0

  private let patience: Patience
  private var phase: RecorderState.Phase?
  private var films = 0
  private var phaseSince = 0.0
  private var beats = Mark(count: -1, since: 0)
  private var captured = Mark(count: -1, since: 0)
  private var written = Mark(count: -1, since: 0)
  /// Pictures of a camera that runs before its film begins.
  private var kept = Mark(count: -1, since: 0)
  /// The film that is recorded has had a frame.
  private var hasPicture = false

  public init(patience: Patience = Patience()) { self.patience = patience }

  /// - Parameters:
  ///   - state: the newest.
  ///   - time: when it was read, in seconds of a clock that does not jump, and not before the last.
  public mutating func judge(_ state: RecorderState, at time: Double) -> Verdict {
    if phase != state.phase || films != state.films {
      (phase, films, phaseSince, hasPicture) = (state.phase, state.films, time, false)
      captured = Mark(count: state.ledger.expected, since: time)
      written = Mark(count: out(state), since: time)
      kept = Mark(count: -1, since: time)
    }
    // What it still waits for then, a hook say, has a limit of its own.
    if state.phase == .ended { return .well }
    if let beats = state.beats, self.beats.stand(at: time, beats) > max(patience.recorder, limit(of: state) ?? 0) {
      return .hangs("the recorder's own thread has not moved for \(text(time - self.beats.since))")
    }
    switch state.phase {
    case .standby: return judgeStandby(state, at: time)
    case .waiting, .ended: return .well
    case .starting, .stopping:
      let stands = time - phaseSince
      guard stands > limit(of: state) ?? .infinity else { return .well }
      return .hangs("it has been \(state.phase.rawValue) for \(text(stands))")
    case .recording: return judgeRecording(state, at: time)
    }
  }

  /// A camera that runs for a pre-roll delivers, or is given up: else the next film would begin without one.
  private mutating func judgeStandby(_ state: RecorderState, at time: Double) -> Verdict {
    guard let roll = state.preRoll else {
      kept = Mark(count: -1, since: time)
      return .well
    }
    let silence = kept.stand(at: time, roll.frames)
    guard silence > (roll.frames > 0 ? captureLimit(state) : starting(state)) else { return .well }
    return .hangs("no frame has come for the pre-roll for \(text(silence)), and the camera was not given up either")
  }

  private mutating func judgeRecording(_ state: RecorderState, at time: Double) -> Verdict {
    if state.started != nil || captured.count != state.ledger.expected { hasPicture = true }
    let silence = captured.stand(at: time, state.ledger.expected)
    guard silence <= (hasPicture ? captureLimit(state) : starting(state)) else {
      return .hangs("no frame has come for \(text(silence)), and the camera was not given up either")
    }
    // Nothing is in the pipeline, or the disk takes nothing and that was said: nothing has to come out.
    if out(state) >= state.ledger.expected || (state.disk?.stalledSeconds ?? 0) > 0 { written.since = time }
    let standstill = written.stand(at: time, out(state))
    guard standstill <= patience.writing else {
      return .hangs("frames wait, and none has been written or given up for \(text(standstill))")
    }
    return .well
  }

  /// How long a phase may last.
  private func limit(of state: RecorderState) -> Double? {
    switch state.phase {
    case .starting: starting(state)
    case .stopping: patience.stopping
    case .standby, .recording, .waiting, .ended: nil
    }
  }

  private func captureLimit(_ state: RecorderState) -> Double {
    max(patience.capture, WatchdogJudge.intervals / rate(of: state))
  }

  private func starting(_ state: RecorderState) -> Double {
    max(patience.starting, WatchdogJudge.measuredFrames / rate(of: state))
  }

  private func rate(of state: RecorderState) -> Double {
    state.source.flatMap { try? FrameRate(argument: $0.frameRate).framesPerSecond } ?? 24
  }

  /// Frames that have left the pipeline.
  private func out(_ state: RecorderState) -> Int { state.ledger.written + state.ledger.lost.values.reduce(0, +) }

  private func text(_ seconds: Double) -> String { "\(Int(seconds)) s" }
}
