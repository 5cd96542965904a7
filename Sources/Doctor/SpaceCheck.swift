import Foundation

/// For how long the disk has room.
public struct SpaceCheck: DoctorCheck {
  /// Less is a day's worth of unattended recording.
  static let fewHours = 24.0
  /// A recording warns at these marks, and is as good as over.
  static let lastHours = 0.5
  static let lastBytes = 500e6

  private let folder: String
  private let bytesPerSecond: Double
  private let freeBytes: Double?

  /// - Parameters:
  ///   - bytesPerSecond: of all films that go there.
  ///   - freeBytes: for who is not root.
  public init(folder: String, bytesPerSecond: Double, freeBytes: Double?) {
    self.folder = folder
    self.bytesPerSecond = bytesPerSecond
    self.freeBytes = freeBytes
  }

  public func findings() -> [DoctorFinding] {
    guard let free = freeBytes else {
      return [
        DoctorFinding(
          "space", .failure, "how much space '\(folder)' has cannot be found out",
          remedy: "see whether it is there, and mounted")
      ]
    }
    let hours = free / bytesPerSecond / 3600
    let figures = ["freeBytes": free, "bytesPerSecond": bytesPerSecond, "hours": hours]
    let sentence = "'\(folder)' has \(DoctorText.bytes(free)) left: \(DoctorText.time(hours: hours)) at \(DoctorText.bytes(bytesPerSecond * 3600)) an hour"
    if hours < SpaceCheck.lastHours || free < SpaceCheck.lastBytes {
      return [
        DoctorFinding(
          "space", .failure, sentence, remedy: "delete what is not needed, or record to another disk (--output)",
          figures: figures)
      ]
    }
    if hours < SpaceCheck.fewHours {
      return [
        DoctorFinding(
          "space", .warning, sentence,
          remedy: "make room for a day, record to another disk, or let old films be deleted as space runs out",
          figures: figures)
      ]
    }
    return [DoctorFinding("space", .ok, sentence, figures: figures)]
  }
}
