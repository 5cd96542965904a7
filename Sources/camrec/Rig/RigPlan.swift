import Cameras
import Foundation
import Frames
import SectionFile

/// What a rig file comes to: a recording for each camera, or what stands in its way.
struct RigPlan {
  struct Camera {
    let name: String
    /// Where it stands in the file.
    let entry: SectionFile.Section
    /// Of `camrec record`: what the file says, and what the rig adds where it says nothing.
    let arguments: [String]
    /// As they are read.
    let command: RecordCommand
  }

  /// Its absolute path.
  let path: String
  /// Where the recordings run, so that every relative path in the file is meant from there.
  let folder: String
  /// Those without errors.
  let cameras: [Camera]
  let findings: [FileFinding]
  /// Where settings that are changed at run time are kept; `nil`: nowhere.
  let settingsFolder: String?
  /// Where the control sockets are; `nil`: there is no place for them.
  let socketsFolder: String?

  var hasErrors: Bool { findings.contains { $0.severity == .error } }
  /// A camera cannot record as things are now.
  var hasFaults: Bool { findings.contains { $0.severity == .fault } }

  /// Reads and checks a rig file. The process changes to the file's folder, as its recordings do.
  ///
  /// - Parameters:
  ///   - path: as it was given.
  ///   - looksAround: reads what the file names, too, as far as no camera is needed for it. Without, nothing but the
  ///     file itself is read, so that no camera's disk holds up another camera.
  ///   - places: of this machine and user.
  /// - Throws: code `input` for a file that cannot be read or that others can write.
  init(readingFile path: String, looksAround: Bool, places: RigPlaces = RigPlaces()) throws {
    let whole = PathText(path).absolute
    let schema = try SectionSchema.ofRecord()
    let bytes = try TrustedFile.read(path: path, limit: schema.byteLimit)
    self.path = whole
    folder = PathText(whole).folder
    guard FileManager.default.changeCurrentDirectoryPath(folder) else {
      throw CamrecError(.input, "the folder '\(folder)' of the rig file cannot be entered")
    }
    var (file, findings) = SectionReader.read(bytes, schema: schema)
    let settings = file?.value(RigKey.settings.rawValue)?.text
    settingsFolder = settings == "none" ? nil : settings ?? places.settingsFolder(rig: whole)
    socketsFolder = file?.value(RigKey.sockets.rawValue)?.text ?? places.socketsFolder
    // A recorder is found by its state file, which says where its socket is.
    let states = places.socketsFolder ?? socketsFolder
    var cameras: [Camera] = []
    for entry in file?.sections ?? [] {
      var check = RigCameraCheck(entry, settings: settingsFolder, sockets: socketsFolder, states: states)
      if let camera = check.run(looksAround: looksAround) { cameras.append(camera) }
      findings += check.findings
    }
    findings += RigConflicts.findings(among: cameras, looksAround: looksAround)
    self.cameras = cameras
    self.findings = RigPlan.sorted(findings)
  }

  private static func sorted(_ findings: [FileFinding]) -> [FileFinding] {
    let start = FilePlace(line: 0, column: 0)
    var seen: Set<FileFinding> = []
    // A default that is wrong is so for each camera, and said once.
    return findings.filter { seen.insert($0).inserted }.enumerated().sorted {
      ($0.element.place ?? start, $0.offset) < ($1.element.place ?? start, $1.offset)
    }.map(\.element)
  }
}
