import Frames

/// Whether the wall clock is synchronised: film names and timecodes depend on it.
public struct ClockCheck: DoctorCheck {
  /// The kernel's report on its clock (adjtimex(2)).
  public struct Kernel: Hashable, Sendable {
    public var isSynchronized: Bool
    /// The largest error of the clock in microseconds, as its time service estimates it.
    public var maximumError: Int

    public init(isSynchronized: Bool, maximumError: Int) {
      self.isSynchronized = isSynchronized
      self.maximumError = maximumError
    }
  }

  private let kernel: Kernel?
  private let files: SystemFiles

  /// - Parameter kernel: `nil` if the kernel does not report it.
  public init(kernel: Kernel?, files: SystemFiles = SystemFiles()) {
    self.kernel = kernel
    self.files = files
  }

  public func findings() -> [DoctorFinding] {
    guard let kernel else {
      return [
        DoctorFinding(
          "clock", .warning, "the kernel does not say whether the clock is synchronised",
          remedy: "run: timedatectl status")
      ]
    }
    let service = service.map { " by \($0)" } ?? ""
    guard kernel.isSynchronized else {
      let remedy: Sentence =
        self.service == nil
        ? "install a time service: apt install systemd-timesyncd (or chrony)"
        : "check that it reaches its servers: timedatectl timesync-status, or chronyc tracking"
      let running = self.service.map { ", although \($0) is running" } ?? ""
      return [
        DoctorFinding(
          "clock", .warning, "the clock is not synchronised\(running): film names and timecodes may be wrong",
          remedy: remedy)
      ]
    }
    let milliseconds = Double(kernel.maximumError) / 1000
    return [
      DoctorFinding(
        "clock", .ok, "the clock is synchronised\(service), to within \(DoctorText.number(milliseconds)) ms",
        figures: ["maximumErrorMilliseconds": milliseconds])
    ]
  }

  private var service: String? {
    if files.exists(files.run + "/systemd/timesync/synchronized") || files.exists(files.run + "/systemd/timesync") {
      return "systemd-timesyncd"
    }
    if files.exists(files.run + "/chrony/chronyd.pid") || files.exists(files.run + "/chrony/chronyd.sock") {
      return "chrony"
    }
    return files.exists(files.run + "/ntpd.pid") || files.exists(files.run + "/openntpd.pid") ? "ntpd" : nil
  }
}
