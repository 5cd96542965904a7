import Foundation
import Frames
import SystemCalls

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
  /// - Parameter overwrite: a film of that name is replaced; else one that has come there meanwhile stays.
  /// - Throws: code `output`; the film then keeps its hidden name.
  func finish(overwrite: Bool) throws(CamrecError) {
    if overwrite {
      guard unsafe rename(path, film) == 0 else { throw refusal(errno) }
    } else {
      do throws(NewName.Failure) { try NewName.give(film, to: path) } catch { throw refusal(error.number) }
    }
  }

  private func refusal(_ number: Int32) -> CamrecError {
    CamrecError(
      .output, number == EEXIST
        ? "'\(film)' has come to be there meanwhile, and stays; what was baked is '\(path)'"
        : "'\(film)' cannot be created; what was baked is '\(path)'", cause: SystemError.words(for: number))
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
