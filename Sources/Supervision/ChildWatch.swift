public import Frames
public import Platform

/// Decides when one recording hangs and when it is restarted. Any failure may pass, so it is restarted for ever, until
/// it ends by itself or the rig stops.
///
/// A value that uses no threads and no clock: events go in, actions come out.
public struct ChildWatch: Sendable {
  public enum Event: Hashable, Sendable {
    /// Sent at regular intervals, beginning right away.
    case tick
    case news(ChildNews)
    case ended(ChildProcess.Ending)
    /// It could not be started at all.
    case missing(CamrecError)
    /// The rig is to stop.
    case stop
  }

  public enum Action: Hashable, Sendable {
    case start
    case signal(Int32)
    case say(Urgency, String)
    /// Nothing is left to do; with the recording's exit status.
    case finished(Int32)
  }

  public enum Urgency: String, Hashable, Sendable, Codable { case info, warning, error }

  private enum Phase: Hashable {
    case waiting(until: MonotonicTime)
    case running(since: MonotonicTime)
    /// It was told to end, for a restart or for good.
    case ending(since: MonotonicTime, signals: Int)
    case over
  }

  private var phase: Phase
  private var isStopping = false
  /// When camrec last reported that a killed recording is not gone.
  private var saidUndead: MonotonicTime?
  /// Failures in a row without a good run in between: they set the pauses.
  public private(set) var failures = 0
  /// Consecutive starts after which it neither recorded nor stood by.
  public private(set) var failedStarts = 0
  private var hasFailed = false
  private var recordsSince: MonotonicTime?
  /// Since when it records, stands by, or waits for its camera.
  private var settledSince: MonotonicTime?
  /// It is recording, and so reports its progress twice a second.
  private var isRecording = false
  private var lastNews: MonotonicTime
  private var lastWritten: (count: Int, expected: Int, at: MonotonicTime)?
  /// When it last reported that it is well, as it does every few seconds, whatever it waits for.
  private var saysItLives: MonotonicTime?
  /// What it told of its end.
  private var farewell: ChildNews?

  private static let second: Int64 = 1_000_000_000
  /// The pause before the first restart; doubled each time.
  static let shortestPause: Int64 = 1 * second
  static let longestPause: Int64 = 60 * second
  /// After recording or standing by for this long, a run was good: its failure counts as the first.
  static let goodRun: Int64 = 60 * second
  /// The longest silence while recording. Progress comes twice a second, but a machine that swaps may be slow.
  static let silenceLimit: Int64 = 30 * second
  /// The longest silence while nothing is recorded. A sign of life comes every five seconds.
  static let restLimit: Int64 = 60 * second
  /// The longest wait for the first sign of life, on a machine that starts from a slow disk.
  static let startLimit: Int64 = 300 * second
  /// The longest time without a written frame while frames are due: an encoder hangs, or a disk is gone.
  static let standstillLimit: Int64 = 120 * second
  /// How long a hanging recording gets to end before it is told again.
  static let patience: Int64 = 30 * second
  /// The same when the rig stops: finishing a film takes two seconds, or longer if data waits for a slow disk.
  static let stopPatience: Int64 = 180 * second
  /// How long it gets from the second time until it is killed.
  static let lastPatience: Int64 = 10 * second
  /// Between two warnings about a killed recording that is not gone.
  static let undeadPause: Int64 = 600 * second

  public init(now: MonotonicTime) {
    phase = .waiting(until: now)
    lastNews = now
  }

  public var isOver: Bool { phase == .over }
  /// Its last start failed, or it hangs, and it has neither recorded nor stood by since.
  public var isFailing: Bool {
    switch phase {
    case .waiting: failures > 0
    case .running: failures > 0 && settledSince == nil
    case .ending: !isStopping
    case .over: false
    }
  }
  /// The recording failed and was, or was to be, restarted: frames are missing that are not in any ledger.
  public var hasInterruptions: Bool { hasFailed }

  public mutating func receive(_ event: Event, at now: MonotonicTime) -> [Action] {
    switch event {
    case .tick: tick(now)
    case .news(let news): hear(news, now)
    case .ended(let ending): end(ChildEnd(ending, farewell: farewell), now)
    case .missing(let error): restart(after: error.description, now)
    case .stop: stop(now)
    }
  }

  private mutating func tick(_ now: MonotonicTime) -> [Action] {
    switch phase {
    case .waiting(let until) where now >= until:
      phase = .running(since: now)
      (recordsSince, settledSince, isRecording, lastWritten, saysItLives, lastNews) = (nil, nil, false, nil, nil, now)
      farewell = nil
      return [.start]
    case .running(let since):
      guard let fault = fault(since, now) else { return [] }
      phase = .ending(since: now, signals: 1)
      return [.say(.error, "\(fault); restarting it"), .signal(ChildProcess.endSignal)]
    case .ending(let since, 1) where now - since >= endPatience:
      phase = .ending(since: now, signals: 2)
      return [
        .say(.error, "it did not end within \(endPatience / ChildWatch.second) s; telling it to end at once"),
        .signal(ChildProcess.endSignal),
      ]
    case .ending(let since, 2) where now - since >= ChildWatch.lastPatience:
      phase = .ending(since: now, signals: 3)
      return [
        .say(.error, "it does not end; killing it (its film plays up to the last fragment)"),
        .signal(ChildProcess.killSignal),
      ]
    case .ending(let since, 3): return lookAfterKilled(since, now)
    default: return []
    }
  }

  /// A killed process lives on, and keeps the camera, while it is in a system call that does not return (state D of
  /// ps(1)). A rig that stops does not wait for it.
  private mutating func lookAfterKilled(_ killed: MonotonicTime, _ now: MonotonicTime) -> [Action] {
    guard now - killed >= ChildWatch.lastPatience else { return [] }
    let why = "it was killed but is not gone: a driver or a disk holds it in the kernel"
    if isStopping {
      phase = .over
      return [.say(.error, "\(why); the rig ends without it"), .finished(ChildStatus.failed)]
    }
    if let saidUndead, now - saidUndead < ChildWatch.undeadPause { return [] }
    saidUndead = now
    return [.say(.error, "\(why); restarting it once it is gone (see dmesg)")]
  }

  private var endPatience: Int64 { isStopping ? ChildWatch.stopPatience : ChildWatch.patience }

  private func fault(_ since: MonotonicTime, _ now: MonotonicTime) -> String? {
    let silence = now - lastNews
    if silence >= silenceLimit { return "it hangs: it has reported nothing for \(silence / ChildWatch.second) s" }
    if let saysItLives, now - saysItLives >= ChildWatch.restLimit {
      return "it hangs: it has not reported that it is well for \((now - saysItLives) / ChildWatch.second) s"
    }
    if let lastWritten, now - lastWritten.at >= ChildWatch.standstillLimit {
      return "it hangs: frames are due, but none was written for \((now - lastWritten.at) / ChildWatch.second) s"
    }
    return nil
  }

  private var silenceLimit: Int64 {
    if isRecording { return ChildWatch.silenceLimit }
    return saysItLives != nil ? ChildWatch.restLimit : ChildWatch.startLimit
  }

  private mutating func hear(_ news: ChildNews, _ now: MonotonicTime) -> [Action] {
    lastNews = now
    switch news.event {
    case "started":
      isRecording = true
      recordsSince = recordsSince ?? now
      settledSince = settledSince ?? now
      lastWritten = nil
    case "alive":
      saysItLives = now
      if news.phase != "starting" { settledSince = settledSince ?? now }
      // In any other phase no frames are due.
      if news.phase != "recording" { lastWritten = nil }
    case "progress":
      isRecording = true
      guard let ledger = news.ledger else { break }
      // No frame is missed if none is due.
      // A frame that was counted as lost has left the pipeline, too.
      let out = ledger.written + ledger.lost.values.reduce(0, +)
      if let last = lastWritten, last.count == out, last.expected != ledger.expected { break }
      lastWritten = (out, ledger.expected, now)
    case "standby":
      (isRecording, lastWritten) = (false, nil)
      settledSince = settledSince ?? now
    case "stopped": (isRecording, lastWritten) = (false, nil)
    case "ended": farewell = news
    default: break
    }
    return []
  }

  private mutating func stop(_ now: MonotonicTime) -> [Action] {
    isStopping = true
    switch phase {
    case .waiting:
      phase = .over
      return [.finished(hasFailed ? ChildStatus.lost : 0)]
    case .running:
      phase = .ending(since: now, signals: 1)
      return [.signal(ChildProcess.endSignal)]
    case .ending, .over: return []
    }
  }

  private mutating func end(_ end: ChildEnd, _ now: MonotonicTime) -> [Action] {
    if isStopping {
      phase = .over
      // The signal ended it before it could handle signals; it had recorded nothing.
      return [.finished(end.ending == .signal(ChildProcess.endSignal) && recordsSince == nil ? 0 : end.accountedStatus)]
    }
    var wasTold = false
    if case .ending = phase { wasTold = true }
    if !wasTold, end.isAsked || !end.isFailure {
      phase = .over
      let how = end.isAsked ? "was told to end" : "finished by itself"
      // A failure before the rig stops is a loss.
      return [
        .say(.info, "it \(how) and is not restarted"),
        .finished(end.isFailure ? ChildStatus.lost : end.accountedStatus),
      ]
    }
    let hint = end.status == ChildStatus.refused ? " (check the rig file: camrec rig check)" : ""
    return restart(after: end.words + hint, wasTold: wasTold, now)
  }

  private mutating func restart(after how: String, wasTold: Bool = false, _ now: MonotonicTime) -> [Action] {
    if isStopping {
      phase = .over
      return [.finished(ChildStatus.defect)]
    }
    hasFailed = true
    if let settledSince, now - settledSince >= ChildWatch.goodRun { failures = 0 }
    failures += 1
    failedStarts = settledSince == nil ? failedStarts + 1 : 0
    let pause = min(ChildWatch.longestPause, ChildWatch.shortestPause << min(Int64(failures) - 1, 6))
    phase = .waiting(until: now.advanced(by: pause))
    saidUndead = nil
    return [.say(wasTold ? .warning : .error, "\(how); restarting it in \(pause / ChildWatch.second) s")]
  }
}
