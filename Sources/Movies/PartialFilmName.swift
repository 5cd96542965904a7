import Foundation
import Frames

/// What a film is called while it is baked, beside the place where it will be: `.x.mov.part-UUID.mov`.
public enum PartialFilmName {
  private static let mark = ".part-"

  /// With which it begins, as those of other bakes of this film do.
  public static func beginning(of film: String) -> String {
    let place = PathText(film)
    return PathText(place.folder).appending(".\(place.name)\(mark)")
  }

  /// The name's beginning where it is such a film's; `nil` for any other file.
  public static func beginning(in name: String) -> String? {
    guard name.hasPrefix("."), let mark = name.range(of: mark, options: .backwards) else { return nil }
    return String(name[..<mark.upperBound])
  }

  /// What sentences call a file: that of a film which is being made, or of its sidecar, by the name that it will have.
  public static func shown(_ path: String) -> String {
    let place = PathText(path)
    guard let beginning = beginning(in: place.name) else { return path }
    let rest = place.name.dropFirst(beginning.count).split(separator: ".", omittingEmptySubsequences: false)
    guard rest.count > 1, isOne(beginning + "\(rest[0]).\(rest[1])") else { return path }
    let film = String(beginning.dropFirst().dropLast(mark.count))
    return PathText(place.folder).appending(([film] + rest.dropFirst(2).map(String.init)).joined(separator: "."))
  }

  /// Whether a bake has called a file so: with a UUID, and a film's ending.
  public static func isOne(_ name: String) -> Bool {
    guard let beginning = beginning(in: name) else { return false }
    let rest = name.dropFirst(beginning.count).split(separator: ".", omittingEmptySubsequences: false)
    return rest.count == 2 && UUID(uuidString: String(rest[0])) != nil
      && Container(rawValue: rest[1].lowercased()) != nil
  }
}
