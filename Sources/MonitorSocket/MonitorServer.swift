import ControlCodec
public import ControlSocket
import Foundation
public import Frames
public import Monitor
import Platform
import RecorderAPI
import Synchronization

/// Lets other programs see through a recorder over a Unix socket: pictures, measures and snapshots.
///
/// One thread serves all subscribers. It never waits for one of them, nor for a camera: `PictureStudio` and
/// `SnapshotDesk` work on threads of their own, and ring when something is ready.
///
/// Thread: any.
public final class MonitorServer: SocketServer {
  public var path: String { listener.path }

  private let listener: ListeningSocket
  private let bell: WakeUp
  private let isClosed = Atomic<Bool>(false)
  private let thread = Mutex<WorkThread?>(nil)

  /// Milliseconds after which silent subscribers are looked for.
  private static let tick: Int32 = 500

  /// Makes the socket, mode 0660, and its folder if that is missing, mode 0750.
  ///
  /// - Parameters:
  ///   - group: its number: whose members may look; `nil`: those of the process's own group.
  ///   - camrec: the program's version.
  ///   - name: the recorder's.
  /// - Throws: code `usage` for a path that is too long, code `output` if the socket cannot be made or belongs to
  ///   another recorder.
  public static func open(
    path: String, group: UInt32? = nil, source: any MonitorSource, camrec: String, name: String? = nil
  ) throws(CamrecError) -> MonitorServer {
    let address = try SocketAddress(path)
    guard let bell = WakeUp() else { throw CamrecError(.output, "cannot create a monitor socket") }
    let purpose = SocketFile.Purpose(name: "monitor socket", setting: .monitor, group: group)
    let listener = try ListeningSocket(at: address, as: purpose), pid = ProcessInfo.processInfo.processIdentifier
    return MonitorServer(listener, bell, source, .greeting(camrec: camrec, pid: pid, name: name))
  }

  private init(
    _ listener: ListeningSocket, _ bell: WakeUp, _ source: any MonitorSource, _ greeting: MonitorText
  ) {
    self.listener = listener
    self.bell = bell
    let worker = WorkThread(name: "camrec-monitor") { [self] in serve(source, greeting) }
    thread.withLock { $0 = worker }
  }

  public func removeFile() { listener.removeFile() }

  /// Removes the socket, and lets everybody go: the recorder has ended. Waits for a picture under way.
  public func close() {
    listener.removeFile()
    isClosed.store(true, ordering: .releasing)
    bell.ring()
    thread.withLock { $0.take() }?.join()
  }

  // MARK: The thread

  private func serve(_ source: any MonitorSource, _ greeting: MonitorText) {
    let latest = SeenCamera.Latest()
    let studio = PictureStudio(source, latest) { [bell] in bell.ring() }
    let desk = SnapshotDesk(source, latest) { [bell] in bell.ring() }
    var connections: [MonitorConnection] = []
    defer {
      connections.forEach { $0.close(because: MonitorServer.ended) }
      listener.close()
      studio.close()
      desk.close()
    }
    var rest: Int64 = 0
    while !isClosed.load(ordering: .acquiring) {
      let now = MonotonicTime.now()
      let takesMore = now.nanoseconds >= rest
      var interests = [SocketPoll.Interest(listener.descriptor, reads: takesMore)]
      interests += connections.map(\.interest)
      let patience = connections.isEmpty && takesMore ? -1 : MonitorServer.tick
      let (ready, isWoken) = SocketPoll.wait(for: interests, or: bell, milliseconds: patience)
      if isWoken { bell.clear() }
      for (connection, ready) in zip(connections, ready.dropFirst()) { connection.goOn(ready) }
      connections.removeAll { connection in
        guard connection.isOver else { return false }
        connection.close()
        return true
      }
      guard ready[0].canRead, takesMore else { continue }
      do {
        let socket = try listener.accept()
        if connections.count >= MonitorProtocol.mostSubscribers {
          MonitorConnection.turnAway(socket, MonitorServer.full)
        } else {
          connections.append(MonitorConnection(socket, greeting, studio, desk))
        }
      } catch {
        // Usually out of descriptors, which may pass soon.
        rest = MonotonicTime.now().advanced(by: 100_000_000).nanoseconds
      }
    }
  }

  private static let ended = CamrecError(.usage, "the recorder has ended", reason: .ended)
  private static let full = CamrecError(
    .usage, "\(MonitorProtocol.mostSubscribers) programs look through this recorder already; try again when one has "
      + "ended", reason: .busy)
}
