import Foundation
public import Frames
import MovieBoxes
import Movies
import Sidecar
import SystemCalls

/// Turns what a crash left of a live .mov into an ordinary .mov: its timecode, rotation, colour and sound, and every
/// sample as it was recorded.
///
/// Where the film lies, as a clean stop does it: an index is appended behind everything that is there, and when that is
/// on the medium, one write of 16 bytes at the beginning puts it to use. Until that write the file is what it was, with
/// something behind it; no byte of a sample, of a torn end or of a hole is written over or cut off. It takes as long as
/// reading the headers of the fragments. With `output` the same is done to a copy, which gets its name when it is on
/// the medium.
///
/// Thread: any; two at once for a film refuse each other, and a film that is being recorded.
public struct FilmRecovery: Sendable {
  /// Nothing is written; the outcome says what would be done.
  public var isDry: Bool
  /// Where a new file is made, and the original stays as it is; `nil` recovers in place.
  public var output: String?
  /// A film is changed where it lies although nothing tells whether somebody records into it: its file system has no
  /// locks.
  public var isForced: Bool
  /// Asked where a file system has no locks: whether a recorder of this machine says that it records there.
  public var isBeingRecorded: @Sendable (_ path: String) -> Bool
  /// Seconds for which a film without a lock has to stay as it is before it is changed.
  package var stillness = 10.0
  /// As `flock`: 0, or an error number.
  package var lock: @Sendable (_ descriptor: Int32, _ operation: Int32) -> Int32 = FilmFile.systemLock

  public init(
    isDry: Bool = false, output: String? = nil, isForced: Bool = false,
    isBeingRecorded: @escaping @Sendable (_ path: String) -> Bool = { _ in false }
  ) {
    self.isDry = isDry
    self.output = output
    self.isForced = isForced
    self.isBeingRecorded = isBeingRecorded
  }

  /// Recovers one film, or says why nothing is to be done. What a killed bake has left is treated as in its folder;
  /// with `output` a copy is made of it, as of any film.
  ///
  /// - Parameter path: the film, or its sidecar.
  /// - Throws: code `input` for a film of which nothing can be recovered, `output` for one that is in use or cannot be
  ///   written.
  public func recover(_ path: String) throws(CamrecError) -> RecoveredFilm {
    let film = FilmRecovery.film(of: path)
    if output == nil, let leftover = try takeLeftover(film) { return leftover }
    return try recover(film: film)
  }

  /// The same whatever it is called.
  func recover(film: String) throws(CamrecError) -> RecoveredFilm {
    let file = try FilmFile(path: film, isReading: isDry || output != nil, lock: lock)
    if let known = try FilmRecovery.outcome(ofOther: file) { return known }
    if try FilmRecovery.isUnbegun(file) { return try remove(file) }
    let salvage = try MovieSalvage(size: UInt64(file.size)) { (offset, count) throws(CamrecError) in
      try file.read(at: offset, count: count)
    }
    guard salvage.kind != .ordinary else { return RecoveredFilm(path: film, verdict: .finished) }
    guard salvage.kind == .fragments, salvage.pictures > 0 else {
      throw CamrecError(
        .input,
        "nothing of '\(film)' can be recovered: "
          + (salvage.kind == .fragments
            ? "it was cut off before its first fragment was written"
            : "it has no movie header: it was cut off in its first second, or after it was finished"))
    }
    let sidecar = SidecarFile.path(ofFilm: film)
    let comparison = SidecarFile.isSidecar(sidecar) ? try? SidecarComparison(salvage, sidecar: sidecar) : nil
    let ending: MovieSalvage.Ending
    do throws(BoxDamage) { ending = try salvage.ending(timecode: comparison.flatMap(FilmRecovery.timecode)) } catch {
      throw CamrecError(.input, "'\(film)' plays as it is, but no index can be made of it", cause: error.description)
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
      try FilmRecovery.finish(file, ending, salvage, size: file.size)
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
    guard file.size > 0 else { throw CamrecError(.input, "'\(file.path)' is empty: nothing of it can be recovered") }
    switch RecordingKind(try file.read(at: 0, count: RecordingKind.headBytes)) {
    case .matroska: return RecoveredFilm(path: file.path, verdict: .matroska)
    case .hashes: return RecoveredFilm(path: file.path, verdict: .hashes)
    case .quickTime, .sidecar, nil: return nil
    }
  }

  /// Made ready and never begun. One that has begun has a sidecar, or a header.
  private static func isUnbegun(_ file: borrowing FilmFile) throws(CamrecError) -> Bool {
    guard file.size == PreparedMark.bytes.count, !SidecarFile.isSidecar(SidecarFile.path(ofFilm: file.path)) else {
      return false
    }
    return try file.read(at: 0, count: PreparedMark.bytes.count) == PreparedMark.bytes
  }

  private func remove(_ file: borrowing FilmFile) throws(CamrecError) -> RecoveredFilm {
    guard output == nil else {
      throw CamrecError(.input, "'\(file.path)' was made ready for a film that never began: nothing can be made of it")
    }
    guard !isDry else { return RecoveredFilm(path: file.path, verdict: .unbegun) }
    guard file.isLocked, file.isInPlace else {
      throw CamrecError(
        .input,
        "'\(file.path)' was made ready for a film that never began, and stays: it cannot be known here that nobody"
          + " records into it; remove it by hand when no recorder runs")
    }
    guard unsafe unlink(file.path) == 0 else {
      throw CamrecError(
        .output, "'\(file.path)' was made ready for a film that never began, and cannot be removed",
        cause: SystemError.words(for: errno))
    }
    return RecoveredFilm(path: file.path, verdict: .removed)
  }

  /// The first frame's label, counted in frames.
  private static func timecode(_ comparison: SidecarComparison) -> UInt32? {
    guard let text = comparison.head.timecode, let label = try? Timecode(parsing: text, rate: comparison.head.frameRate)
    else { return nil }
    return UInt32(exactly: label.frameNumber(at: comparison.head.frameRate))
  }

  /// Without a lock: no recorder says that it records there, and the file stands still.
  private func makeSureNobodyRecords(into file: borrowing FilmFile) throws(CamrecError) {
    guard !file.isLocked, !isForced else { return }
    guard !isBeingRecorded(file.path) else { throw FilmFile.inUse(file.path) }
    guard file.standsStill(seconds: stillness), !isBeingRecorded(file.path) else {
      throw CamrecError(
        .output,
        "'\(file.path)' stays as it is: its file system has no locks, and it has changed within \(Int(stillness))"
          + " seconds, so somebody may be recording it; try again when the recording has ended, or have a new file made"
          + " with --output")
    }
  }

  // MARK: Writing

  /// Makes an ordinary movie of a file with the fragments.
  private static func finish(
    _ file: borrowing FilmFile, _ ending: MovieSalvage.Ending, _ salvage: MovieSalvage, size: Int64
  ) throws(CamrecError) {
    do throws(FilmFile.Failure) {
      try file.write(ending.appendix, at: ending.offset)
      try file.synchronize()
    } catch {
      file.truncate(to: size)
      let reason =
        error.isFull
        ? "there is no room for its index, \(ending.appendix.count) bytes; make some, or have a new file made elsewhere with --output"
        : "its index could not be written"
      throw CamrecError(.output, "'\(file.path)' stays as it was: \(reason)", cause: error.words)
    }
    do throws(FilmFile.Failure) {
      try file.write(ending.cover, at: salvage.headerOffset)
      try file.synchronize()
    } catch {
      throw CamrecError(
        .output, "the index of '\(file.path)' is there and could not be put to use; try again", cause: error.words)
    }
  }

  private func write(
    _ ending: MovieSalvage.Ending, _ salvage: MovieSalvage, copying file: borrowing FilmFile, to output: String
  ) throws(CamrecError) {
    var taken = stat()
    guard unsafe lstat(output, &taken) != 0 else {
      throw CamrecError(.output, "'\(output)' exists already; choose another --output")
    }
    let part = output + ".part"
    let copy = try FilmFile(creating: part, mode: file.mode)
    do throws(CamrecError) {
      var offset: UInt64 = 0
      while offset < salvage.size {
        let bytes = try file.read(at: offset, count: FilmRecovery.piece)
        guard !bytes.isEmpty else { throw CamrecError(.input, "'\(file.path)' has become shorter while it was read") }
        do throws(FilmFile.Failure) { try copy.write(bytes, at: offset) } catch {
          let reason = error.isFull ? "there is no room for it" : "it could not be written"
          throw CamrecError(.output, "'\(output)' was not made: \(reason)", cause: error.words)
        }
        offset += UInt64(bytes.count)
      }
      try FilmRecovery.finish(copy, ending, salvage, size: Int64(salvage.size))
      do throws(NewName.Failure) { try NewName.give(output, to: part) } catch {
        throw FilmRecovery.refusal(of: output, error.number)
      }
    } catch {
      unsafe _ = unlink(part)
      throw error
    }
    try? FolderSync.synchronize(folderOf: output)
  }

  private static func refusal(of output: String, _ number: Int32) -> CamrecError {
    switch number {
    case EEXIST: CamrecError(.output, "'\(output)' exists already; choose another --output")
    case EOPNOTSUPP:
      CamrecError(
        .output,
        "'\(output)' was not made: its file system cannot name a file without replacing another; choose an --output on "
          + "another file system")
    default: CamrecError(.output, "'\(output)' cannot be created", cause: SystemError.words(for: number))
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
    let end = SidecarRecovery(
      date: Date(), frames: outcome.frames, missing: comparison.missingFrames, unlisted: comparison.unlisted,
      silentSamples: outcome.silentSamples)
    try SidecarWriter.append(
      comparison.missing.map { .missing(frame: $0.frame, count: $0.count) } + [.recovered(end)], to: copy ?? sidecar)
  }
}
