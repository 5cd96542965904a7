/// A rig file or a suite as read: sections, settings and their places. The values are not interpreted.
public struct SectionFile: Hashable, Sendable {
  public struct Value: Hashable, Sendable {
    public let text: String
    public let place: FilePlace
  }

  /// A key and its values.
  public struct Setting: Hashable, Sendable {
    public let key: String
    public let place: FilePlace
    /// One, or those of a list; none for a flag.
    public let values: [Value]
    /// Whether it is under `defaults`.
    public let isDefault: Bool

    /// The command line's arguments: `--fps=24`.
    public var arguments: [String] { values.isEmpty ? ["--\(key)"] : values.map { "--\(key)=\($0.text)" } }
  }

  public struct Section: Hashable, Sendable {
    /// The key that it is under: `cameras`.
    let kind: String
    public let name: String
    public let place: FilePlace
    /// Its own, and the defaults that it does not override, in the order of the file.
    public let settings: [Setting]
    /// Keys whose value was refused: not among the settings, but not missing either.
    public let refused: Set<String>

    public func setting(_ key: String) -> Setting? { settings.first { $0.key == key } }
    public var arguments: [String] { settings.flatMap(\.arguments) }

    /// The same without some of its settings, by their paths.
    public func without(_ paths: Set<String>) -> Section {
      Section(
        kind: kind, name: name, place: place, settings: settings.filter { !paths.contains(path(of: $0)) },
        refused: refused)
    }

    /// `cameras.front`.
    public var path: String { "\(kind).\(name)" }

    /// `cameras.front.fps`; `defaults.fps` for a default.
    public func path(of setting: Setting) -> String {
      setting.isDefault ? "defaults.\(setting.key)" : "\(path).\(setting.key)"
    }
  }

  public let sections: [Section]
  /// The file's own keys, by name.
  let settings: [String: Value]

  public func value(_ key: String) -> Value? { settings[key] }
}
