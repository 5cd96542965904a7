import ControlCodec
import Dispatch
import Foundation
public import Frames
import Platform
public import Recorder
import Synchronization

/// Lets other programs watch and control a recorder over a Unix socket.
///
/// Runs on its own threads, apart from the pipeline: one accepts remotes, one looks at the recorder for those that
/// watch, and each remote has another.
///
/// Thread: any.
public final class ControlServer: SocketServer {
  /// Remotes at a time: a person at a terminal, a few on the network, some scripts. One place is kept for the owner.
  public static let places = 16
  /// How many seconds `close` waits for answers under way.
  private static let farewell = 2.0

  private struct State {
    var remotes = RemoteTable(places: ControlServer.places)
    var isClosed = false
  }

  public var path: String { listener.path }

  private let listener: ListeningSocket
  private let control: any RecorderControl
  private let feed: StateFeed
  private let camrec: String
  private let name: String?
  private let monitor: @Sendable () -> String?
  private let state = Mutex(State())
  private let conversations = DispatchGroup()

  /// Makes the socket, mode 0660, and its folder if that is missing, mode 0750.
  ///
  /// - Parameters:
  ///   - camrec: the program's version.
  ///   - name: the recorder's.
  ///   - monitor: the absolute path of its monitor socket; `nil` while there is none. Called for each remote.
  /// - Throws: code `usage` for a path that is too long, code `output` if the socket cannot be made or belongs to
  ///   another recorder.
  public static func open(
    path: String, control: any RecorderControl, camrec: String, name: String? = nil,
    monitor: @escaping @Sendable () -> String? = { nil }
  ) throws(CamrecError) -> ControlServer {
    let listener = try ListeningSocket(at: SocketAddress(path), as: .control)
    let server = ControlServer(listener, control, camrec, name, monitor)
    _ = WorkThread(name: "camrec-control") { server.takeUp() }
    _ = WorkThread(name: "camrec-news") { [feed = server.feed] in feed.run() }
    return server
  }

  private init(
    _ listener: ListeningSocket, _ control: any RecorderControl, _ camrec: String, _ name: String?,
    _ monitor: @escaping @Sendable () -> String?
  ) {
    self.listener = listener
    self.control = control
    feed = StateFeed(of: control)
    self.camrec = camrec
    self.name = name
    self.monitor = monitor
    conversations.enter()
  }

  /// Removes the socket's file without waiting, right before `_exit`.
  public func removeFile() { listener.removeFile() }

  /// Removes the socket. Answers earlier requests, for at most two seconds, and sends watchers the last state. Calling
  /// it twice has no further effect.
  public func close() {
    let isFirst = state.withLock { state in
      guard !state.isClosed else { return false }
      state.isClosed = true
      listener.removeFile()
      // The thread that accepts remotes wakes and closes the socket.
      listener.shutDown()
      state.remotes.descriptors.forEach { SocketCall.shutDownReading($0) }
      return true
    }
    guard isFirst else { return }
    feed.close()
    guard conversations.wait(timeout: .now() + ControlServer.farewell) == .timedOut else { return }
    state.withLock { $0.remotes.descriptors.forEach { SocketCall.shutDown($0) } }
  }

  private func takeUp() {
    defer {
      listener.close()
      conversations.leave()
    }
    while true {
      do {
        welcome(try listener.accept())
      } catch {
        if state.withLock({ $0.isClosed }) { return }
        // Usually out of descriptors, which may pass soon.
        WorkThread.sleep(.milliseconds(100))
      }
    }
  }

  private func welcome(_ remote: Int32) {
    let side: RemoteTable.Side = PeerUser.isOwner(remote) ? .owner : .other
    guard let bell = WakeUp() else {
      SocketCall.close(remote)
      // The process is out of descriptors, which may pass soon.
      WorkThread.sleep(.milliseconds(100))
      return
    }
    let admission: RemoteTable.Admission? = state.withLock { state in
      if state.isClosed { return nil }
      let admission = state.remotes.admit(remote, side, at: .now())
      if admission != .refused { conversations.enter() }
      // The victim reads nothing more, says goodbye and closes its descriptor itself.
      if case .evicting(let victim) = admission { SocketCall.shutDownReading(victim) }
      return admission
    }
    switch admission {
    case nil:
      SocketCall.close(remote)
    case .refused:
      refuse(remote, ControlServer.full)
      SocketCall.close(remote)
    case .free, .evicting:
      _ = WorkThread(name: "camrec-remote") { [self] in converse(with: remote, bell) }
    }
  }

  private func converse(with remote: Int32, _ bell: WakeUp) {
    let pid = ProcessInfo.processInfo.processIdentifier
    let greeting = ControlMessage.greeting(camrec: camrec, pid: pid)
    // For those that say hello.
    var introduction = greeting
    (introduction.name, introduction.monitor) = (name, monitor())
    let conversation = ControlConversation(with: control, feed: feed, greeting: introduction) { bell.ring() }
    var connection = ControlConnection(remote, bell, conversation) { [self] note in
      state.withLock { $0.remotes.note(remote, note, at: .now()) }
    }
    connection.run(greeting: greeting.line)
    if let eviction = state.withLock({ $0.remotes.eviction(of: remote) }) {
      refuse(remote, ControlServer.sentence(for: eviction))
    }
    state.withLock {
      $0.remotes.remove(remote)
      // Under the lock, so that nobody shuts down the number after it has been reused.
      SocketCall.close(remote)
    }
    conversations.leave()
  }

  private func refuse(_ remote: Int32, _ sentence: String) {
    let line = ControlMessage.refusal(CamrecError(.usage, sentence)).line
    _ = try? SocketCall.send(line[...], to: remote, atOnce: true)
  }

  private static let full = "all \(places) client slots of this recorder are busy; try again"

  private static func sentence(for eviction: RemoteTable.Eviction) -> String {
    let reason =
      switch eviction {
      case .idle: "this client had been idle longest"
      case .watching: "this client had been watching longest"
      }
    return "disconnected to make room: all slots were taken, and \(reason); connect again"
  }
}

extension SocketFile.Purpose {
  fileprivate static let control = SocketFile.Purpose(name: "control socket", setting: .control)
}
