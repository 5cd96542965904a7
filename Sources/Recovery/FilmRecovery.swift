import Foundation
public import Frames
import MovieBoxes
import Movies
import Platform
import Sidecar

/// Turns what a crash left of a live .mov into an ordinary .mov, with its timecode, rotation, colour and audio, and
/// with every frame and audio sample as recorded.
///
/// Works in place, like a clean stop: appends an index after everything that is there and, once that is on the medium,
/// puts it to use with one write of 16 bytes at the beginning. Until that write the file is what it was, with something
/// appended; no byte of a sample, of a torn end or of a gap is overwritten or cut off. It takes as long as reading the
/// headers of the fragments and the file's last 64 MiB. With `output` the same happens to a copy, which gets its name
/// once it is on the medium.
///
/// Thread: any. Two recoveries of a film refuse each other, and both refuse a film that is being recorded.
public struct FilmRecovery: Sendable {
  /// Nothing is written; the outcome says what would be done.
  public var isDry: Bool
  /// Where to write a new file, so that the original stays as it is; `nil` recovers in place.
  public var output: String?
  /// Changes a film in place even if its file system has no locks, so that nothing tells whether somebody records into
  /// it.
  public var isForced: Bool
  /// A rig does it, and again when the film's camera records again.
  public var isOfRig: Bool
  /// Asked if a file system has no locks: whether a recorder on this machine says that it records there.
  public var isBeingRecorded: @Sendable (_ path: String) -> Bool
  /// Seconds for which a film without a lock has to stay as it is before it is changed.
  package var stillness = 10.0
  /// As `flock`: 0, or an error number.
  package var lock: @Sendable (_ descriptor: Int32, _ operation: Int32) -> Int32 = FilmFile.systemLock

  public init(
    isDry: Bool = false, output: String? = nil, isForced: Bool = false, isOfRig: Bool = false,
    isBeingRecorded: @escaping @Sendable (_ path: String) -> Bool = { _ in false }
  ) {
    self.isDry = isDry
    self.output = output
    self.isForced = isForced
    self.isOfRig = isOfRig
    self.isBeingRecorded = isBeingRecorded
  }

  /// Recovers one film, or says why there is nothing to do. What a killed bake has left is treated as by
  /// `takeLeftovers`; with `output` it is copied, like any film.
  ///
  /// - Parameter path: the film, or its sidecar.
  /// - Throws: code `input` if nothing of the film can be recovered, `output` if it is in use or cannot be written.
  public func recover(_ path: String) throws(CamrecError) -> RecoveredFilm {
    let film = FilmRecovery.film(of: path)
    if output == nil, let leftover = try takeLeftover(film) { return leftover }
    let found = try recover(film: film)
    guard found.verdict != .empty else { throw CamrecError(.input, found.sentence) }
    return found
  }

  /// The same, whatever the film's name. A film without a picture is an outcome here, not an error.
  func recover(film: String) throws(CamrecError) -> RecoveredFilm {
    let file = try FilmFile(path: film, isReading: isDry || output != nil, lock: lock)
    if let known = try FilmRecovery.outcome(ofOther: file) { return known }
    if try FilmRecovery.isUnbegun(file) { return try remove(file) }
    if let lack = FilmBeginning.lack(try file.read(at: 0, count: FilmBeginning.headBytes), size: file.size) {
      return RecoveredFilm(path: film, lacking: lack)
    }
    var salvage = try MovieSalvage(size: UInt64(file.size)) { (offset, count) throws(CamrecError) in
      try file.read(at: offset, count: count)
    }
    guard salvage.kind != .ordinary else { return RecoveredFilm(path: film, verdict: .finished) }
    guard salvage.kind == .fragments else {
      let isFilm = RecordingKind(try file.read(at: 0, count: RecordingKind.headBytes)) == .quickTime
      throw CamrecError(
        .input,
        "cannot recover '\(film)': "
          + (isFilm
            ? "it has no movie header, so it was cut off in its first second, or after it was finished"
            : "it is not a .mov, or its beginning is damaged"))
    }
    guard salvage.pictures > 0 else {
      return RecoveredFilm(
        path: film, lacking: "it has no whole fragment, because it was cut off early, copied only in part, or damaged")
    }
    let sidecar = SidecarFile.path(ofFilm: film)
    let comparison =
      SidecarFile.isSidecar(sidecar) ? try? SidecarComparison(FilmExtent(salvage), sidecar: sidecar) : nil
    if let end = comparison?.end { salvage.shorten(to: end) }
    let ending: MovieSalvage.Ending
    do throws(BoxDamage) { ending = try salvage.ending(timecode: comparison.flatMap(FilmRecovery.timecode)) } catch {
      throw CamrecError(
        .input, "'\(film)' plays as it is, but camrec cannot build an index for it", cause: error.description)
    }
    var outcome = RecoveredFilm(path: film, salvage, comparison)
    guard !isDry else { return outcome }
    outcome.verdict = .recovered
    if let output {
      try write(ending, salvage, copying: file, to: output)
      outcome.output = output
      try FilmRecovery.note(outcome, comparison, sidecar: sidecar, copiedTo: SidecarFile.path(ofFilm: output))
    } else {
      try makeSureNobodyRecords(into: file)
      try FilmRecovery.finish(file, ending, salvage, size: file.size, isOfRig: isOfRig)
      try FilmRecovery.note(outcome, comparison, sidecar: sidecar, copiedTo: nil)
    }
    return outcome
  }

  /// The film of a sidecar; any other path as it is.
  private static func film(of path: String) -> String {
    guard path.hasSuffix(SidecarFile.suffix), SidecarFile.isSidecar(path) else { return path }
    return String(path.dropLast(SidecarFile.suffix.count))
  }

  /// What needs no recovery.
  private static func outcome(ofOther file: borrowing FilmFile) throws(CamrecError) -> RecoveredFilm? {
    switch RecordingKind(try file.read(at: 0, count: RecordingKind.headBytes)) {
    case .matroska: return RecoveredFilm(path: file.path, verdict: .matroska)
    case .hashes: return RecoveredFilm(path: file.path, verdict: .hashes)
    case .quickTime, .sidecar, nil: return nil
    }
  }

  /// Whether a file was prepared for a film and has no data yet. A film that has data has a sidecar or a header.
  private static func isUnbegun(_ file: borrowing FilmFile) throws(CamrecError) -> Bool {
    guard file.size == PreparedMark.bytes.count, !SidecarFile.isSidecar(SidecarFile.path(ofFilm: file.path)) else {
      return false
    }
    return try file.read(at: 0, count: PreparedMark.bytes.count) == PreparedMark.bytes
  }

  private func remove(_ file: borrowing FilmFile) throws(CamrecError) -> RecoveredFilm {
    guard output == nil else {
      throw CamrecError(.input, "'\(file.path)' has no data: no frame was written into it; there is nothing to recover")
    }
    guard !isDry else { return RecoveredFilm(path: file.path, verdict: .unbegun) }
    guard file.isLocked, file.isInPlace else {
      throw CamrecError(
        .input,
        "'\(file.path)' has no data, but was not removed: camrec cannot tell whether"
          + " somebody still records into it; remove it by hand when no recorder is running")
    }
    let path = file.path
    try SystemCall.unlink(
      path, or: .output, "cannot remove '\(path)', which has no data")
    return RecoveredFilm(path: file.path, verdict: .removed)
  }

  /// The first frame's label, counted in frames.
  private static func timecode(_ comparison: SidecarComparison) -> UInt32? {
    guard let text = comparison.head.timecode, let label = try? Timecode(parsing: text, rate: comparison.head.frameRate)
    else { return nil }
    return UInt32(exactly: label.frameNumber(at: comparison.head.frameRate))
  }

  /// Without a lock, makes sure that no recorder says that it records there, and that the file does not change.
  private func makeSureNobodyRecords(into file: borrowing FilmFile) throws(CamrecError) {
    guard !file.isLocked, !isForced else { return }
    guard !isBeingRecorded(file.path) else { throw FilmFile.inUse(file.path) }
    guard file.standsStill(seconds: stillness), !isBeingRecorded(file.path) else {
      throw CamrecError(
        .output, about: .output,
        "'\(file.path)' was not recovered: its file system has no locks, and it has changed within \(Int(stillness))"
          + " seconds, so somebody may be recording it; try again when the recording has ended, or write a new file"
          + " with \(setting: .output)", reason: .inUse)
    }
  }

  // MARK: Writing

  /// Turns a file with fragments into an ordinary film.
  private static func finish(
    _ file: borrowing FilmFile, _ ending: MovieSalvage.Ending, _ salvage: MovieSalvage, size: Int64,
    isOfRig: Bool = false
  ) throws(CamrecError) {
    do throws(SystemCallError) {
      try file.write(ending.appendix, at: ending.offset)
      try file.synchronize()
    } catch {
      file.truncate(to: size)
      let remedy = FilmRecovery.remedy(withoutRoomFor: file.path, isOfRig: isOfRig)
      let reason: Sentence =
        error.isFull
        ? "there is no room for its index of \(ending.appendix.count) bytes; \(sentence: remedy)"
        : "its index could not be written"
      // A command to copy comes last, without a cause behind it.
      throw CamrecError(
        .output, about: nil, "'\(file.path)' is unchanged: \(sentence: reason)",
        cause: error.isFull && isOfRig ? nil : error.words, reason: error.isFull ? .noRoom : nil)
    }
    do throws(SystemCallError) {
      try file.write(ending.cover, at: salvage.headerOffset)
      try file.synchronize()
    } catch {
      throw CamrecError(
        .output, "the index of '\(file.path)' was written but cannot be put to use; try again", cause: error.words)
    }
  }

  /// Whoever reads a rig's log has given no command, and needs a whole one.
  private static func remedy(withoutRoomFor path: String, isOfRig: Bool) -> Sentence {
    guard isOfRig else { return "make room, or write a new file elsewhere with \(setting: .output)" }
    // It does when the camera records again; an `OutputFault` says it in the same words. A rig works in its file's
    // folder, and whoever copies the command need not.
    return "make room, and the rig recovers it as soon as it can, or run camrec recover "
      + "\(ShellWord.of(PathText(path).absolute)) \(setting: .output) ELSEWHERE.mov"
  }

  private func write(
    _ ending: MovieSalvage.Ending, _ salvage: MovieSalvage, copying file: borrowing FilmFile, to output: String
  ) throws(CamrecError) {
    var taken = stat()
    guard unsafe lstat(output, &taken) != 0 else {
      throw FilmRecovery.refusal(of: output, EEXIST)
    }
    let part = output + ".part"
    let copy = try FilmFile(creating: part, mode: file.mode)
    do throws(CamrecError) {
      var offset: UInt64 = 0
      while offset < salvage.size {
        let bytes = try file.read(at: offset, count: FilmRecovery.piece)
        guard !bytes.isEmpty else { throw CamrecError(.input, "'\(file.path)' became shorter while it was being read") }
        do throws(SystemCallError) { try copy.write(bytes, at: offset) } catch {
          let reason = error.isFull ? "there is no room for it" : "it could not be written"
          throw CamrecError(.output, "'\(output)' was not created: \(reason)", cause: error.words)
        }
        offset += UInt64(bytes.count)
      }
      try FilmRecovery.finish(copy, ending, salvage, size: Int64(salvage.size))
      do throws(NewName.Failure) { try NewName.give(output, to: part) } catch {
        throw FilmRecovery.refusal(of: output, error.number)
      }
    } catch {
      try? SystemCall.unlink(part)
      throw error
    }
    try? FolderSync.synchronize(folderOf: output)
  }

  private static func refusal(of output: String, _ number: Int32) -> CamrecError {
    switch number {
    case EEXIST:
      CamrecError(
        .output, about: .output, "'\(output)' exists already; choose another \(setting: .output)", reason: .exists)
    case EOPNOTSUPP:
      CamrecError(
        .output, about: .output,
        "'\(output)' was not created: its file system cannot rename a file without replacing another; choose an "
          + "\(setting: .output) on another file system")
    default: CamrecError(.output, "cannot create '\(output)'", cause: SystemError.words(for: number))
    }
  }

  private static let piece = 1 << 22

  /// Appends to the sidecar what has become of the film.
  private static func note(
    _ outcome: RecoveredFilm, _ comparison: SidecarComparison?, sidecar: String, copiedTo copy: String?
  ) throws(CamrecError) {
    guard let comparison else { return }
    if let copy {
      do { try FileManager.default.copyItem(atPath: sidecar, toPath: copy) } catch {
        throw CamrecError(
          .output, "the film is recovered, but its sidecar could not be copied to '\(copy)'",
          cause: error.localizedDescription)
      }
    }
    let ticks = (outcome.seconds / comparison.head.timeBase.doubleValue).rounded()
    let end = SidecarRecovery(
      date: Date(), frames: outcome.frames, missing: comparison.missingFrames, unlisted: comparison.unlisted,
      silentSamples: outcome.silentSamples, missingSamples: outcome.missingSamples ?? 0,
      unwritten: comparison.unwritten, ticks: Int64(saturating: ticks))
    try SidecarWriter.append(
      comparison.missing.map { .missing(frame: $0.frame, count: $0.count) } + [.recovered(end)], to: copy ?? sidecar)
  }
}
