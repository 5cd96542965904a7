import Foundation
import Frames
import Platform

/// The hidden name of a film while it is baked, in the folder of its final name: `.x.mov.part-UUID.mov`.
public enum PartialFilmName {
  private static let mark = ".part-"

  /// The beginning that these names have in common, in every bake of this film.
  public static func beginning(of film: String) -> String {
    let place = PathText(film)
    return PathText(place.folder).appending(".\(place.name)\(mark)")
  }

  /// The beginning of a partial film's name; `nil` for any other file.
  public static func beginning(in name: String) -> String? {
    guard name.hasPrefix("."), let mark = name.range(of: mark, options: .backwards) else { return nil }
    return String(name[..<mark.upperBound])
  }

  /// The name that messages give a file: for a film that is being made, and for its sidecar, the final name.
  public static func shown(_ path: String) -> String {
    let place = PathText(path)
    guard let beginning = beginning(in: place.name) else { return path }
    let rest = place.name.dropFirst(beginning.count).split(separator: ".", omittingEmptySubsequences: false)
    guard rest.count > 1, isOne(beginning + "\(rest[0]).\(rest[1])") else { return path }
    let film = String(beginning.dropFirst().dropLast(mark.count))
    return PathText(place.folder).appending(([film] + rest.dropFirst(2).map(String.init)).joined(separator: "."))
  }

  /// Whether `name` is one that a bake gives: with a UUID, and the extension of a film.
  public static func isOne(_ name: String) -> Bool {
    guard let beginning = beginning(in: name) else { return false }
    let rest = name.dropFirst(beginning.count).split(separator: ".", omittingEmptySubsequences: false)
    return rest.count == 2 && UUID(uuidString: String(rest[0])) != nil
      && Container(rawValue: rest[1].lowercased()) != nil
  }
}
