/// Whether the wall clock is set by somebody who knows the time: names of films and timecodes are by it.
public struct ClockCheck: DoctorCheck {
  /// What the kernel says of its clock (adjtimex(2)).
  public struct Kernel: Hashable, Sendable {
    public var isSynchronized: Bool
    /// Microseconds that the clock may be wrong by, as whoever sets it estimates.
    public var maximumError: Int

    public init(isSynchronized: Bool, maximumError: Int) {
      self.isSynchronized = isSynchronized
      self.maximumError = maximumError
    }
  }

  private let kernel: Kernel?
  private let files: SystemFiles

  /// - Parameter kernel: `nil` where it does not say.
  public init(kernel: Kernel?, files: SystemFiles = SystemFiles()) {
    self.kernel = kernel
    self.files = files
  }

  public func findings() -> [DoctorFinding] {
    guard let kernel else {
      return [
        DoctorFinding(
          "clock", .warning, "the kernel does not say whether the clock is synchronised",
          remedy: "look at 'timedatectl status'")
      ]
    }
    let service = service.map { " by \($0)" } ?? ""
    guard kernel.isSynchronized else {
      let remedy =
        self.service == nil
        ? "install a time service: apt install systemd-timesyncd (or chrony)"
        : "see whether it reaches its servers: timedatectl timesync-status, or chronyc tracking"
      let running = self.service.map { ", though \($0) is there" } ?? ""
      return [
        DoctorFinding(
          "clock", .warning, "the clock is not synchronised\(running): names of films and timecodes may be wrong",
          remedy: remedy)
      ]
    }
    let milliseconds = Double(kernel.maximumError) / 1000
    return [
      DoctorFinding(
        "clock", .ok, "the clock is synchronised\(service), to \(DoctorText.number(milliseconds)) ms at worst",
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
