package import Frames
import Platform
import Recorder
package import RecorderAPI
package import RecorderRemote
import Reporting
import Telemetry

/// Keeps a recorder's state file.
package final class StateWriting: RecorderWatch.Listener {
  private let file: StateFile
  private let isTemporary: Bool
  private let name: String
  private let failedStarts: Int
  private let socket: String?
  private let monitor: String?
  private let ownership: FileOwnership

  /// - Parameters:
  ///   - isTemporary: nobody asked for the file, so it is removed when the recorder ends.
  ///   - failedStarts: failed starts in a row, right before this one.
  ///   - socket: the path of the control socket; `nil` for none.
  ///   - monitor: that of the monitor socket.
  package init(
    _ file: StateFile, isTemporary: Bool, name: String, failedStarts: Int, socket: String?, monitor: String? = nil
  ) {
    self.file = file
    let remedy: Sentence = "choose another \(setting: .name) or \(setting: .state)"
    ownership = FileOwnership(file.path, kind: "state file", remedy: remedy) {
      try? StateFile.read(path: file.path).writer
    }
    self.isTemporary = isTemporary
    self.name = name
    self.failedStarts = failedStarts
    self.socket = socket.map { PathText($0).absolute }
    self.monitor = monitor.map { PathText($0).absolute }
  }

  package var title: String { "the state file '\(file.path)'" }

  package func tell(_ state: RecorderState) throws(CamrecError) {
    let failedStarts = state.failedStarts(after: failedStarts)
    let record = StateRecord(
      camrec: Product.version, name: name, writer: ownership.writer, state: state,
      failedStarts: failedStarts > 0 ? failedStarts : nil, socket: socket, monitor: monitor)
    try ownership.write { () throws(CamrecError) in try file.write(record) }
  }

  package func end(_ state: RecorderState) throws(CamrecError) {
    if !isTemporary { return try tell(state) }
    if ownership.isOwn { file.remove() }
  }
}
