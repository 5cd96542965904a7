import Foundation
import Frames

/// Whether there is enough memory for the recordings: a machine that swaps does not write in time.
public struct MemoryCheck: DoctorCheck {
  private let needed: Double
  private let files: SystemFiles

  /// - Parameter needed: bytes that the recordings need together.
  public init(needed: Double, files: SystemFiles = SystemFiles()) {
    self.needed = needed
    self.files = files
  }

  public func findings() -> [DoctorFinding] {
    // proc_meminfo(5): in KiB.
    let line = files.text(files.proc + "/meminfo")?.split(separator: "\n").first { $0.hasPrefix("MemAvailable:") }
    guard let kibibytes = line?.split(separator: " ").dropFirst().first.flatMap({ Double($0) }) else {
      return [
        DoctorFinding(
          "memory", .warning, "the kernel does not say how much memory is free", remedy: "run: free -h")
      ]
    }
    let free = kibibytes * 1024, figures = ["freeBytes": free, "neededBytes": needed]
    let sentence = "\(DoctorText.bytes(free)) of memory is free; recording needs about \(DoctorText.bytes(needed))"
    let remedy: Sentence = "close other programs, or record at a smaller \(setting: .size)"
    if free < needed { return [DoctorFinding("memory", .failure, sentence, remedy: remedy, figures: figures)] }
    if free < 2 * needed { return [DoctorFinding("memory", .warning, sentence, remedy: remedy, figures: figures)] }
    return [DoctorFinding("memory", .ok, sentence, figures: figures)]
  }
}
