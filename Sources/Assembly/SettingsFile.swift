import Foundation
package import Frames
import Platform
package import Recorder
import SectionFile

/// The file that keeps settings changed at run time for the next start: `--settings PATH`.
///
/// It is replaced as a whole: after a power cut, the old file or the new one is there (rename(2), fsync(2)).
package struct SettingsFile {
  package struct Entry: Hashable, Codable {
    /// The option's name: `ev`.
    package var key: String
    package var value: String
    /// The value that the recorder was started with then. If that has changed since, `value` no longer holds.
    package var was: String

    package init(key: String, value: String, was: String) {
      self.key = key
      self.value = value
      self.was = was
    }
  }

  package struct Contents: Hashable, Codable {
    package static let version = 1
    package var version = Contents.version
    package var settings: [Entry] = []
    package var controls: [RecorderSettings.Control] = []

    package var isEmpty: Bool { settings.isEmpty && controls.isEmpty }
  }

  package let path: String

  /// A few dozen entries are a few kilobytes.
  private static let limit = 1 << 20

  /// - Returns: `nil` if there is no such file.
  /// - Throws: code `input` for a file that cannot be read, that is not a settings file, or that others can write.
  package func read() throws(CamrecError) -> Contents? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let bytes = try TrustedFile.read(path: path, limit: SettingsFile.limit)
    let contents = try? JSONDecoder().decode(Contents.self, from: Data(bytes))
    guard let contents, contents.version == Contents.version else {
      throw CamrecError(
        .input, "'\(path)' is not a settings file that this camrec can read; name another, or delete it")
    }
    return contents
  }

  private var file: AtomicFile {
    AtomicFile(path: path, mark: .init(name: "settings file", text: "\"controls\" : ["), isSynchronized: true)
  }

  /// - Throws: code `output`.
  package func write(_ contents: Contents) throws(CamrecError) {
    let folder = PathText(PathText(path).absolute).folder
    if contents.isEmpty {
      file.remove()
      return
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    guard let data = try? encoder.encode(contents) else {
      throw CamrecError(.defect, "the settings cannot be encoded as JSON")
    }
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o750])
    } catch {
      throw CamrecError(
        .output, "cannot create the folder '\(folder)' for the settings", cause: error.localizedDescription)
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

  private func refusal(_ cause: String?) -> CamrecError {
    CamrecError(.output, "cannot write the settings to '\(path)'; they last until the recorder ends", cause: cause)
  }
}
