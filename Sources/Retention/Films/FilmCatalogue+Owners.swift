import Foundation
import Frames

extension FilmCatalogue {
  /// A catalogue of ten years of a film a minute; what is larger is none of ours.
  private static let mostBytes = 1 << 31

  /// Which recorders have made the films of a folder, by the films' names, as its catalogue says; empty where there is
  /// none. Reads and locks nothing else.
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
