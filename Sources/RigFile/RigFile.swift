/// A rig file as it was read: names, words and where they stand. What the words mean is not looked at.
public struct RigFile: Hashable, Sendable {
  public struct Value: Hashable, Sendable {
    public let text: String
    public let place: RigPlace
  }

  /// A key and what stands behind it.
  public struct Setting: Hashable, Sendable {
    public let key: String
    public let place: RigPlace
    /// One, or those of a list; none for a flag.
    public let values: [Value]
    /// It stands under `defaults`.
    public let isDefault: Bool

    /// As a command line says it: `--fps=24`.
    public var arguments: [String] { values.isEmpty ? ["--\(key)"] : values.map { "--\(key)=\($0.text)" } }
  }

  public struct Camera: Hashable, Sendable {
    public let name: String
    public let place: RigPlace
    /// Its own, and the defaults that it does not override, in the order of the file.
    public let settings: [Setting]

    public func setting(_ key: String) -> Setting? { settings.first { $0.key == key } }
    public var arguments: [String] { settings.flatMap(\.arguments) }

    /// `cameras.front.fps`; `defaults.fps` for what stands there.
    public func path(of setting: Setting) -> String {
      setting.isDefault ? "defaults.\(setting.key)" : "cameras.\(name).\(setting.key)"
    }
  }

  public let cameras: [Camera]
  /// The rig's own keys, by name.
  public let settings: [String: Value]

  /// The keys of a rig beside `cameras` and `defaults`.
  public enum Key: String, CaseIterable, Sendable {
    /// The folder in which settings that are changed at run time are kept, or `none`.
    case settings
    /// The folder of the cameras' control sockets.
    case sockets
  }

  public func value(_ key: Key) -> Value? { settings[key.rawValue] }
}
