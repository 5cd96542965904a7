import Frames
import Recorder
import Synchronization
import Telemetry

/// Keeps a recorder's state file.
final class StateWriting: RecorderWatch.Listener {
  private let file: StateFile
  private let isTemporary: Bool
  private let name: String
  private let failedStarts: Int
  private let socket: String?
  private let writer = StateWriter.own()
  /// Whether the file belongs to this recorder.
  private let isOwn = Atomic<Bool>(false)

  /// - Parameters:
  ///   - isTemporary: nobody asked for the file, so it is removed when the recorder ends.
  ///   - failedStarts: failed starts in a row, right before this one.
  init(_ file: StateFile, isTemporary: Bool, name: String, failedStarts: Int, socket: String?) {
    self.file = file
    self.isTemporary = isTemporary
    self.name = name
    self.failedStarts = failedStarts
    self.socket = socket.map { PathText($0).absolute }
  }

  var title: String { "the state file '\(file.path)'" }

  func tell(_ state: RecorderState) throws(CamrecError) {
    try claim()
    let failedStarts = state.failedStarts(after: failedStarts)
    try file.write(
      StateRecord(
        camrec: Camrec.version, name: name, writer: writer, state: state,
        failedStarts: failedStarts > 0 ? failedStarts : nil, socket: socket))
  }

  func end(_ state: RecorderState) throws(CamrecError) {
    if !isTemporary { return try tell(state) }
    if isOwn.load(ordering: .relaxed) { file.remove() }
  }

  /// - Throws: code `output` if another running recorder keeps its state there.
  private func claim() throws(CamrecError) {
    if isOwn.load(ordering: .relaxed) { return }
    if let other = try? StateFile.read(path: file.path).writer, other != writer, other.isAlive {
      throw CamrecError(
        .output,
        "'\(file.path)' is the state file of a running recorder (process \(other.pid));"
          + " choose another --name or --state")
    }
    isOwn.store(true, ordering: .relaxed)
  }
}
