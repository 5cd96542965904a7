import Frames
import Movies
import Recorder
public import RecorderAPI

/// Decides from successive states whether a recorder is well, so that systemd's watchdog can be fed.
///
/// A recorder is well while its pipeline moves frames, or while it reports what it waits for: a command, its camera,
/// the disk. A hung thread, driver or library is therefore a reason to restart it; an unplugged camera is not.
/// A value: the same states at the same times give the same verdicts.
public struct WatchdogJudge: Sendable {
  public enum Verdict: Hashable, Sendable {
    case well
    /// A sentence.
    case hangs(String)
  }

  /// How many seconds each step may stand still.
  public struct Patience: Hashable, Sendable {
    /// Up to the first frame: opening the camera, encoder and film, and calibrating a new camera. USB cameras that
    /// enumerate slowly take a few seconds, an encoder 1 s, measuring gain and delay 10 s.
    public var starting = 90.0
    /// Finishing a film: everything that waits, on a slow disk, then the index.
    public var stopping = 180.0
    /// Between frames from the camera. A silent camera is given up after 10 s, or ten frames (`CameraSilence`).
    public var capture = 20.0
    /// Between frames that leave the pipeline while others are in it. Longer than any encoder looks ahead.
    public var writing = 20.0
    /// The recorder's own thread, which opens cameras and waits for them to close.
    public var recorder = 90.0

    public init() {}
  }

  /// A count that should grow.
  private struct Mark: Sendable {
    var count: Int
    var since: Double

    /// Seconds for which it has not grown.
    mutating func stand(at time: Double, _ count: Int) -> Double {
      if count != self.count { self = Mark(count: count, since: time) }
      return time - since
    }
  }

  /// Frame intervals that a slow camera gets: two more than the recorder waits before it gives the camera up.
  private static let intervals = 12.0
  /// Twice the number of frames that a new camera takes to adapt to the light and be calibrated.
  private static let measuredFrames = 200.0

  private let patience: Patience
  private var phase: RecorderState.Phase?
  private var films = 0
  private var phaseSince = 0.0
  private var beats = Mark(count: -1, since: 0)
  private var captured = Mark(count: -1, since: 0)
  private var written = Mark(count: -1, since: 0)
  /// Frames of a camera that runs before its film begins.
  private var kept = Mark(count: -1, since: 0)

  public init(patience: Patience = Patience()) { self.patience = patience }

  /// - Parameters:
  ///   - state: the newest state.
  ///   - time: when it was read, in seconds of a monotonic clock; never earlier than in the last call.
  public mutating func judge(_ state: RecorderState, at time: Double) -> Verdict {
    if phase != state.phase || films != state.films {
      (phase, films, phaseSince) = (state.phase, state.films, time)
      captured = Mark(count: state.ledger.expected, since: time)
      written = Mark(count: out(state), since: time)
      kept = Mark(count: -1, since: time)
    }
    // Whatever it still waits for, such as a hook, has its own limit.
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

  /// A camera that runs for a pre-roll must deliver frames or be given up; otherwise the next film would lack its
  /// pre-roll.
  private mutating func judgeStandby(_ state: RecorderState, at time: Double) -> Verdict {
    guard let roll = state.preRoll else {
      kept = Mark(count: -1, since: time)
      return .well
    }
    let silence = kept.stand(at: time, roll.frames)
    guard silence > (roll.frames > 0 ? captureLimit(state) : starting(state)) else { return .well }
    return .hangs("no pre-roll frame has arrived for \(text(silence)), but the recorder still waits for the camera")
  }

  private mutating func judgeRecording(_ state: RecorderState, at time: Double) -> Verdict {
    let silence = captured.stand(at: time, state.ledger.expected)
    guard silence <= captureLimit(state) else {
      return .hangs("no frame has arrived for \(text(silence)), but the recorder still waits for the camera")
    }
    // Nothing needs to come out if the pipeline is empty, or if the disk is known to be stalled.
    if out(state) >= state.ledger.expected || (state.disk?.stalledSeconds ?? 0) > 0 { written.since = time }
    let standstill = written.stand(at: time, out(state))
    guard standstill <= patience.writing else {
      return .hangs("frames are waiting, but none has been written or given up for \(text(standstill))")
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
    state.source.flatMap { FrameRate(parsing: $0.frameRate)?.framesPerSecond } ?? 24
  }

  /// Frames that have left the pipeline.
  private func out(_ state: RecorderState) -> Int { state.ledger.written + state.ledger.lost.values.reduce(0, +) }

  private func text(_ seconds: Double) -> String { "\(Int(seconds)) s" }
}
