public import Frames
public import Recorder

extension LossReason {
  /// What became of frames that were lost so, for people: `3 arrived damaged`.
  public var words: String {
    switch self {
    case .deviceGap: "never came from the camera"
    case .deviceError: "arrived damaged"
    case .overload: "by overload (bake or encoder too slow)"
    case .disk: "by the disk"
    case .defect: "by a defect of camrec or of a library below it"
    }
  }

  fileprivate var cause: String {
    switch self {
    case .deviceGap: "the camera did not deliver"
    case .deviceError: "the camera delivered damaged pictures"
    case .overload: "bake or encoder are too slow"
    case .disk: "the disk is too slow"
    case .defect: "camrec, or a library below it, failed"
    }
  }

  fileprivate var remedy: String {
    switch self {
    case .deviceGap: "try another USB port or cable, or a smaller --size, --fps or --pixel-format"
    case .deviceError: "try another USB port or cable"
    case .overload: "try a faster --preset or --codec; 'camrec bench' measures what this machine can do"
    case .disk: "record to a faster disk, or with a lower bitrate"
    case .defect: "please report it, with what camrec said before"
    }
  }
}

/// Says that frames are lost: at once where it begins, with the reason and what helps, and then how many, not too often.
///
/// Thread: one at a time.
public struct LossAlarm {
  private struct Account {
    var total: Int64 = 0
    var unsaid: Int64 = 0
    var said: MonotonicTime
  }

  private var accounts: [LossReason: Account] = [:]
  private let interval: Int64
  private let repeats: Bool

  /// - Parameters:
  ///   - seconds: between two sentences about one reason.
  ///   - repeats: whether there are any behind the first; no where a status line has the count.
  public init(seconds: Double = 30, repeats: Bool = true) {
    interval = Int64(saturating: seconds * 1e9)
    self.repeats = repeats
  }

  /// - Returns: what is to be said of it now.
  public mutating func hear(_ loss: SessionLoss, at now: MonotonicTime) -> String? {
    guard loss.count > 0 else { return nil }
    guard var account = accounts[loss.reason] else {
      accounts[loss.reason] = Account(total: loss.count, said: now)
      let place = loss.frames.map { loss.count == 1 ? " (frame \($0.lowerBound))" : " (from frame \($0.lowerBound) on)" }
      let what = loss.count == 1 ? "a frame is lost" : "\(loss.count) frames are lost"
      return "\(what)\(place ?? ""): \(loss.reason.cause); \(loss.reason.remedy)"
    }
    account.total = account.total.addingSaturated(loss.count)
    account.unsaid = account.unsaid.addingSaturated(loss.count)
    defer { accounts[loss.reason] = account }
    guard repeats, now - account.said >= interval else { return nil }
    let seconds = (now - account.said) / 1_000_000_000
    let sentence =
      "\(account.unsaid) more frame\(account.unsaid == 1 ? " is" : "s are") lost in \(seconds) s, \(account.total) in all:"
      + " \(loss.reason.cause)"
    (account.unsaid, account.said) = (0, now)
    return sentence
  }
}
