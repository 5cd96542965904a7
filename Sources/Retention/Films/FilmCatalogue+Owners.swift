import Foundation
import Frames
import Platform

extension FilmCatalogue {
  /// The catalogue of ten years with a film a minute; anything larger is not camrec's.
  private static let mostBytes = 1 << 31

  /// The recorder that made each film of a folder, by the film's name, as the catalogue says; empty if there is none.
  /// Reads nothing else, and locks nothing.
  public static func owners(in folder: String) -> [String: String] {
    let path = PathText(folder).appending(FilmFolder.catalogueName)
    guard let bytes = try? InputFile.read(path: path, limit: mostBytes) else { return [:] }
    var catalogue = FilmCatalogue()
    for bytes in Data(bytes).split(separator: UInt8(ascii: "\n")) {
      if let line = CatalogueLine(bytes: bytes) { catalogue.take(line) }
    }
    var owners: [String: String] = [:]
    for film in catalogue.films { owners[film.film] = film.recorder }
    for film in catalogue.unfinished { owners[film.film] = film.recorder }
    return owners
  }
}
