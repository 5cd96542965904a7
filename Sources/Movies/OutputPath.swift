public import Foundation
public import Frames
import Platform

/// Where a film goes: a path, and the container that its extension chooses.
public struct OutputPath: Hashable, Sendable {
  public let path: String
  public let container: Container
  /// The folders to make if they are missing, outermost first: those whose names contain a time and those inside them,
  /// or those of `makingFolders`.
  let folders: [String]

  /// Refuses a film name that ends in a slash.
  private static func slashRefusal(_ path: String) -> CamrecError {
    let name = String(path.reversed().drop { $0 == "/" }.reversed())
    var target = stat()
    if unsafe stat(name, &target) == 0, target.st_mode & S_IFMT == S_IFDIR { return refusal(path, EISDIR) }
    return CamrecError(
      .output, about: .output,
      "the output '\(path)' ends in a slash, so it names a folder; for a film use \(setting: .output) \(name)")
  }

  /// Another name in the same folder.
  init(path: String, container: Container, folders: [String]) {
    self.path = path
    self.container = container
    self.folders = folders
  }

  /// Fills in the `strftime` patterns of `pattern` (C11, 7.27.3.5) with the time of `date`.
  ///
  /// - Parameter isUTC: uses UTC instead of local time.
  /// - Throws: code `usage`: the path is empty or too long, or its extension names no container; or as `filled`.
  public init(pattern: String, date: Date, isUTC: Bool = false) throws(CamrecError) {
    guard !pattern.isEmpty else {
      throw CamrecError(.usage, about: .output, "the output has no name; give \(setting: .output) PATH")
    }
    let path = try OutputPath.filled(pattern, date, isUTC: isUTC)
    let name = PathText(path).kind.lowercased()
    guard let container = Container(rawValue: name) else {
      let isDirectory =
        (try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType) == .typeDirectory
      throw isDirectory
        ? OutputPath.refusal(path, EISDIR)
        : CamrecError(
          .usage, "the output '\(path)' needs a name that ends in .mov, .mkv or .framemd5, the kinds of film")
    }
    if path.hasSuffix("/") { throw OutputPath.slashRefusal(path) }
    self.path = path
    self.container = container
    folders = OutputPath.timedFolders(of: path, pattern)
  }

  /// Whether films that begin at different times lie in different folders.
  public static func hasTimedFolder(_ pattern: String) -> Bool {
    PathText(pattern).folder.contains("%")
  }

  private static func timedFolders(of path: String, _ pattern: String) -> [String] {
    let patterns = pattern.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard let first = patterns.firstIndex(where: { $0.contains("%") }) else { return [] }
    return patterns.indices[first...].filter { !parts[$0].isEmpty }.map { parts[...$0].joined(separator: "/") }
  }

  /// The same path, with all missing folders to be made, including those that the pattern spells out.
  public var makingFolders: OutputPath {
    var missing: [String] = [], folder = PathText(path).folder
    while !folder.isEmpty, !OutputPath.isTaken(folder) {
      missing.insert(folder, at: 0)
      folder = PathText(folder).folder
    }
    return OutputPath(path: path, container: container, folders: missing)
  }

  /// Makes those folders that are missing and have a time in their name, for this user, and for the group to read.
  ///
  /// - Throws: code `output`.
  public func makeFolders() throws(CamrecError) { try OutputPath.make(folders) }

  /// Names a file beside films: fills in `pattern` as for a film, and makes the folders with a time in their name.
  ///
  /// - Throws: as `filled` and `makeFolders`.
  public static func makePlace(of pattern: String, date: Date, isUTC: Bool) throws(CamrecError) -> String {
    let path = try filled(pattern, date, isUTC: isUTC)
    try make(timedFolders(of: path, pattern))
    return path
  }

  private static func make(_ folders: [String]) throws(CamrecError) {
    for folder in folders {
      do throws(SystemCallError) { try SystemCall.perform("mkdir") { unsafe mkdir(folder, 0o750) } } catch {
        if error.number == EEXIST { continue }
        throw CamrecError(.output, "cannot make the folder '\(folder)'", cause: error.words)
      }
      try? FolderSync.synchronize(folderOf: folder)
    }
  }

  /// Reports early what creating the file would report late. Creates nothing.
  ///
  /// - Throws: code `output`: the path is a directory, exists and may not be replaced, or lies where nothing can be
  ///   created.
  public func check(overwrite: Bool) throws(CamrecError) {
    var isTaken = true, entry = stat()
    do throws(SystemCallError) { try SystemCall.perform("lstat") { unsafe lstat(path, &entry) } } catch {
      if error.number == ENAMETOOLONG { throw OutputPath.refusal(path, ENAMETOOLONG) }
      isTaken = false
    }
    var target = stat()
    let exists = unsafe stat(path, &target) == 0
    if exists, target.st_mode & S_IFMT == S_IFDIR { throw OutputPath.refusal(path, EISDIR) }
    if isTaken, !overwrite { throw OutputPath.refusal(path, EEXIST) }
    if exists, target.st_mode & S_IFMT != S_IFREG { throw OutputPath.notAFile(path) }
    // For a folder that is yet to be made, its parent counts.
    let folder = PathText(folders.first { !OutputPath.isTaken($0) } ?? path).folder
    // With "/." appended, a file in the directory's place gives ENOTDIR.
    let place = exists ? path : (folder.isEmpty ? "" : folder + "/") + "."
    let right = exists ? W_OK : W_OK | X_OK
    do throws(SystemCallError) { try SystemCall.perform("access") { unsafe access(place, right) } } catch {
      throw OutputPath.refusal(path, error.number)
    }
  }

  /// As `FolderLock.isMissing`.
  public var lacksLocks: Bool { FolderLock.isMissing(in: PathText(path).folderOrDot) }

  /// Explains why nothing can be created at `path`, from the system's error number.
  package static func refusal(_ path: String, _ number: Int32) -> CamrecError {
    let path = PartialFilmName.shown(path)
    // Some file systems, as /proc, say ENOENT of a folder that is there.
    let hasFolder = unsafe access(PathText(path).folderOrDot, F_OK) == 0
    let sentence: Sentence =
      switch number {
      case EEXIST:
        "'\(path)' exists already; choose another \(setting: .output) or allow replacing it with \(setting: .overwrite)"
      case EISDIR: "'\(path)' is a folder; name a file in it"
      case ENOENT where !hasFolder:
        "the folder of '\(path)' does not exist; create it or choose another \(setting: .output)"
      case ENOTDIR: "the path '\(path)' has a file where a folder should be; choose another \(setting: .output)"
      case EACCES, EPERM:
        "this user may not write '\(path)'; choose another \(setting: .output) or change the permissions"
      case EROFS: "'\(path)' is on a read-only file system; choose another \(setting: .output)"
      case ENOSPC, EDQUOT: "there is no space left for '\(path)'"
      case ENAMETOOLONG: "the name '\(path)' is too long for this file system"
      default: "cannot create '\(path)'"
      }
    let reason: RefusalReason? =
      switch number {
      case EEXIST: .exists
      case ENOSPC, EDQUOT: .noRoom
      default: nil
      }
    return CamrecError(.output, about: .output, sentence, cause: SystemError.words(for: number), reason: reason)
  }

  package static func notAFile(_ path: String) -> CamrecError {
    CamrecError(
      .output, about: .output,
      "'\(path)' is not an ordinary file, which a film has to be; choose another \(setting: .output)")
  }

  /// Whether writing here would overwrite the file at `other`, even through a link.
  public func isSameFile(as other: String) -> Bool {
    var here = stat(), there = stat()
    guard unsafe stat(path, &here) == 0, unsafe stat(other, &there) == 0 else { return false }
    return here.st_dev == there.st_dev && here.st_ino == there.st_ino
  }

  /// `path` with its symbolic links resolved, so that a link stays a link; `path` itself if there is no file.
  package static func resolved(_ path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }

  /// As PATH_MAX.
  private static let longest = 4096

  /// Whether something has this name, even a link whose target is missing.
  static func isTaken(_ path: String) -> Bool {
    var entry = stat()
    return unsafe lstat(path, &entry) == 0
  }

  /// `pattern` with its `strftime` patterns filled in. What the time fills in stays within the folder that the pattern
  /// names.
  ///
  /// - Throws: code `usage`: the name is too long, or a folder or file name with a time in it contains a `/` or is `.`
  ///   or `..`.
  public static func filled(_ pattern: String, _ date: Date, isUTC: Bool = false) throws(CamrecError) -> String {
    let tooLong = CamrecError(
      .usage, about: .output,
      "the output's name is longer than \(longest) bytes; choose a shorter \(setting: .output)")
    guard pattern.utf8.count < longest else { throw tooLong }
    guard pattern.contains("%") else { return pattern }
    var parts: [String] = [], isFilled = false
    for part in pattern.split(separator: "/", omittingEmptySubsequences: false).map(String.init) {
      guard let name = expansion(part, date, isUTC) else { throw tooLong }
      isFilled = isFilled || part.contains("%")
      if isFilled, name.contains("/") || name == "." || name == ".." {
        throw CamrecError(
          .usage,
          "the output's '\(part)' becomes '\(name)', which leads out of the folder; use patterns without a /, as in "
            + "%Y-%m-%d_%H-%M-%S")
      }
      parts.append(name)
    }
    let path = parts.joined(separator: "/")
    guard path.utf8.count < longest else { throw tooLong }
    return path
  }

  /// Whether films that begin in different seconds have different names.
  public static func changesEverySecond(_ pattern: String) -> Bool {
    let time = Date(timeIntervalSince1970: 59)
    let names = (0...2).map { try? filled(pattern, time + Double($0), isUTC: true) }
    // The second name begins a minute.
    return names[0] != names[1] && names[1] != names[2]
  }

  /// Whether films that begin at different times have different names.
  public static func changesWithTime(_ pattern: String) -> Bool {
    // The two differ in every field that `strftime` knows.
    let one = Date(timeIntervalSince1970: 97_304_645), other = Date(timeIntervalSince1970: 2_176_739_939)
    return (try? filled(pattern, one, isUTC: true)) != (try? filled(pattern, other, isUTC: true))
  }

  /// One folder or name.
  private static func expansion(_ pattern: String, _ date: Date, _ isUTC: Bool) -> String? {
    guard pattern.contains("%") else { return pattern }
    var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
    var fields = unsafe tm()
    let isKnown = unsafe (isUTC ? gmtime_r(&seconds, &fields) : localtime_r(&seconds, &fields)) != nil
    guard isKnown else { return nil }
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: longest) { buffer in
      guard let base = buffer.baseAddress else { return nil }
      // An empty result would mean that it did not fit.
      let count = unsafe strftime(base, longest, pattern + ".", &fields)
      guard count > 0 else { return nil }
      return unsafe String(
        decoding: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<(count - 1)]), as: UTF8.self)
    }
  }
}
