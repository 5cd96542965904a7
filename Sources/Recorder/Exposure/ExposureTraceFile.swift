import Dispatch
import Exposure
import Foundation
public import Frames
import Movies
import Platform
import Synchronization

/// Writes a controller's events and decisions to a file, for `camrec exposure replay`.
///
/// A trace never stops a recording: if its name is taken it gets the next number, and if it cannot be written, it ends
/// there, with a warning.
///
/// Thread: any; nobody waits for a slow disk.
public final class ExposureTraceFile: Sendable {
  private struct State {
    var handle: FileHandle?
    /// Nothing is written any more.
    var hasFailed = false
    var sentences: [String] = []
    /// Pieces of text that wait for the disk.
    var waiting = 0
  }

  private let path: String
  private let overwrite: Bool
  /// The name that the start has announced.
  private let expected: String
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "camrec-trace")

  /// How many seconds `close` waits for a disk at most.
  private static let farewell = 2.0
  /// How many frames' lines may wait for a disk that does not answer: several minutes of them.
  private static let mostWaiting = 10_000
  /// How many names to try.
  private static let attempts = 10_000
  /// Extensions of films and the files beside them.
  private static let otherKinds: Set<String> = Set(Container.allCases.map(\.rawValue)).union(["camrec", "keep"])

  /// A sentence for people if the trace gets another name.
  public let remark: String?

  /// The file is made when the first line is written.
  ///
  /// - Parameters:
  ///   - path: the file's path. If it is taken, the first free one of `take-2.trace`, `take-3.trace`, …
  ///   - overwrite: whether to replace an existing trace.
  /// - Throws: code `output` if there can be no trace: its folder is not writable, or its name is that of a film.
  public init(path: String, overwrite: Bool) throws(CamrecError) {
    let place = PathText(path)
    guard !ExposureTraceFile.otherKinds.contains(place.kind.lowercased()) else {
      throw CamrecError(
        .output, about: .exposureTrace,
        "'\(path)' has an extension that films use, but a trace is text; choose another name for "
          + "\(setting: .exposureTrace)")
    }
    let folder = PathText(place.absolute).folder
    do throws(SystemCallError) {
      try SystemCall.perform("access") { unsafe access(folder.isEmpty ? "/" : folder, W_OK | X_OK) }
    } catch {
      throw CamrecError(
        .output, about: .exposureTrace,
        "cannot write '\(path)'; choose another path for \(setting: .exposureTrace)", cause: error.words)
    }
    self.path = path
    self.overwrite = overwrite
    expected = ExposureTraceFile.name(path) { ExposureTraceFile.isFree($0, overwrite: overwrite) } ?? path
    remark = expected == path ? nil : ExposureTraceFile.renamed(path, expected)
  }

  /// Sentences for people since the last call.
  func takeSentences() -> [String] {
    state.withLock { state in
      defer { state.sentences = [] }
      return state.sentences
    }
  }

  func write(_ event: ExposureEvent, _ decision: ExposureDecision) {
    let isTaken = state.withLock { state in
      guard !state.hasFailed else { return false }
      guard state.waiting < ExposureTraceFile.mostWaiting else {
        state.hasFailed = true
        state.sentences.append(
          "the disk of the exposure trace '\(path)' does not answer; the trace ends early, or is missing")
        return false
      }
      state.waiting += 1
      return true
    }
    guard isTaken else { return }
    let text = ExposureTrace.line(event) + "\n" + ExposureTrace.line(decision) + "\n"
    queue.async { [self] in
      put(text)
      state.withLock { $0.waiting -= 1 }
    }
  }

  /// Waits until everything is written, but not for a disk that hangs.
  func close() {
    let isClosed = MonotonicSemaphore()
    queue.async { [self] in
      state.withLock { try? $0.handle?.close() }
      isClosed.signal()
    }
    isClosed.wait(within: ExposureTraceFile.farewell)
  }

  private func put(_ text: String) {
    guard !state.withLock({ $0.hasFailed }) else { return }
    do {
      var text = text
      let handle: FileHandle
      if let open = state.withLock({ $0.handle }) {
        handle = open
      } else {
        handle = try begin()
        text = ExposureTrace.heading + "\n" + text
      }
      try handle.write(contentsOf: Data(text.utf8))
    } catch {
      let reason = (error as? CamrecError)?.cause ?? error.localizedDescription
      state.withLock {
        $0.hasFailed = true
        let rest = $0.handle == nil ? "there is none" : "it ends early"
        $0.sentences.append("cannot write the exposure trace '\(path)' (\(reason)); \(rest)")
      }
    }
  }

  private func begin() throws(CamrecError) -> FileHandle {
    // The expected name may have been taken since.
    var opened: Int32?, refusal: SystemCallError?
    let name = ExposureTraceFile.name(path) { name in
      do throws(SystemCallError) {
        opened = try ExposureTraceFile.open(name, overwrite: overwrite)
      } catch {
        refusal = error
        return error.number != EEXIST
      }
      return true
    }
    guard let name, let file = opened else {
      throw CamrecError(.output, "cannot create '\(path)'", cause: refusal?.words)
    }
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    state.withLock { state in
      state.handle = handle
      if name != expected { state.sentences.append(ExposureTraceFile.renamed(path, name)) }
    }
    return handle
  }

  // MARK: Names

  private static func renamed(_ path: String, _ name: String) -> String {
    "'\(path)' already exists; the exposure trace is '\(name)'"
  }

  /// `path`, or the first numbered name that is accepted.
  private static func name(_ path: String, _ accepts: (String) -> Bool) -> String? {
    if accepts(path) { return path }
    return (2...attempts).lazy.map { FilmNames.numbered(path, $0) }.first(where: accepts)
  }

  private static func isFree(_ path: String, overwrite: Bool) -> Bool {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return true }
    return isReplaceable(path, overwrite: overwrite)
  }

  /// Whether a path is another trace that may be replaced, or a device such as `/dev/null`.
  private static func isReplaceable(_ path: String, overwrite: Bool) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return false }
    if status.st_mode & S_IFMT == S_IFCHR { return true }
    let place = AtomicFile(path: path, mark: .init(name: "trace", text: ExposureTrace.heading))
    return overwrite && place.isFreeToTake
  }

  /// - Throws: `EEXIST` if the name is taken.
  private static func open(_ path: String, overwrite: Bool) throws(SystemCallError) -> Int32 {
    do throws(SystemCallError) {
      // Readable by the group, and by nobody else.
      return try OpenFile.open(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o640)
    } catch {
      guard error.number == EEXIST, isReplaceable(path, overwrite: overwrite) else { throw error }
    }
    let file = try OpenFile.open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY)
    _ = ftruncate(file, 0)
    return file
  }
}
