public import Frames

/// Which recorder a window begins with.
public enum ViewStart {
  /// - Parameters:
  ///   - running: the recorders that run.
  ///   - name: of the one that is wanted; `nil` for any.
  ///   - waits: whether one may come later.
  /// - Returns: the one to connect to at first; `nil` if there are several, or one is waited for.
  /// - Throws: code `device` if there is none.
  public static func recorder(
    among running: [RecorderAddress], name: String?, waits: Bool
  ) throws(CamrecError) -> RecorderAddress? {
    let wanted = running.filter { name == nil || $0.id == name }
    if let first = wanted.first { return wanted.count == 1 ? first : nil }
    if waits { return nil }
    guard let name else {
      throw CamrecError(.device, "found no running recorder; start one with 'camrec record --standby'")
    }
    let others = running.map(\.id).joined(separator: ", ")
    throw CamrecError(
      .device, about: .name,
      "no running recorder is called '\(name)'; \(others.isEmpty ? "none is running" : "running: \(others)")")
  }
}
