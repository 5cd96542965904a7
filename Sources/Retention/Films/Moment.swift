/// When something was noted, by clocks that do not jump, as far as there are any.
public struct Moment: Hashable, Sendable, Codable {
  /// The system's run: `/proc/sys/kernel/random/boot_id`.
  public var boot: String
  /// Seconds since that began.
  public var uptime: Double
  /// The wall clock, in seconds since 1970, and whether the kernel says that it is synchronised.
  public var time: Double
  public var isSynchronized: Bool

  public init(boot: String, uptime: Double, time: Double, isSynchronized: Bool) {
    self.boot = boot
    self.uptime = uptime
    self.time = time
    self.isSynchronized = isSynchronized
  }

  /// No system runs for a century. A moment that says so is damaged, and would make films look old.
  var isPlausible: Bool { uptime >= 0 && uptime < 100 * 366 * 86400 && time.magnitude < 1e12 }
}

/// How long ago something was, no matter what the wall clock was set to.
///
/// Within a run of the system, its own clock tells. Over several runs, it is the time that they ran, as far as the
/// noted moments show: never more than it really was. If both ends were synchronised, the wall clock is used where it
/// says more.
struct RunningTime: Hashable, Sendable {
  private struct Run: Hashable {
    let boot: String
    var uptime: Double
  }

  /// In order.
  private var runs: [Run] = []

  mutating func note(_ moment: Moment) {
    guard let index = runs.lastIndex(where: { $0.boot == moment.boot }) else {
      return runs.append(Run(boot: moment.boot, uptime: moment.uptime))
    }
    runs[index].uptime = max(runs[index].uptime, moment.uptime)
  }

  /// The index of a run of the system, in the order in which runs were noted; `nil` if it was not noted.
  func index(ofRun boot: String) -> Int? { runs.lastIndex { $0.boot == boot } }

  /// The last moment of each run, in order.
  var moments: [Moment] { runs.map { Moment(boot: $0.boot, uptime: $0.uptime, time: 0, isSynchronized: false) } }

  func seconds(from then: Moment, to now: Moment) -> Double {
    guard then.boot != now.boot else { return max(0, now.uptime - then.uptime) }
    var ran = now.uptime
    if let index = runs.lastIndex(where: { $0.boot == then.boot }) {
      ran += max(0, runs[index].uptime - then.uptime)
      for run in runs[(index + 1)...] where run.boot != now.boot { ran += run.uptime }
    }
    let wall = then.isSynchronized && now.isSynchronized ? now.time - then.time : 0
    return max(ran, wall)
  }
}
