import Foundation
import Frames

/// A film that is being made beside the place in which it will be: hidden, and of one maker alone.
struct PartialFilm {
  let path: String
  private let film: String

  init(_ film: String) {
    self.film = film
    path = PartialFilm.beginning(of: film) + UUID().uuidString + "." + PathText(film).kind
  }

  /// Gives it its name.
  ///
  /// - Throws: code `output`.
  func finish() throws(CamrecError) {
    guard unsafe rename(path, film) == 0 else {
      throw CamrecError(.output, "'\(film)' cannot be created", cause: SystemError.words(for: errno))
    }
  }

  func remove() { unsafe unlink(path) }

  /// Takes away what others have left of films in one folder; while none is being made.
  static func removeAll(of films: [String]) {
    guard let folder = films.first.map({ PathText($0).folder }) else { return }
    let beginnings = Set(films.map { PathText(beginning(of: $0)).name })
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      guard let mark = name.range(of: mark, options: .backwards) else { continue }
      if beginnings.contains(String(name[..<mark.upperBound])) {
        unsafe unlink(PathText(folder).appending(name))
      }
    }
  }

  private static let mark = ".part-"

  private static func beginning(of film: String) -> String {
    let place = PathText(film)
    return PathText(place.folder).appending(".\(place.name)\(mark)")
  }
}
