public import Frames
import Platform
import RecorderAPI
import Synchronization

/// The recorders of this machine, by their state files and sockets.
///
/// It looks through their folders once, when it is first asked. From then on the kernel reports what changes there, and
/// which of the processes end: every answer is up to date, and costs no look through the folders. Share one.
///
/// Thread: any.
public final class RecorderDirectory: Sendable {
  private struct Bells {
    var all: [Int: WakeUp] = [:]
    var given = 0
  }

  private let content: Mutex<DirectoryContent>
  private let bells = Mutex(Bells())

  /// Does not look into a folder yet.
  public init(_ place: ControlPlace = ControlPlace()) { content = Mutex(DirectoryContent(place)) }

  /// The recorders that run now, by name: those whose state file this user can read, and those with only a socket.
  public var running: [LocalRecorder] { look().running }

  /// The recorders whose state files this user can read, those that have ended among them: running ones first, by name,
  /// then the others, the latest report first.
  public var recorders: [KnownRecorder] { look().recorders }

  /// The names of some of them, each once.
  public func names(of wanted: (KnownRecorder) -> Bool) -> [String] {
    recorders.filter(wanted).map(\.record.name).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Those with that name.
  public func named(_ name: String) -> [KnownRecorder] { recorders.filter { $0.record.name == name } }

  /// Whether one of them runs and says that it is recording the file at `path`. Files are compared, not paths.
  public func isRecording(_ path: String) -> Bool { recorders.contains { $0.record.isRecording(path) } }

  /// Arrivals and departures from now on, after the recorders that run already.
  ///
  /// - Throws: code `device` if the process has no descriptors left.
  public func changes() throws(CamrecError) -> RecorderChanges {
    guard let bell = WakeUp() else { throw CamrecError(.device, "too many files are open to watch for recorders") }
    let number = bells.withLock { bells in
      bells.given += 1
      bells.all[bells.given] = bell
      return bells.given
    }
    return RecorderChanges(self, bell, number: number)
  }

  func removeBell(_ number: Int) { bells.withLock { $0.all[number] = nil } }

  /// The content now. Wakes those who wait for changes if there were any.
  func look() -> DirectoryContent.Look {
    let (look, isNew) = content.withLock { content in
      let isNew = content.update()
      return (content.look(), isNew)
    }
    if isNew { bells.withLock { Array($0.all.values) }.forEach { $0.ring() } }
    return look
  }

  // MARK: Connections

  /// Connects to the only running recorder.
  ///
  /// - Throws: code `device` if there is none or it does not answer, code `usage` if there are several: the sentence
  ///   names them with their films.
  public func connect() throws(CamrecError) -> ControlClient {
    let (running, refusal) = clients(of: look().sockets)
    if running.count == 1 { return running[0] }
    guard !running.isEmpty else {
      throw refusal
        ?? CamrecError(
          .device, about: .socket,
          "found no running recorder with a control socket; start camrec, or name the socket with \(setting: .socket)")
    }
    var list: [String] = []
    for client in running {
      list.append("\(client.path) (\(try client.perform(ControlRequest(.state)).film ?? "no film"))")
    }
    throw CamrecError(
      .usage, about: nil,
      "\(running.count) recorders are running; choose one with \(setting: .name) NAME or \(setting: .socket) PATH: "
        + "\(list.joined(separator: ", "))")
  }

  /// Connects to the recorder of a name: a rig's camera, or `camrec record --name`.
  ///
  /// - Throws: code `device` if none runs, or it does not answer; code `usage` if several run.
  public func connect(to name: String) throws(CamrecError) -> ControlClient {
    let look = look(), alive = look.recorders.filter(\.isAlive)
    let ofState = alive.filter { $0.record.name == name }.compactMap(\.record.socket)
    // A recorder may have a socket and no state file.
    var paths = look.sockets.filter { PathText($0).stem == name }
    for path in ofState where !paths.contains(where: { PathText($0).resolved == PathText(path).resolved }) {
      paths.append(path)
    }
    var (running, refusal) = clients(of: paths)
    if running.isEmpty, refusal == nil { (running, refusal) = clients(of: sockets(of: name, in: look)) }
    if running.count == 1 { return running[0] }
    guard running.isEmpty else {
      let list = running.map { "\($0.path) (process \($0.pid))" }.joined(separator: ", ")
      throw CamrecError(
        .usage, about: .socket,
        "\(running.count) running recorders are called '\(name)'; choose one with \(setting: .socket): \(list)")
    }
    if let refusal { throw refusal }
    guard !alive.contains(where: { $0.record.name == name }) else {
      throw CamrecError(.device, "no running recorder called '\(name)' has a control socket")
    }
    let others = Set(alive.map(\.record.name)).sorted().joined(separator: ", ")
    // Of sockets without a state file nobody knows whose they are.
    let none = look.sockets.isEmpty ? "; none is running" : ""
    throw CamrecError(
      .device, "no running recorder is called '\(name)'" + (others.isEmpty ? none : "; running: \(others)"))
  }

  /// The sockets of recorders that say that this is their name, and whose state files are not in these folders.
  private func sockets(of name: String, in look: DirectoryContent.Look) -> [String] {
    let known = Set(look.recorders.filter(\.isAlive).compactMap(\.record.socket).map { PathText($0).resolved })
    return look.sockets.filter { !known.contains(PathText($0).resolved) && ControlClient.name(at: $0) == name }
  }

  /// Connects to those that answer.
  private func clients(of sockets: [String]) -> (running: [ControlClient], refusal: CamrecError?) {
    var running: [ControlClient] = [], refusal: CamrecError?
    for path in sockets {
      do throws(CamrecError) {
        if let client = try ControlClient.ifRunning(path: path) { running.append(client) }
      } catch { refusal = error }
    }
    return (running, refusal)
  }
}
