import Foundation

/// The parts of a path as text, by POSIX's rules for `basename` and `dirname` (IEEE Std 1003.1-2024): nothing of it has
/// to exist, and any text is a path.
public struct PathText: Hashable, Sendable {
  public let text: String

  public init(_ text: String) { self.text = text }

  /// Without the slashes at its end; "/" for those alone.
  private var bare: Substring {
    guard let last = text.lastIndex(where: { $0 != "/" }) else { return text.prefix(1) }
    return text[...last]
  }

  /// What stands behind the last slash: `take.mov` of `films/take.mov`, and of `films/take.mov/`.
  public var name: String {
    let bare = bare
    guard bare != "/", let slash = bare.lastIndex(of: "/") else { return String(bare) }
    return String(bare[bare.index(after: slash)...])
  }

  /// In which it lies: `films` of `films/take.mov`, "/" of `/take.mov`, and the empty text, which means the working
  /// directory, of `take.mov`.
  public var folder: String {
    let bare = bare
    guard bare != "/" else { return "/" }
    guard let slash = bare.lastIndex(of: "/") else { return "" }
    return bare[..<slash].last(where: { $0 != "/" }).map { _ in String(PathText(String(bare[..<slash])).bare) } ?? "/"
  }

  /// The folder, for a call that takes no empty path: "." for the working directory.
  public var folderOrDot: String { folder.isEmpty ? "." : folder }

  /// What stands behind the name's last dot: `mov`. Empty where there is none, and of a hidden name (`.mov`).
  public var kind: String {
    let name = name
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return String(name[name.index(after: dot)...])
  }

  /// The path without the dot and what stands behind it.
  public var withoutKind: String {
    let kind = kind
    return kind.isEmpty ? text : String(bare.dropLast(kind.count + 1))
  }

  /// The name without the dot and what stands behind it.
  public var stem: String { PathText(withoutKind).name }

  /// A name in the folder that this is: `films/take.mov` of `films`, `take.mov` of the empty path.
  public func appending(_ name: String) -> String {
    text.isEmpty || text.hasSuffix("/") ? text + name : "\(text)/\(name)"
  }

  /// From the root on, whatever the working directory will be.
  public var absolute: String {
    text.hasPrefix("/") ? text : PathText(FileManager.default.currentDirectoryPath).appending(text)
  }

  /// What it means in the end, with links followed as far as there is something: two paths of one file give the same
  /// text.
  public var resolved: String {
    if let real = unsafe realpath(text.isEmpty ? "." : text, nil) {
      defer { unsafe free(real) }
      return unsafe String(cString: real)
    }
    let folder = folder
    guard folder != text, !text.isEmpty else { return absolute }
    return PathText(folder.isEmpty ? PathText(".").resolved : PathText(folder).resolved).appending(name)
  }
}
