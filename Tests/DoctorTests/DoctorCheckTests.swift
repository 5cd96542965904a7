import Doctor
import Foundation
import Frames
import Testing

/// What a doctor says of machines that are made up.
@Suite struct DoctorCheckTests {
  let root: URL
  let files: SystemFiles

  init() throws {
    root = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-doctor-\(UUID().uuidString)")
      .resolvingSymlinksInPath()
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    files = SystemFiles(sys: root.path + "/sys", proc: root.path + "/proc", run: root.path + "/run")
  }

  private func write(_ text: String, to path: String) throws {
    let url = root.appendingPathComponent(path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data((text + "\n").utf8).write(to: url)
  }

  private func zone(_ degrees: Int, _ trips: [(String, Int)]) throws {
    let folder = "sys/class/thermal/thermal_zone0"
    try write("cpu-thermal", to: folder + "/type")
    try write("\(degrees * 1000)", to: folder + "/temp")
    for (index, trip) in trips.enumerated() {
      try write(trip.0, to: "\(folder)/trip_point_\(index)_type")
      try write("\(trip.1 * 1000)", to: "\(folder)/trip_point_\(index)_temp")
    }
  }

  private func cleanUp() { try? FileManager.default.removeItem(at: root) }

  @Test(arguments: [(50, "ok"), (66, "warning"), (80, "failure"), (91, "failure")])
  func temperature_isHeldAgainstTheTripPoint(_ degrees: Int, _ verdict: String) throws {
    defer { cleanUp() }
    // The active one starts a fan, and one of 0 is not set.
    try zone(degrees, [("active", 40), ("critical", 105), ("passive", 80), ("passive", 0)])
    let found = TemperatureCheck(files: files).findings()
    #expect(found.map(\.verdict.rawValue) == [verdict])
    #expect(found[0].finding == "cpu-thermal is at \(degrees) °C; the machine slows down at 80 °C")
    #expect((found[0].remedy != nil) == (verdict != "ok") && found[0].figures["criticalDegrees"] == 105)
  }

  @Test func machineWithoutThermometer_isWell() throws {
    defer { cleanUp() }
    #expect(TemperatureCheck(files: files).findings().map(\.verdict) == [.ok])
    try zone(60, [])
    #expect(TemperatureCheck(files: files).findings()[0].finding == "cpu-thermal is at 60 °C; its limit is not known")
  }

  private func camera(control: String?) throws {
    let device = "sys/devices/pci0/usb1/1-4"
    try write("046d", to: device + "/idVendor")
    try write("082d", to: device + "/idProduct")
    if let control { try write(control, to: device + "/power/control") }
    try write("", to: device + "/1-4:1.0/video4linux/video0/name")
    let node = root.appendingPathComponent("sys/class/video4linux/video0")
    try FileManager.default.createDirectory(at: node, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: node.path + "/device", withDestinationPath: root.path + "/" + device + "/1-4:1.0")
  }

  @Test func portThatMaySleep_isAWarningWithARule() throws {
    defer { cleanUp() }
    try camera(control: "auto")
    let found = USBPowerCheck(node: "/dev/video0", files: files).findings()
    #expect(found.map(\.verdict) == [.warning])
    #expect(found[0].finding == "the kernel may put the USB port 1-4 of /dev/video0 to sleep (power/control is auto)")
    #expect(found[0].remedy?.contains("echo on > \(root.path)/sys/devices/pci0/usb1/1-4/power/control") == true)
    #expect(
      found[0].remedy?.contains(#"ATTR{idVendor}=="046d", ATTR{idProduct}=="082d", ATTR{power/control}="on""#) == true)
  }

  @Test func portThatStaysAwake_isWell() throws {
    defer { cleanUp() }
    try camera(control: "on")
    #expect(USBPowerCheck(node: "/dev/video0", files: files).findings().map(\.verdict) == [.ok])
    #expect(
      USBPowerCheck(node: "/dev/video1", files: files).findings()[0].finding
        == "/dev/video1 has no USB port with power management")
  }

  @Test func clock_isAsTheKernelSays() throws {
    defer { cleanUp() }
    let free = ClockCheck.Kernel(isSynchronized: false, maximumError: 16_000_000)
    let held = ClockCheck.Kernel(isSynchronized: true, maximumError: 2_500)
    let alone = ClockCheck(kernel: free, files: files).findings()[0]
    #expect(
      alone.verdict == .warning && alone.remedy == "install a time service: apt install systemd-timesyncd (or chrony)")
    try write("", to: "run/chrony/chronyd.pid")
    let served = ClockCheck(kernel: free, files: files).findings()[0]
    #expect(
      served.finding
        == "the clock is not synchronised, although chrony is running: film names and timecodes may be wrong")
    let good = ClockCheck(kernel: held, files: files).findings()[0]
    #expect(good.verdict == .ok && good.finding == "the clock is synchronised by chrony, to within 2.5 ms")
    #expect(ClockCheck(kernel: nil, files: files).findings()[0].verdict == .warning)
  }

  @Test(arguments: [(3_000_000, "ok"), (1_500_000, "warning"), (900_000, "failure")])
  func memory_isHeldAgainstWhatIsTaken(_ kibibytes: Int, _ verdict: String) throws {
    defer { cleanUp() }
    try write("MemTotal: 8000000 kB\nMemFree: 1 kB\nMemAvailable: \(kibibytes) kB", to: "proc/meminfo")
    let findings = MemoryCheck(needed: 1e9, files: files).findings()
    #expect(findings.map(\.verdict.rawValue) == [verdict])
    #expect(findings[0].finding.hasSuffix("; recording needs about 1 GB"), "of one camera or of several")
  }

  @Test func limits_ofFilesAndUser() {
    defer { cleanUp() }
    #expect(
      DescriptorCheck(limit: 1024).findings()[0].verdict == .ok
        && DescriptorCheck(limit: nil).findings()[0].verdict == .ok)
    #expect(DescriptorCheck(limit: 64).findings()[0].verdict == .failure)
    #expect(UserCheck(user: 0).findings()[0].remedy?.contains("usermod -aG video,audio,input camrec") == true)
    #expect(UserCheck(user: 1000).findings()[0].verdict == .ok)
  }

  @Test(arguments: [(1e12, "ok"), (100e9, "warning"), (4e9, "failure"), (0.4e9, "failure")])
  func space_isHours(_ free: Double, _ verdict: String) {
    defer { cleanUp() }
    let found = SpaceCheck(folder: "/films", bytesPerSecond: 2.5e6, freeBytes: free).findings()[0]
    #expect(found.verdict.rawValue == verdict)
    if free == 100e9 { #expect(found.finding == "'/films' has 100 GB left: 11.1 hours at 9 GB an hour") }
    #expect(SpaceCheck(folder: "/films", bytesPerSecond: 1, freeBytes: nil).findings()[0].verdict == .failure)
  }

  @Test(arguments: [true, false])
  func whatIsSetAlready_isNoRemedy(_ rotates: Bool) {
    defer { cleanUp() }
    let found = SpaceCheck(folder: "/films", bytesPerSecond: 2.5e6, freeBytes: 100e9, rotates: rotates).findings()[0]
    #expect(found.remedy?.contains("--on-full rotate") == !rotates, "\(found.remedy ?? "")")
  }

  @Test(arguments: [(9e9, "1 hour"), (150e6, "1 minute"), (18e9, "2 hours")])
  func anHourIsOne(_ free: Double, _ time: String) {
    defer { cleanUp() }
    let found = SpaceCheck(folder: "/films", bytesPerSecond: 2.5e6, freeBytes: free).findings()[0]
    #expect(found.finding.hasSuffix(" left: \(time) at 9 GB an hour"), "\(found.finding)")
  }

  /// A clock that each look moves on, so that every piece takes what the list says.
  private func clock(_ seconds: [Double]) -> () -> MonotonicTime {
    var looks = 0, time: Int64 = 0
    return {
      // One look begins; then there are two for each piece, and one in between for the patience.
      defer { looks += 1 }
      if looks % 3 == 2 { time += Int64(seconds[looks / 3 % seconds.count] * 1e9) }
      return MonotonicTime(nanoseconds: time)
    }
  }

  @Test func diskSpeed_isMeasuredInTheFolder_andNothingStays() throws {
    defer { cleanUp() }
    let found = DiskSpeedCheck(folder: root.path, bytesPerSecond: 1e6).findings()[0]
    #expect(
      found.check == "disk speed" && (found.figures["worstSeconds"] ?? 0) >= (found.figures["medianSeconds"] ?? 1))
    #expect(found.figures["bytes"] == 250_000 && found.finding.contains("the films need 1 MB/s"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: root.path) == [])
    let nowhere = DiskSpeedCheck(folder: root.path + "/none", bytesPerSecond: 1e6).findings()[0]
    let sentence = "cannot write a file in '\(root.path)/none' (No such file"
    #expect(nowhere.verdict == .failure && nowhere.finding.hasPrefix(sentence))
  }

  @Test(arguments: [([0.02], "ok"), ([0.02, 0.02, 0.02, 0.6], "warning"), ([0.3], "failure"), ([0.15], "warning")])
  func slowDisk_isToldByItsPieces(_ seconds: [Double], _ verdict: String) {
    defer { cleanUp() }
    let found = DiskSpeedCheck(folder: root.path, bytesPerSecond: 1e5, now: clock(seconds)).findings()[0]
    #expect(found.verdict.rawValue == verdict, "\(found)")
  }
}
