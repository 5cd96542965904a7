public import Frames
import Synchronization

/// The account of every frame that was due: each is settled exactly once, as written or as lost for a named reason.
///
/// Thread: any. Frames after the stop never enter, so they do not count as lost.
public final class FrameLedger: Sendable {
  /// The account at one moment.
  public struct Counts: Hashable, Sendable {
    /// Frames due between the first and the last that entered, inclusive, by the camera's count.
    public internal(set) var expected = 0
    /// Frames that arrived intact.
    public internal(set) var captured = 0
    public internal(set) var written = 0
    public internal(set) var deviceGaps = 0
    public internal(set) var deviceErrors = 0
    public internal(set) var overloads = 0
    public internal(set) var diskLosses = 0
    public internal(set) var defects = 0

    public init() {}

    public func lost(_ reason: LossReason) -> Int {
      switch reason {
      case .deviceGap: deviceGaps
      case .deviceError: deviceErrors
      case .overload: overloads
      case .disk: diskLosses
      case .defect: defects
      }
    }

    public var totalLost: Int { deviceGaps + deviceErrors + overloads + diskLosses + defects }
    /// Frames that entered but are not yet written or lost; 0 at the end.
    public var underway: Int { expected - written - totalLost }

    /// The sum of both.
    static func + (a: Counts, b: Counts) -> Counts { sum(a, b, 1) }
    /// The difference between `a` and `b`.
    static func - (a: Counts, b: Counts) -> Counts { sum(a, b, -1) }

    private static func sum(_ a: Counts, _ b: Counts, _ sign: Int) -> Counts {
      var sum = a
      sum.expected += sign * b.expected
      sum.captured += sign * b.captured
      sum.written += sign * b.written
      for reason in LossReason.allCases { sum.lose(sign * b.lost(reason), reason) }
      return sum
    }

    mutating func lose(_ frames: Int, _ reason: LossReason) {
      switch reason {
      case .deviceGap: deviceGaps += frames
      case .deviceError: deviceErrors += frames
      case .overload: overloads += frames
      case .disk: diskLosses += frames
      case .defect: defects += frames
      }
    }
  }

  /// The stages that make entries. Each stage makes them in the order of the frames, so its account before a frame
  /// covers all frames before that one.
  enum Stage: Int, CaseIterable {
    case capture, bakeBegin, bakeEnd, writing
  }

  private struct Stages {
    var capture = Counts()
    var bakeBegin = Counts()
    var bakeEnd = Counts()
    var writing = Counts()
    /// The account of the frames before the first one that counts; `nil` while none counts.
    var base: Counts? = Counts()

    subscript(stage: Stage) -> Counts {
      get {
        switch stage {
        case .capture: capture
        case .bakeBegin: bakeBegin
        case .bakeEnd: bakeEnd
        case .writing: writing
        }
      }
      set {
        switch stage {
        case .capture: capture = newValue
        case .bakeBegin: bakeBegin = newValue
        case .bakeEnd: bakeEnd = newValue
        case .writing: writing = newValue
        }
      }
    }
  }

  private let state: Mutex<Stages>

  public convenience init() { self.init(isStanding: false) }

  /// - Parameter isStanding: nothing counts until `begins` is called.
  init(isStanding: Bool) {
    var stages = Stages()
    if isStanding { stages.base = nil }
    state = Mutex(stages)
  }

  public var counts: Counts {
    state.withLock { state in
      state.base.map { state.capture + state.bakeBegin + state.bakeEnd + state.writing - $0 } ?? Counts()
    }
  }

  /// Begins the account with a frame.
  ///
  /// - Parameters:
  ///   - before: the account of the frames before it, in the stages before the writer.
  ///   - written: frames from this one on that are written already.
  func begins(before: Counts, written: Int) {
    state.withLock {
      $0.base = before
      $0.writing = Counts()
      $0.writing.written = written
    }
  }

  /// The entries of one stage so far.
  func entries(of stage: Stage) -> Counts { state.withLock { $0[stage] } }

  /// A frame arrived intact, `missing` frames after the one before.
  ///
  /// - Returns: the entries of the capture for all frames before this one, including the missing ones.
  @discardableResult
  func entered(missing: Int) -> Counts {
    state.withLock {
      $0.capture.expected += missing
      $0.capture.deviceGaps += missing
      let before = $0.capture
      $0.capture.expected += 1
      $0.capture.captured += 1
      return before
    }
  }

  /// A frame arrived damaged, `missing` frames after the one before.
  func enteredDamaged(missing: Int) {
    state.withLock {
      $0.capture.expected += 1 + missing
      $0.capture.deviceGaps += missing
      $0.capture.deviceErrors += 1
    }
  }

  /// `frames` were due and never arrived.
  func missed(_ frames: Int) {
    state.withLock {
      $0.capture.expected += frames
      $0.capture.deviceGaps += frames
    }
  }

  /// A finished file holds `stored` of the `written` frames handed to it; the others count as lost to the disk.
  /// Returns how many.
  func settle(stored: Int, of written: Int) -> Int {
    let absent = max(0, written - stored)
    state.withLock {
      $0.writing.written -= absent
      $0.writing.diskLosses += absent
    }
    return absent
  }

  func lost(_ reason: LossReason, at stage: Stage) { state.withLock { $0[stage].lose(1, reason) } }

  func written() { state.withLock { $0.writing.written += 1 } }
}
