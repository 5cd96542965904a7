import Dispatch
import Exposure
import Foundation
public import Frames
import Synchronization

/// Where a controller's events and decisions are written, for `camrec exposure replay`.
///
/// Thread: any; a disk that is slow keeps nobody waiting.
public final class ExposureTraceFile: Sendable {
  private let path: String
  private let handle = Mutex<FileHandle?>(nil)
  private let queue = DispatchQueue(label: "camrec-trace")

  /// What `close` waits for a disk, at most.
  private static let farewell = DispatchTimeInterval.seconds(2)

  /// The file is made when the first line is written.
  ///
  /// - Throws: code `output` where it exists and may not be replaced, is no trace, or lies where nothing can be written.
  public init(path: String, overwrite: Bool) throws(CamrecError) {
    if FileManager.default.fileExists(atPath: path), !overwrite {
      throw CamrecError(
        .output, "'\(path)' exists already; choose another --exposure-trace or allow replacing it with --overwrite")
    }
    try ExposureTraceFile.place(path).check()
    let folder = PathText(PathText(path).absolute).folder
    guard FileManager.default.isWritableFile(atPath: folder) else {
      throw CamrecError(.output, "'\(path)' cannot be written; choose another --exposure-trace")
    }
    self.path = path
  }

  /// Only another trace is replaced.
  private static func place(_ path: String) -> AtomicFile {
    AtomicFile(path: path, mark: .init(name: "trace", text: ExposureTrace.heading))
  }

  func write(_ event: ExposureEvent, _ decision: ExposureDecision) {
    let text = ExposureTrace.line(event) + "\n" + ExposureTrace.line(decision) + "\n"
    queue.async { self.put(text) }
  }

  /// Waits until everything is written, but not for a disk that hangs.
  func close() {
    let isClosed = DispatchSemaphore(value: 0)
    queue.async { [self] in
      handle.withLock { try? $0?.close() }
      isClosed.signal()
    }
    _ = isClosed.wait(timeout: .now() + ExposureTraceFile.farewell)
  }

  private func put(_ text: String) {
    handle.withLock { handle in
      var text = text
      if handle == nil {
        // Who belongs to the group may read, and nobody else.
        guard (try? ExposureTraceFile.place(path).check()) != nil else { return }
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o640)
        guard file >= 0 else { return }
        _ = ftruncate(file, 0)
        handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        text = ExposureTrace.heading + "\n" + text
      }
      try? handle?.write(contentsOf: Data(text.utf8))
    }
  }
}
