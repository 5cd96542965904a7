import Foundation

/// The parts of a path as text, by POSIX's rules for `basename` and `dirname` (IEEE Std 1003.1-2024). The path need not
/// exist, and any text is a path.
public struct PathText: Hashable, Sendable {
  public let text: String

  public init(_ text: String) { self.text = text }

  /// The text without slashes at its end; "/" if it is nothing but slashes.
  private var bare: Substring {
    guard let last = text.lastIndex(where: { $0 != "/" }) else { return text.prefix(1) }
    return text[...last]
  }

  /// The part after the last slash: `take.mov` for both `films/take.mov` and `films/take.mov/`.
  public var name: String {
    let bare = bare
    guard bare != "/", let slash = bare.lastIndex(of: "/") else { return String(bare) }
    return String(bare[bare.index(after: slash)...])
  }

  /// The folder that it lies in: `films` for `films/take.mov`, "/" for `/take.mov`, and the empty text, which means the
  /// working directory, for `take.mov`.
  public var folder: String {
    let bare = bare
    guard bare != "/" else { return "/" }
    guard let slash = bare.lastIndex(of: "/") else { return "" }
    return bare[..<slash].last(where: { $0 != "/" }).map { _ in String(PathText(String(bare[..<slash])).bare) } ?? "/"
  }

  /// The folder, for a call that takes no empty path: "." for the working directory.
  public var folderOrDot: String { folder.isEmpty ? "." : folder }

  /// The part after the name's last dot: `mov`. Empty without a dot and for a hidden name (`.mov`).
  public var kind: String {
    let name = name
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return String(name[name.index(after: dot)...])
  }

  /// The path without the last dot and the part after it.
  public var withoutKind: String {
    let kind = kind
    return kind.isEmpty ? text : String(bare.dropLast(kind.count + 1))
  }

  /// The name without the last dot and the part after it.
  public var stem: String { PathText(withoutKind).name }

  /// The path of `name` in this folder: `films/take.mov` in `films`, `take.mov` in the empty path.
  public func appending(_ name: String) -> String {
    text.isEmpty || text.hasSuffix("/") ? text + name : "\(text)/\(name)"
  }

  /// The path from the root, which does not depend on the working directory.
  public var absolute: String {
    text.hasPrefix("/") ? text : PathText(FileManager.default.currentDirectoryPath).appending(text)
  }

  /// The path with links followed as far as it exists: two paths of one file give the same text.
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
