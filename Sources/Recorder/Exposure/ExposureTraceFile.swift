import Dispatch
import Exposure
import Foundation
public import Frames

/// Where a controller's events and decisions are written, for `camrec exposure replay`.
///
/// Thread: any; a disk that is slow keeps nobody waiting.
public final class ExposureTraceFile: Sendable {
  private let handle: FileHandle
  private let queue = DispatchQueue(label: "camrec-trace")

  /// Makes the file; what was there is gone.
  ///
  /// - Throws: code `output` where it cannot be written.
  public init(path: String) throws(CamrecError) {
    guard FileManager.default.createFile(atPath: path, contents: nil), let handle = FileHandle(forWritingAtPath: path)
    else {
      throw CamrecError(.output, "'\(path)' cannot be written; choose another --exposure-trace")
    }
    self.handle = handle
    put(ExposureTrace.heading + "\n")
  }

  func write(_ event: ExposureEvent, _ decision: ExposureDecision) {
    put(ExposureTrace.line(event) + "\n" + ExposureTrace.line(decision) + "\n")
  }

  /// Waits until everything is written.
  func close() {
    queue.sync {}
    try? handle.close()
  }

  private func put(_ text: String) {
    let handle = handle
    queue.async { try? handle.write(contentsOf: Data(text.utf8)) }
  }
}
