import Foundation
import Frames
import Recorder
import SectionFile

/// The file in which settings that were changed at run time wait for the next start: `--settings PATH`.
///
/// It is replaced as a whole: after a power cut there is the old one or the new one (rename(2), fsync(2)).
struct SettingsFile {
  struct Entry: Hashable, Codable {
    /// As the command line calls it: `ev`.
    var key: String
    var value: String
    /// What it was started with then. Whoever has changed that since wants something else.
    var was: String
  }

  struct Contents: Hashable, Codable {
    static let version = 1
    var version = Contents.version
    var settings: [Entry] = []
    var controls: [RecorderSettings.Control] = []

    var isEmpty: Bool { settings.isEmpty && controls.isEmpty }
  }

  let path: String

  /// A few dozen entries are a few kilobytes.
  private static let limit = 1 << 20

  /// - Returns: `nil` where nothing is kept.
  /// - Throws: code `input` for a file that cannot be read, that is none of these, or that others can write.
  func read() throws(CamrecError) -> Contents? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let bytes = try TrustedFile.read(path: path, limit: SettingsFile.limit)
    let contents = try? JSONDecoder().decode(Contents.self, from: Data(bytes))
    guard let contents, contents.version == Contents.version else {
      throw CamrecError(.input, "'\(path)' is not a settings file that this camrec can read; name another, or delete it")
    }
    return contents
  }

  private var file: AtomicFile {
    AtomicFile(path: path, mark: .init(name: "settings file", text: "\"controls\" : ["), isSynchronized: true)
  }

  /// - Throws: code `output`.
  func write(_ contents: Contents) throws(CamrecError) {
    let folder = PathText(PathText(path).absolute).folder
    if contents.isEmpty {
      file.remove()
      return
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    guard let data = try? encoder.encode(contents) else { throw CamrecError(.defect, "settings have no form in JSON") }
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o750])
    } catch {
      throw CamrecError(
        .output, "the folder '\(folder)' of the settings cannot be made", cause: error.localizedDescription)
    }
    do throws(CamrecError) {
      try file.replace(with: data + Data("\n".utf8))
    } catch {
      throw refusal(error.cause)
    }
    do throws(FolderSync.Failure) {
      try FolderSync.synchronize(folder)
    } catch {
      throw refusal(SystemError.words(for: error.number))
    }
  }

  private func refusal(_ cause: String? = SystemError.words(for: errno)) -> CamrecError {
    CamrecError(.output, "the settings cannot be written to '\(path)'; they hold until the recorder ends", cause: cause)
  }
}
