/// A file of sections as it was read, a rig's cameras or a suite's cases: names, words and where they stand. What the
/// words mean is not looked at.
public struct SectionFile: Hashable, Sendable {
  public struct Value: Hashable, Sendable {
    public let text: String
    public let place: FilePlace
  }

  /// A key and what stands behind it.
  public struct Setting: Hashable, Sendable {
    public let key: String
    public let place: FilePlace
    /// One, or those of a list; none for a flag.
    public let values: [Value]
    /// It stands under `defaults`.
    public let isDefault: Bool

    /// As a command line says it: `--fps=24`.
    public var arguments: [String] { values.isEmpty ? ["--\(key)"] : values.map { "--\(key)=\($0.text)" } }
  }

  public struct Section: Hashable, Sendable {
    /// The key below which it stands: `cameras`.
    let kind: String
    public let name: String
    public let place: FilePlace
    /// Its own, and the defaults that it does not override, in the order of the file.
    public let settings: [Setting]
    /// Keys that stand there with a value that was refused: they are not among the settings, and not missing either.
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

    /// `cameras.front.fps`; `defaults.fps` for what stands there.
    public func path(of setting: Setting) -> String {
      setting.isDefault ? "defaults.\(setting.key)" : "\(path).\(setting.key)"
    }
  }

  public let sections: [Section]
  /// The file's own keys, by name.
  let settings: [String: Value]

  public func value(_ key: String) -> Value? { settings[key] }
}
