import ArgumentParser
import Assembly
import Foundation
import Frames
import Movies
import Goldens
import MediaFFmpeg
import Platform
import Reporting
import Sidecar

/// `camrec golden init`.
struct GoldenInitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Create a suite from the clips in a folder.",
    usage: "camrec golden init [--output SUITE.yaml] FOLDER",
    discussion: """
      Searches the folder and its subfolders, but not hidden ones, and writes a case for each file with the suffix of \
      a clip (.mov, .mkv and others): its path and its SHA-256. 'camrec golden add' takes a clip with any name. Then \
      run 'camrec golden record' to make the goldens. An existing suite is left unchanged.
      """)

  @Option(
    help: ArgumentHelp("The suite to write. Default: suite.yaml in the folder.", valueName: "SUITE.yaml"),
    completion: .file(extensions: ["yaml", "yml"])) var output: String?

  @Argument(help: ArgumentHelp(
    "The folder with the clips.", valueName: "FOLDER"), completion: .directory) var folder: String

  /// The suffixes of clips; other files are skipped.
  private static let kinds: Set<String> = [
    "mov", "mp4", "m4v", "mkv", "webm", "mxf", "avi", "mts", "m2ts", "ts", "mpg", "mpeg", "y4m", "nut",
  ]

  func run() throws {
    let folder = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    let suite = output ?? (folder == "/" ? "/suite.yaml" : "\(folder)/suite.yaml")
    var status = ExitStatus.success
    do throws(CamrecError) {
      try GoldenInitCommand.refuseExisting(suite)
      let files = try GoldenInitCommand.files(below: folder)
      let found = files.filter(GoldenInitCommand.isCalledAClip)
      let passed = GoldenInitCommand.passedOver(files.filter { !GoldenInitCommand.isCalledAClip($0) })
      var clips: [SuiteDraft.Clip] = []
      for file in found {
        let path = folder == "/" ? "/\(file)" : "\(folder)/\(file)"
        let named = GoldenInitCommand.path(to: file, in: folder, from: suite)
        guard SuiteDraft.takes(named) else {
          HumanText.warning("skipping '\(path)': \(SuiteDraft.refusal)")
          continue
        }
        do throws(CamrecError) {
          _ = try ClipCamera.open(path: path, paced: false, frames: 1)
          let digest = try NamedFile.digest(path: path, what: "clip")
          clips.append(.init(path: named, digest: digest))
        } catch {
          HumanText.error(error)
          status.add(.input)
        }
      }
      guard !clips.isEmpty else {
        throw CamrecError(
          .input,
          "there is no readable clip in '\(folder)'; "
            + (passed.map { "\($0); give clips such a suffix" } ?? "name a folder with clips"))
      }
      try GoldenInitCommand.write(SuiteDraft(clips: clips).text, to: suite)
      let rest = passed.map { "; \($0); camrec golden add takes any clip" } ?? ""
      Console.print(VisibleText.line("\(suite): \(HumanText.count(clips.count, "case"))\(rest)"))
      Console.print("next: camrec golden record \(ShellWord.of(suite))")
    } catch {
      HumanText.error(error)
      status.add(ExitStatus(error))
    }
    if status != .success { throw Camrec.Ending(status: status) }
  }

  private static func isCalledAClip(_ file: String) -> Bool { kinds.contains(PathText(file).kind.lowercased()) }

  /// - Returns: a sentence on files without a clip's suffix; `nil` if there are none but sidecars.
  private static func passedOver(_ files: [String]) -> String? {
    let files = files.filter { !$0.hasSuffix(SidecarFile.suffix) }
    guard !files.isEmpty else { return nil }
    let names = files.prefix(3).map { "'\($0)'" } + (files.count > 3 ? ["…"] : [])
    return "\(HumanText.count(files.count, "file")) without a clip's suffix (.mov, .mkv, …)"
      + " \(files.count == 1 ? "was" : "were") skipped: \(names.joined(separator: ", "))"
  }

  /// The files below a folder, sorted, as paths relative to it.
  private static func files(below folder: String) throws(CamrecError) -> [String] {
    var isFolder: ObjCBool = false
    guard unsafe FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) else {
      throw CamrecError(.input, "there is no folder '\(folder)'")
    }
    guard isFolder.boolValue else {
      throw CamrecError(.input, "'\(folder)' is not a folder; name the folder with the clips")
    }
    guard FileManager.default.isReadableFile(atPath: folder), let all = FileManager.default.enumerator(atPath: folder)
    else { throw CamrecError(.input, "the folder '\(folder)' cannot be read; check its permissions") }
    var files: [String] = []
    for case let file as String in all {
      if file.split(separator: "/").last?.hasPrefix(".") == true {
        all.skipDescendants()
        continue
      }
      let type = all.fileAttributes?[.type] as? FileAttributeType
      // A link that leads nowhere is told like a clip that cannot be read.
      let isLink = type == .typeSymbolicLink && !GoldenInitCommand.isFolder("\(folder)/\(file)")
      if type == .typeRegular || isLink { files.append(file) }
    }
    return files.sorted()
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// The path by which the suite names the clip.
  static func path(to file: String, in folder: String, from suite: String) -> String {
    path(to: PathText(PathText(folder).absolute).appending(file), from: suite)
  }

  /// - Parameter whole: the clip's absolute path.
  static func path(to whole: String, from suite: String) -> String {
    let home = PathText(PathText(suite).absolute).folder
    let begin = home == "/" ? home : home + "/"
    return whole.hasPrefix(begin) ? String(whole.dropFirst(begin.count)) : whole
  }

  private static func refuseExisting(_ suite: String) throws(CamrecError) {
    guard !FileManager.default.fileExists(atPath: suite) else { throw exists(suite) }
  }

  private static func exists(_ suite: String) -> CamrecError {
    CamrecError(.output, "'\(suite)' exists already and was not changed; choose another --output")
  }

  private static func write(_ text: String, to suite: String) throws(CamrecError) {
    do throws(CamrecError) {
      try NewFile.write(Array(text.utf8), to: suite, overwrite: false)
    } catch where error.reason == .exists {
      throw exists(suite)
    }
  }
}
