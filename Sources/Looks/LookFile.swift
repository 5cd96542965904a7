import Color
public import Frames
import Platform
import SectionFile

/// A look file, `NAME.yaml`, with the table beside it. Documentation/Looks.md describes it.
public struct LookFile: Sendable {
  /// As it was given.
  public let path: String
  public let look: Look
  /// The path of the table.
  public let tablePath: String

  /// The version of the format that this camrec reads.
  static let format = 1
  /// Bytes of a look file, at most.
  static let byteLimit = 64 << 10

  /// Reads a look file and its table.
  ///
  /// - Throws: code `input`: one sentence with file, line and column, what was wrong, the limit, and what to do.
  public init(path: String) throws(CamrecError) {
    let parts = try Self.parts(path)
    self.path = path
    tablePath = Self.tablePath(parts, of: path)
    let table = try Self.table(tablePath, at: parts.table.place, in: path)
    look = Look(
      name: parts.name, version: parts.version, title: parts.title, derivation: parts.derivation,
      exposure: parts.exposure, curve: parts.curve, table: table.lattice, tableSHA256: table.sha256,
      desaturation: parts.desaturation, grain: parts.grain)
  }

  /// What a look file says of itself, without its table.
  ///
  /// - Throws: as `init(path:)`, but for the table.
  public static func entry(path: String) throws(CamrecError) -> LookEntry {
    let parts = try parts(path)
    return LookEntry(name: parts.name, version: parts.version, title: parts.title, path: path)
  }

  /// The paths of a look file and of its table, which may be missing.
  ///
  /// - Throws: as `entry(path:)`.
  public static func files(path: String) throws(CamrecError) -> [String] {
    [path, tablePath(try parts(path), of: path)]
  }

  private static func tablePath(_ parts: LookParts, of path: String) -> String {
    PathText(PathText(path).folder).appending(parts.table.word)
  }

  private static func parts(_ path: String) throws(CamrecError) -> LookParts {
    let bytes: [UInt8]
    do {
      bytes = try InputFile.read(path: path, limit: byteLimit)
    } catch {
      throw CamrecError(.input, "the look '\(path)' cannot be read", cause: InputFile.words(for: error) ?? "\(error)")
    }
    do throws(FileFinding) {
      return try LookParts(try PlacedValue.read(bytes, file: "look file").get(), stem: PathText(path).stem)
    } catch {
      throw CamrecError(.input, error.sentence(file: path))
    }
  }

  /// - Throws: code `input` unless the table is one lattice of the right size for inputs from 0 to 1.
  private static func table(
    _ path: String, at place: FilePlace, in file: String
  ) throws(CamrecError) -> (lattice: LookupTable.Lattice, sha256: String) {
    func refusal(_ message: String) -> CamrecError {
      CamrecError(.input, FileFinding(.error, place, key: "table", message).sentence(file: file))
    }
    do {
      _ = try InputFile(path: path)
    } catch {
      throw refusal("'\(path)' cannot be read (\(error.words)); put the table beside the look file")
    }
    let table = try LookupTable(readingFile: path)
    let size = Look.tableSize, remedy = "camrec lut convert --size \(size) makes one"
    guard let lattice = table.lattice else { throw refusal("'\(path)' has no 3D table; \(remedy)") }
    guard lattice.size == size else {
      throw refusal(
        "'\(path)' has \(lattice.size) points per side; a look's table has \(size); \(remedy)")
    }
    guard table.curves == nil, lattice.domainMin == .zero, lattice.domainMax == .one, !table.inputIsVideoRange,
      !table.outputIsVideoRange
    else {
      throw refusal("'\(path)' must be one 3D table for inputs from 0 to 1, without curves and video range; \(remedy)")
    }
    return (lattice, table.sha256)
  }
}

extension FileFinding {
  /// `portra.yaml:7:10: curve: …`.
  func sentence(file: String) -> String {
    let start = place.map { "\(file):\($0.line):\($0.column)" } ?? file
    return "\(start): \(key.map { "\($0): " } ?? "")\(message)"
  }
}
