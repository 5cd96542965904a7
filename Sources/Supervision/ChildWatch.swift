public import Frames
import Glibc

/// Decides what is done with one recording: when it is started again, and when it hangs. Whatever it fails by may pass:
/// it is started again for ever, until it ends by itself or the rig is to end.
///
/// A value without threads and clocks of its own: events go in, actions come out.
public struct ChildWatch: Sendable {
  public enum Event: Hashable, Sendable {
    /// The time has come to see to it; also the first one.
    case tick
    case news(ChildNews)
    case ended(ChildProcess.Ending)
    /// It could not even be started.
    case missing(CamrecError)
    /// The rig is to end.
    case stop
  }

  public enum Action: Hashable, Sendable {
    case start
    case signal(Int32)
    case say(Urgency, String)
    /// There is nothing more to do; with the exit status that it came to.
    case finished(Int32)
  }

  public enum Urgency: String, Hashable, Sendable, Codable { case info, warning, error }

  private enum Phase: Hashable {
    case waiting(until: MonotonicTime)
    case running(since: MonotonicTime)
    /// It was told to end, to be started again or not.
    case ending(since: MonotonicTime, signals: Int)
    case over
  }

  private var phase: Phase
  private var isStopping = false
  /// When it was said last that a recording which was killed is not gone.
  private var saidUndead: MonotonicTime?
  /// Failures in a row, none of them behind a good run: they make the pauses.
  public private(set) var failures = 0
  /// Starts in a row that came to nothing: it neither recorded nor stood by.
  public private(set) var failedStarts = 0
  private var hasFailed = false
  private var recordsSince: MonotonicTime?
  /// Since when it records, stands by, or waits for its camera.
  private var settledSince: MonotonicTime?
  /// It tells its progress twice a second.
  private var isRecording = false
  private var lastNews: MonotonicTime
  private var lastWritten: (count: Int, expected: Int, at: MonotonicTime)?
  /// When it said last that it is well, as it does every few seconds, whatever it waits for.
  private var saysItLives: MonotonicTime?

  private static let second: Int64 = 1_000_000_000
  /// Between the first two starts; doubled each time.
  static let shortestPause: Int64 = 1 * second
  static let longestPause: Int64 = 60 * second
  /// A recorder that records or stands by for so long was a good one: its failure is a new one.
  static let goodRun: Int64 = 60 * second
  /// A recording tells its progress twice a second. A machine that swaps may be slow to.
  static let silenceLimit: Int64 = 30 * second
  /// Where nothing is recorded it says every five seconds that it lives.
  static let restLimit: Int64 = 60 * second
  /// Up to the first time that it says so: a machine that starts from a slow disk.
  static let startLimit: Int64 = 300 * second
  /// Frames are due, and none is written: an encoder that hangs, or a disk that is gone.
  static let standstillLimit: Int64 = 120 * second
  /// From being told to end to being told again, and from there to being killed. Finishing a film takes two seconds, on
  /// a slow disk as long as what waits for it; one that hangs is not given that.
  static let patience: Int64 = 30 * second
  static let stopPatience: Int64 = 180 * second
  static let lastPatience: Int64 = 10 * second
  /// Between two warnings of a recording that was killed and is not gone.
  static let undeadPause: Int64 = 600 * second

  public init(now: MonotonicTime) {
    phase = .waiting(until: now)
    lastNews = now
  }

  public var isOver: Bool { phase == .over }
  /// Its last start came to nothing, or it hangs, and it neither records nor stands by since.
  public var isFailing: Bool {
    switch phase {
    case .waiting: failures > 0
    case .running: failures > 0 && settledSince == nil
    case .ending: !isStopping
    case .over: false
    }
  }
  /// A recording failed and was, or was to be, started again: frames are missing that no ledger has.
  public var hasInterruptions: Bool { hasFailed }

  public mutating func receive(_ event: Event, at now: MonotonicTime) -> [Action] {
    switch event {
    case .tick: tick(now)
    case .news(let news): hear(news, now)
    case .ended(let ending): end(ChildStatus.status(of: ending), ending, now)
    case .missing(let error): end(ChildStatus.defect, nil, now, because: error.description)
    case .stop: stop(now)
    }
  }

  private mutating func tick(_ now: MonotonicTime) -> [Action] {
    switch phase {
    case .waiting(let until) where now >= until:
      phase = .running(since: now)
      (recordsSince, settledSince, isRecording, lastWritten, saysItLives, lastNews) = (nil, nil, false, nil, nil, now)
      return [.start]
    case .running(let since):
      guard let fault = fault(since, now) else { return [] }
      phase = .ending(since: now, signals: 1)
      return [.say(.error, "\(fault); it is ended and started again"), .signal(SIGTERM)]
    case .ending(let since, 1) where now - since >= endPatience:
      phase = .ending(since: now, signals: 2)
      return [
        .say(.error, "it has not ended in \(endPatience / ChildWatch.second) s and is told to give up"),
        .signal(SIGTERM),
      ]
    case .ending(let since, 2) where now - since >= ChildWatch.lastPatience:
      phase = .ending(since: now, signals: 3)
      return [.say(.error, "it does not end and is killed; its film plays up to its last fragment"), .signal(SIGKILL)]
    case .ending(let since, 3): return lookAfterKilled(since, now)
    default: return []
    }
  }

  /// A process in the midst of a system call that does not return (state D of ps(1)) is not gone when it is killed. It
  /// still has the camera. The rig's end does not wait for it.
  private mutating func lookAfterKilled(_ killed: MonotonicTime, _ now: MonotonicTime) -> [Action] {
    guard now - killed >= ChildWatch.lastPatience else { return [] }
    let why = "it was killed and is not gone: a driver or a disk holds it in the kernel"
    if isStopping {
      phase = .over
      return [.say(.error, "\(why); the rig ends without it"), .finished(ChildStatus.failed)]
    }
    if let saidUndead, now - saidUndead < ChildWatch.undeadPause { return [] }
    saidUndead = now
    return [.say(.error, "\(why); it is started again when it is gone (look into: dmesg)")]
  }

  private var endPatience: Int64 { isStopping ? ChildWatch.stopPatience : ChildWatch.patience }

  private func fault(_ since: MonotonicTime, _ now: MonotonicTime) -> String? {
    let silence = now - lastNews
    if silence >= silenceLimit { return "it hangs: nothing was heard of it for \(silence / ChildWatch.second) s" }
    if let saysItLives, now - saysItLives >= ChildWatch.restLimit {
      return "it hangs: it has not said that it is well for \((now - saysItLives) / ChildWatch.second) s"
    }
    if let lastWritten, now - lastWritten.at >= ChildWatch.standstillLimit {
      return
        "it hangs: no frame was written for \((now - lastWritten.at) / ChildWatch.second) s, though frames were due"
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
      // Whatever it waits for then, frames are not due.
      if news.phase != "recording" { lastWritten = nil }
    case "progress":
      isRecording = true
      guard let ledger = news.ledger else { break }
      // Where no frame is due, none is missed.
      // A frame that is accounted as lost has left the pipeline, too.
      let out = ledger.written + ledger.lost.values.reduce(0, +)
      if let last = lastWritten, last.count == out, last.expected != ledger.expected { break }
      lastWritten = (out, ledger.expected, now)
    case "standby":
      (isRecording, lastWritten) = (false, nil)
      settledSince = settledSince ?? now
    case "stopped": (isRecording, lastWritten) = (false, nil)
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
      return [.signal(SIGTERM)]
    case .ending, .over: return []
    }
  }

  private mutating func end(
    _ status: Int32, _ ending: ChildProcess.Ending?, _ now: MonotonicTime, because reason: String? = nil
  ) -> [Action] {
    let how = reason ?? ending.map(ChildWatch.words) ?? ""
    var wasTold = false
    if case .ending = phase { wasTold = true }
    if isStopping {
      phase = .over
      // It was told to end before it could hear it, and had recorded nothing.
      return [.finished(ending == .signal(SIGTERM) && recordsSince == nil ? 0 : status)]
    }
    if !wasTold, ChildStatus.finished.contains(status) {
      phase = .over
      return [.say(.info, "it has ended by itself and is not started again"), .finished(status)]
    }
    hasFailed = true
    if let settledSince, now - settledSince >= ChildWatch.goodRun { failures = 0 }
    failures += 1
    failedStarts = settledSince == nil ? failedStarts + 1 : 0
    let pause = min(ChildWatch.longestPause, ChildWatch.shortestPause << min(Int64(failures) - 1, 6))
    phase = .waiting(until: now.advanced(by: pause))
    saidUndead = nil
    let hint = status == ChildStatus.refused ? " (correct the rig file: camrec rig check)" : ""
    return [.say(wasTold ? .warning : .error, "\(how)\(hint); it is started again in \(pause / ChildWatch.second) s")]
  }

  private static func words(_ ending: ChildProcess.Ending) -> String {
    switch ending {
    case .status(let status): "it ended with status \(status)"
    case .signal(let signal): "it was ended by signal \(signal)"
    }
  }
}
