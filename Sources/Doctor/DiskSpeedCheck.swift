import Foundation
public import Frames
public import Platform

/// Whether the disk is fast enough for the films: writes pieces as large as a recording's fragments, each followed by
/// fdatasync(2), as a recording does.
public struct DiskSpeedCheck: DoctorCheck {
  /// Seconds of film in a piece, as in a recording's fragment.
  static let fragment = 0.25
  /// The number of pieces: enough to find the slowest, and to fill the cache of a slow card.
  static let pieces = 40
  /// Seconds for the slowest piece: the disk's part of what a crash may cost.
  static let worstAllowed = 0.5
  /// Seconds after which the check stops writing to a slow disk.
  static let patience = 20.0

  private let folder: String
  private let bytesPerSecond: Double
  private let now: () -> MonotonicTime

  /// - Parameters:
  ///   - folder: where a file is written and deleted again.
  ///   - bytesPerSecond: of all films together that are written there.
  public init(folder: String, bytesPerSecond: Double, now: @escaping () -> MonotonicTime = { MonotonicTime.now() }) {
    self.folder = folder
    self.bytesPerSecond = bytesPerSecond
    self.now = now
  }

  public func findings() -> [DoctorFinding] {
    let size = max(4096, Int(bytesPerSecond * DiskSpeedCheck.fragment))
    let times: [Double]
    do throws(CamrecError) {
      times = try measure(size)
    } catch {
      return [
        DoctorFinding(
          "disk speed", .failure, error.description,
          remedy: "choose a folder that this user can write to, on a disk with space")
      ]
    }
    let median = times[times.count / 2], worst = times[times.count - 1]
    let rate = Double(size) / median
    let figures = ["medianSeconds": median, "worstSeconds": worst, "bytes": Double(size), "bytesPerSecond": rate]
    let sentence =
      "'\(folder)' stores \(DoctorText.bytes(Double(size))), synced, in \(DoctorText.number(median * 1000)) ms (worst "
      + "of \(times.count): \(DoctorText.number(worst * 1000)) ms), \(DoctorText.bytes(rate))/s; the films need "
      + "\(DoctorText.bytes(bytesPerSecond))/s"
    if median > DiskSpeedCheck.fragment {
      return [
        DoctorFinding(
          "disk speed", .failure, sentence,
          remedy: "record to a faster disk, or with a lower \(setting: .bitrate) or a higher \(setting: .quality)",
          figures: figures)
      ]
    }
    if worst > DiskSpeedCheck.worstAllowed || median > DiskSpeedCheck.fragment / 2 {
      return [
        DoctorFinding(
          "disk speed", .warning, sentence,
          remedy: "give the films a disk of their own; memory cards and USB sticks pause, a solid-state disk does not",
          figures: figures)
      ]
    }
    return [DoctorFinding("disk speed", .ok, sentence, figures: figures)]
  }

  /// The seconds that each piece took, in ascending order.
  private func measure(_ size: Int) throws(CamrecError) -> [Double] {
    let path = "\(folder)/.camrec-doctor-\(UUID().uuidString)"
    do throws(SystemCallError) {
      let file = try OpenFile.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o640)
      defer { close(file) }
      // The kernel deletes it even if this process dies.
      try? SystemCall.unlink(path)
      // Random, so that the disk cannot compress it.
      var random = SystemRandomNumberGenerator()
      let words = (0..<(size + 7) / 8).flatMap { _ -> [UInt8] in
        let word = random.next()
        return (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) }
      }
      let piece = Array(words.prefix(size))
      var times: [Double] = []
      let begin = now()
      while times.count < DiskSpeedCheck.pieces,
        times.isEmpty || Double(now() - begin) * 1e-9 < DiskSpeedCheck.patience
      {
        let start = now()
        try OpenFile.append(piece, to: file)
        try SystemCall.perform("fdatasync") { fdatasync(file) }
        times.append(Double(now() - start) * 1e-9)
      }
      return times.sorted()
    } catch {
      throw CamrecError(.output, "cannot write a file in '\(folder)'", cause: error.words)
    }
  }
}
