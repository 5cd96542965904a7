public import Frames
public import RecorderAPI

/// A recorder of this machine whose state file this user can read. Thread: any.
public struct KnownRecorder: Hashable, Sendable {
  /// Its state file.
  public let path: String
  public let record: StateRecord
  public let health: RecorderHealth

  /// Reads a state file, wherever it is; `RecorderDirectory` has those in the default folders.
  ///
  /// - Throws: code `device` if there is no such file, code `input` if it is not a state file.
  public init(path: String) throws(CamrecError) {
    self.path = path
    record = try StateFile.read(path: path)
    health = RecorderHealth(record)
  }

  init(path: String, record: StateRecord, health: RecorderHealth) {
    self.path = path
    self.record = record
    self.health = health
  }

  /// Whether its process runs, in good health or not.
  public var isAlive: Bool {
    switch health {
    case .runs, .silent: true
    case .ended, .gone: false
    }
  }
}
