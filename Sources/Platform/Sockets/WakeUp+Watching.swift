import Glibc

extension WakeUp {
  /// Waits until somebody rings, something changes in a folder, or a process ends.
  ///
  /// - Parameter milliseconds: how long to wait at most; below 0 for ever.
  public func wait(orChangeIn folders: FolderWatch?, orEndOf processes: [ProcessWatch], milliseconds: Int32) {
    let descriptors = [descriptor] + [folders?.descriptor].compactMap(\.self) + processes.map(\.descriptor)
    var asked = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    do throws(SocketCall.Failure) {
      try SocketCall.perform("poll") { poll(&asked, nfds_t(asked.count), milliseconds) }
    } catch {
      // Out of memory, which may pass soon.
      WorkThread.sleep(.milliseconds(100))
    }
  }
}
