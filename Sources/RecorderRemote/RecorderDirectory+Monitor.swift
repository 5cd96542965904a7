public import Frames

extension RecorderDirectory {
  /// Connects to the monitor of the only running recorder, or of the one with that name. That needs no right to control
  /// it.
  ///
  /// - Throws: code `device` if there is none or it does not answer, code `usage` if there are several, or if it has no
  ///   monitor.
  public func monitor(of name: String? = nil) throws(CamrecError) -> MonitorClient {
    let named = running.filter { name == nil || $0.name == name }
    // A state file says whether there is a monitor.
    let looking = named.filter { $0.monitor != nil || $0.stateFile == nil }
    guard !looking.isEmpty || named.count < 2 else {
      throw CamrecError(
        .usage, about: .name, "none of \(named.count) recorders has a monitor socket; restart one with it")
    }
    let wanted = looking.isEmpty ? named : looking
    guard let recorder = wanted.first else {
      // One that keeps no state file may say its name over its socket.
      if let name { return try MonitorClient(of: try connect(to: name)) }
      throw CamrecError(
        .device, about: .camera,
        "found no running recorder; start one, or look at a camera itself with \(setting: .camera)")
    }
    guard wanted.count == 1 else {
      let names = Set(wanted.map(\.name)).count, isEachNamed = names == wanted.count
      let list = wanted.map { isEachNamed ? "\($0)" : RecorderDirectory.place(of: $0) }.joined(separator: ", ")
      let path: Sentence =
        wanted.allSatisfy { $0.monitor != nil }
        ? "\(setting: .monitor) PATH" : "\(setting: .monitor) PATH or \(setting: .socket) PATH"
      let choice: Sentence =
        isEachNamed ? "\(setting: .name) NAME"
        : names > 1 ? "\(setting: .name) NAME or \(sentence: path)" : path
      let isOfMonitors = wanted.count < named.count && wanted.allSatisfy { $0.monitor != nil }
      let what = isOfMonitors ? "recorders with a monitor socket" : "recorders"
      throw CamrecError(
        .usage, about: .name, "\(wanted.count) \(what) are running: \(list); choose one with \(sentence: choice)")
    }
    if let path = recorder.monitor { return try MonitorClient(path: path) }
    guard let socket = recorder.socket else {
      throw CamrecError(.usage, "the recorder \(recorder) has no monitor socket; restart it with one")
    }
    return try MonitorClient(of: try ControlClient(path: socket))
  }

  /// `sim (process 4711) at /run/camrec/4711.monitor`; without a state file only the control socket is known.
  private static func place(of recorder: LocalRecorder) -> String {
    "\(recorder)" + ((recorder.monitor ?? recorder.socket).map { " at \($0)" } ?? "")
  }
}
