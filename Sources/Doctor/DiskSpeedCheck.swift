import Foundation
public import Frames

/// Whether the disk takes the film in time: pieces as a recording writes them, each with fdatasync(2), as a recording
/// does.
public struct DiskSpeedCheck: DoctorCheck {
  /// Seconds of film in a piece: a recording's fragments.
  static let fragment = 0.25
  /// Pieces: enough for a worst one, and for slow cards to show what they do when their cache is full.
  static let pieces = 40
  /// The bound on what a crash may cost leaves so much for the disk.
  static let worstAllowed = 0.5
  /// Nobody waits longer for a disk that is this slow.
  static let patience = 20.0

  private let folder: String
  private let bytesPerSecond: Double
  private let now: () -> MonotonicTime

  /// - Parameters:
  ///   - folder: where a file is written and deleted again.
  ///   - bytesPerSecond: of all films that go there.
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
          remedy: "choose a folder that this user may write, on a disk with space")
      ]
    }
    let median = times[times.count / 2], worst = times[times.count - 1]
    let rate = Double(size) / median
    let figures = ["medianSeconds": median, "worstSeconds": worst, "bytes": Double(size), "bytesPerSecond": rate]
    let sentence =
      "'\(folder)' takes \(DoctorText.bytes(Double(size))), synced, in \(DoctorText.number(median * 1000)) ms (worst of "
      + "\(times.count): \(DoctorText.number(worst * 1000)) ms), \(DoctorText.bytes(rate))/s; the films want \(DoctorText.bytes(bytesPerSecond))/s"
    if median > DiskSpeedCheck.fragment {
      return [
        DoctorFinding(
          "disk speed", .failure, sentence, remedy: "record to a faster disk, or with a lower --bitrate or --quality",
          figures: figures)
      ]
    }
    if worst > DiskSpeedCheck.worstAllowed || median > DiskSpeedCheck.fragment / 2 {
      return [
        DoctorFinding(
          "disk speed", .warning, sentence,
          remedy: "use a disk of its own for the films; memory cards and USB sticks pause, a solid-state disk does not",
          figures: figures)
      ]
    }
    return [DoctorFinding("disk speed", .ok, sentence, figures: figures)]
  }

  /// Seconds of each piece, sorted.
  private func measure(_ size: Int) throws(CamrecError) -> [Double] {
    let path = "\(folder)/.camrec-doctor-\(UUID().uuidString)"
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o640)
    guard descriptor >= 0 else { throw refusal() }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    // The kernel deletes it, whatever becomes of this process.
    unsafe unlink(path)
    // What a disk cannot compress away.
    var random = SystemRandomNumberGenerator()
    let piece = Data((0..<(size + 7) / 8).flatMap { _ in
      let word = random.next()
      return (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) }
    }.prefix(size))
    var times: [Double] = []
    let begin = now()
    while times.count < DiskSpeedCheck.pieces, times.isEmpty || Double(now() - begin) * 1e-9 < DiskSpeedCheck.patience {
      let start = now()
      do {
        try file.write(contentsOf: piece)
      } catch {
        throw refusal()
      }
      guard fdatasync(descriptor) == 0 else { throw refusal() }
      times.append(Double(now() - start) * 1e-9)
    }
    return times.sorted()
  }

  private func refusal() -> CamrecError {
    CamrecError(.output, "'\(folder)' takes no file", cause: SystemError.words(for: errno))
  }
}
