public import ArgumentParser
import Assembly
import Frames
public import Retention

/// What camrec does when the disk gets full, and how long it keeps films.
struct SpaceOptions: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Warn when less than this recording time, or fewer than this many bytes, remain: 30m,500MB (the default), or"
        + " none.",
      discussion: """
        camrec warns once for each threshold, and again only after the room has grown to 1.5 times the threshold. It \
        estimates the time from how fast the recording or everything on the disk used space in the last minute, \
        whichever was faster.
        """, valueName: "THRESHOLDS"),
    completion: .list(["30m,500MB", "none"]), transform: { try SpaceMarks(parsing: $0) })
  var warnSpace: [SpaceMarks] = []

  @Option(
    help: ArgumentHelp(
      "Before the disk is full: stop with a complete film, or rotate: delete the oldest films to make room.",
      discussion: """
        camrec deletes only films that it made in this folder after you told it to manage them (--on-full rotate, \
        --keep-… or --hook). It never deletes a recorder's newest film, nor a film that has a keep mark ('camrec \
        keep'), was changed or replaced, is in use, or still waits for a hook. If nothing may be deleted, the \
        recording stops with a complete film.
        """, valueName: "ACTION"))
  var onFull = SpaceGuard.Full.usual

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Delete this recorder's films when they are older than this: 30d, 12h; the newest stays.", valueName: "AGE"),
    transform: { try FilmAge(parsing: $0) })
  var keepAge: FilmAge?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Keep at most this many of this recorder's films, and delete the oldest.",
      discussion: "Films with a keep mark or waiting for a hook do not count, here and for --keep-size.",
      valueName: "N"),
    transform: { try WholeNumber.parse($0, "the number of films to keep is", in: 1...Int.max) })
  var keepCount: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Keep at most this many bytes of this recorder's films: 500GB.", valueName: "SIZE"),
    transform: ByteSize.init(parsing:))
  var keepSize: ByteSize?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Delete the oldest films in this folder while its disk has less free space than this: 20GB.", valueName: "SIZE"),
    transform: ByteSize.init(parsing:))
  var keepFree: ByteSize?

  @Option(
    help: ArgumentHelp(
      "Which films --keep-age, --keep-count and --keep-size count and delete: recorder (this recorder's; the default),"
        + " or folder (all in the folder, also those of other recorders).", valueName: "SCOPE"))
  var keepScope: RetentionScope?

  var marks: [SpaceMark] { warnSpace.isEmpty ? SpaceMark.standard : warnSpace.flatMap(\.marks) }

  var limits: RetentionLimits {
    RetentionLimits(age: keepAge?.seconds, count: keepCount, bytes: keepSize?.bytes, freeBytes: keepFree?.bytes,
      scope: keepScope ?? RetentionLimits().scope)
  }

  func validate() throws {
    if keepScope != nil, keepAge == nil, keepCount == nil, keepSize == nil {
      throw ValidationError("--keep-scope requires --keep-age, --keep-count or --keep-size")
    }
  }

  /// Whether films are entered into their folder's catalogue.
  var looksAfterFilms: Bool { onFull == .rotate || !limits.isEmpty }
}

extension RetentionScope: ExpressibleByArgument {}

extension SpaceGuard.Full: ExpressibleByArgument {}
