import Frames
import Recorder
import Telemetry

/// Keeps a recorder's state file.
final class StateWriting: RecorderWatch.Listener {
  private let file: StateFile
  private let isTemporary: Bool
  private let name: String
  private let writer = StateWriter.own()

  /// - Parameter isTemporary: nobody asked for the file: it goes when the recorder ends.
  init(_ file: StateFile, isTemporary: Bool, name: String) {
    self.file = file
    self.isTemporary = isTemporary
    self.name = name
  }

  func tell(_ state: RecorderState) throws(CamrecError) {
    try file.write(StateRecord(camrec: Camrec.version, name: name, writer: writer, state: state))
  }

  func end(_ state: RecorderState) throws(CamrecError) {
    if isTemporary { file.remove() } else { try tell(state) }
  }
}
