package import Assembly
import Cameras
import Foundation
import Frames
import Platform
package import SectionFile

/// A rig file as read: a recording for each camera, and the problems found.
package struct RigPlan {
  package struct Camera {
    package let name: String
    /// Its section of the file.
    package let entry: SectionFile.Section
    /// For `camrec record`: the file's settings, and the rig's own where the file has none.
    package let arguments: [String]
    /// The arguments as values.
    package let settings: ServiceSettings
    /// Keys whose values were refused: nobody knows what they will be.
    let refused: Set<String>
  }

  /// Its absolute path.
  package let path: String
  /// The recordings' working folder; relative paths in the file start here.
  package let folder: String
  /// Those without errors.
  package let cameras: [Camera]
  package let findings: [FileFinding]
  /// Where settings that are changed at run time are kept; `nil`: nowhere.
  package let settingsFolder: String?
  /// Where the control sockets are; `nil`: nowhere.
  package let socketsFolder: String?

  package var hasErrors: Bool { findings.contains { $0.severity == .error } }
  /// At least one camera cannot record at the moment.
  package var hasFaults: Bool { findings.contains { $0.severity == .fault } }

  /// Reads and checks a rig file. The process changes to the file's folder, as its recordings do.
  ///
  /// - Parameters:
  ///   - path: as it was given.
  ///   - looksAround: also check what the file names, as far as possible without a camera. If false, read only the file
  ///     itself, so that one camera's disk cannot block another camera.
  ///   - places: of this machine and user.
  ///   - enter: changes to the file's folder; false if it cannot.
  ///   - language: what the file may say of a camera.
  /// - Throws: code `input` for a file that cannot be read or that others can write.
  package init(
    readingFile path: String, looksAround: Bool, places: RigPlaces = RigPlaces(),
    enter: (String) -> Bool = { FileManager.default.changeCurrentDirectoryPath($0) },
    language: SectionLanguage<ServiceSettings>
  ) throws {
    let whole = PathText(path).absolute
    let schema = language.schema
    let bytes = try TrustedFile.read(path: path, limit: schema.byteLimit)
    self.path = whole
    folder = PathText(whole).folder
    guard enter(folder) else {
      throw CamrecError(.input, "the folder '\(folder)' of the rig file cannot be entered")
    }
    var (file, findings) = SectionReader.read(bytes, schema: schema)
    let settings = file?.value(RigKey.settings.rawValue)?.text
    settingsFolder = settings == "none" ? nil : settings ?? places.settingsFolder(rig: whole)
    socketsFolder = file?.value(RigKey.sockets.rawValue)?.text ?? places.socketsFolder
    // A recorder is found by its state file, which says where its socket is.
    let states = places.socketsFolder ?? socketsFolder
    var cameras: [Camera] = [], readable: [Camera] = []
    for entry in file?.sections ?? [] {
      var check = RigCameraCheck(
        entry, language, settings: settingsFolder, sockets: socketsFolder, states: states)
      if let camera = check.run(looksAround: looksAround) { cameras.append(camera) }
      if let camera = check.readable { readable.append(camera) }
      findings += check.findings
    }
    findings += RigConflicts.findings(among: readable, looksAround: looksAround)
    self.cameras = cameras
    self.findings = RigPlan.sorted(findings)
  }

  private static func sorted(_ findings: [FileFinding]) -> [FileFinding] {
    let start = FilePlace(line: 0, column: 0)
    var seen: Set<FileFinding> = []
    // A wrong default affects every camera; report it once.
    return findings.filter { seen.insert($0).inserted }.enumerated().sorted {
      ($0.element.place ?? start, $0.offset) < ($1.element.place ?? start, $1.offset)
    }.map(\.element)
  }
}
