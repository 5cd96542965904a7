import Foundation
public import Frames
import Platform
public import RecorderAPI

/// A recorder of this machine whose state file this user can read. Thread: any.
public struct KnownRecorder: Sendable {
  /// Its state file.
  public let path: String
  public let record: StateRecord
  public let health: RecorderHealth

  public init(path: String) throws(CamrecError) {
    self.path = path
    record = try StateFile.read(path: path)
    health = RecorderHealth(record)
  }

  /// Whether its process runs, in good health or not.
  public var isAlive: Bool {
    switch health {
    case .runs, .silent: true
    case .ended, .gone: false
    }
  }

  /// Running recorders first, then the others, the latest report first. Files that cannot be read are left out.
  public static func all() -> [KnownRecorder] {
    let found = ControlPlace().files(suffix: StateFile.suffix).compactMap { try? KnownRecorder(path: $0) }
    return found.sorted { one, other in
      if one.isAlive != other.isAlive { return one.isAlive }
      return one.isAlive ? one.record.name < other.record.name : one.record.time > other.record.time
    }
  }

  /// The names of some of them, each once.
  public static func names(of wanted: (KnownRecorder) -> Bool) -> [String] {
    all().filter(wanted).map(\.record.name).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Those with that name.
  public static func named(_ name: String) -> [KnownRecorder] { all().filter { $0.record.name == name } }

  /// Connects to the recorder of a name: a rig's camera, or `camrec record --name`.
  ///
  /// - Throws: code `device` if none runs, or it does not answer; code `usage` if several run.
  public static func connect(to name: String) throws(CamrecError) -> ControlClient {
    let all = all().filter(\.isAlive)
    let ofState = all.filter { $0.record.name == name }.compactMap(\.record.socket)
    // A recorder may have a socket and no state file.
    var paths = ControlPlace().sockets(named: name)
    for path in ofState where !paths.contains(where: { PathText($0).resolved == PathText(path).resolved }) {
      paths.append(path)
    }
    var running: [ControlClient] = [], refusal: CamrecError?
    for path in paths {
      do throws(CamrecError) {
        if let client = try ControlClient.ifRunning(path: path) { running.append(client) }
      } catch { refusal = error }
    }
    if running.count == 1 { return running[0] }
    guard running.isEmpty else {
      let list = running.map { "\($0.path) (process \($0.pid))" }.joined(separator: ", ")
      throw CamrecError(
        .usage, "\(running.count) running recorders are called '\(name)'; choose one with --socket: \(list)")
    }
    if let refusal { throw refusal }
    let others = Set(all.map(\.record.name)).sorted().joined(separator: ", ")
    throw CamrecError(
      .device, "no running recorder called '\(name)' has a control socket"
        + (others.isEmpty ? "" : "; running: \(others)"))
  }
}
