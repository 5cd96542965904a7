import Foundation
public import Frames
import Platform

/// The folders where looks are found by name. A look in an earlier folder hides those of the same name in later ones.
///
/// 1. The user's own: `$XDG_CONFIG_HOME/camrec/looks`, by default `~/.config/camrec/looks` (XDG Base Directory
///    Specification 0.8).
/// 2. Those that came with camrec: `../share/camrec/looks` from the program's folder.
/// 3. `Looks` in the source tree, for a program that was built in it.
public struct LookFolders: Hashable, Sendable {
  /// In the order of the search; they may not exist.
  public let paths: [String]

  /// - Parameters:
  ///   - environment: the process's.
  ///   - home: the user's folder.
  ///   - program: the path of the running program, without links.
  public init(environment: [String: String], home: String, program: String) {
    // The specification says to ignore a relative path.
    let given = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let bin = PathText(program).folder
    var paths = [(given ?? PathText(home).appending(".config")) + "/camrec/looks"]
    paths.append(PathText(PathText(bin).folder).appending("share/camrec/looks"))
    var folder = bin
    while folder.count > 1 {
      let name = PathText(folder).name
      folder = PathText(folder).folder
      if name.hasPrefix(".build") {
        paths.append(PathText(folder).appending("Looks"))
        break
      }
    }
    self.paths = paths
  }

  public init(paths: [String]) { self.paths = paths }

  /// The path of a look file.
  ///
  /// - Parameter text: a look's name, or the path of a file that ends in `.yaml`.
  /// - Throws: code `usage` if it is neither, or if there is no look of that name.
  public func path(of text: String) throws(CamrecError) -> String {
    if PathText(text).kind.lowercased() == "yaml" { return text }
    guard LookName.isValid(text) else {
      throw CamrecError(.usage, "'\(text)' is neither a look's name nor the path of a look file, which ends in .yaml")
    }
    let found = files
    if let path = found.first(where: { PathText($0).stem == text }) { return path }
    let names = found.map { PathText($0).stem }
    let rest: String
    if let near = NearSpelling.of(text, among: names) {
      rest = "did you mean \(near)?"
    } else if names.isEmpty {
      rest = "there are no looks in \(paths.joined(separator: ", ")); give the path of a look file"
    } else {
      rest = "the looks are \(names.joined(separator: ", "))"
    }
    throw CamrecError(.usage, "there is no look '\(text)'; \(rest)")
  }

  /// The look files, by name; none that another one hides.
  public var files: [String] {
    var found: [String: String] = [:]
    for folder in paths {
      for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      where PathText(name).kind == "yaml" {
        let stem = PathText(name).stem
        if LookName.isValid(stem), found[stem] == nil { found[stem] = PathText(folder).appending(name) }
      }
    }
    return found.sorted { $0.key < $1.key }.map(\.value)
  }
}
