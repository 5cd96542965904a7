import Foundation

extension FilmCatalogue {
  /// A catalogue of ten years of a film a minute; what is larger is none of ours.
  private static let mostBytes = 1 << 31

  /// Which recorders have made the films of a folder, by the films' names, as its catalogue says; empty where there is
  /// none. Reads and locks nothing else.
  public static func owners(in folder: String) -> [String: String] {
    let url = URL(fileURLWithPath: folder).appendingPathComponent(FilmFolder.catalogueName)
    guard let values = try? url.resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey]), values.isRegularFile == true,
      values.fileSize ?? .max <= mostBytes, let data = try? Data(contentsOf: url)
    else { return [:] }
    var catalogue = FilmCatalogue()
    for bytes in data.split(separator: UInt8(ascii: "\n")) {
      if let line = CatalogueLine(bytes: bytes) { catalogue.take(line) }
    }
    var owners: [String: String] = [:]
    for film in catalogue.films { owners[film.film] = film.recorder }
    for film in catalogue.unfinished { owners[film.film] = film.recorder }
    return owners
  }
}
