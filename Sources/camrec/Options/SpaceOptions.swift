import ArgumentParser
import Frames
import Retention

/// What is done while the disk gets full, and how long films are kept.
struct SpaceOptions: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Warn when there is room for less than so much time, or less than so many bytes: 30m,500MB, the default; or none.",
      discussion: """
        Each is said once, and again when there was half as much more in between. The time is reckoned from what the \
        last minute of the recording has taken.
        """, valueName: "marks"),
    completion: .list(["30m,500MB", "none"]), transform: { try SpaceMarks(parsing: $0) })
  var warnSpace: [SpaceMarks] = []

  @Option(
    help: ArgumentHelp(
      "Before the disk is full: stop, with the film whole, or rotate: delete the oldest films until there is room.",
      discussion: """
        Deleted are films that camrec has made in this folder since it was told to look after them (--on-full rotate, \
        --keep-… or --hook), never the newest of a recorder, nor one that 'camrec keep' has marked, that was changed or replaced, is in use, or that a \
        hook has still to handle. Where none may go, the film ends.
        """))
  var onFull = OnFull.stop

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Delete this recorder's films that are older: 30d, 12h; the newest stays.", valueName: "time"),
    transform: { try FilmAge(parsing: $0) })
  var keepAge: FilmAge?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Keep at most so many of this recorder's films: the oldest go.", valueName: "N"),
    transform: { try WholeNumber.parse($0, "the number of films to keep is", in: 1...Int.max) })
  var keepCount: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Keep at most so many bytes of this recorder's films: 500GB.", valueName: "size"),
    transform: ByteSize.init(parsing:))
  var keepSize: ByteSize?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Delete the oldest films of this folder while less is free on its disk: 20GB.", valueName: "size"),
    transform: ByteSize.init(parsing:))
  var keepFree: ByteSize?

  @Option(
    help: ArgumentHelp(
      "Films that --keep-age, --keep-count and --keep-size count: recorder (this one's), or folder (all there)."))
  var keepScope = KeepScope.recorder

  var marks: [SpaceMark] { warnSpace.isEmpty ? SpaceMark.standard : warnSpace.flatMap(\.marks) }

  var limits: RetentionLimits {
    RetentionLimits(age: keepAge?.seconds, count: keepCount, bytes: keepSize?.bytes, freeBytes: keepFree?.bytes,
      scope: keepScope.scope)
  }

  /// Films are to be entered into their folder's catalogue.
  var looksAfterFilms: Bool { onFull == .rotate || !limits.isEmpty }
}

enum KeepScope: String, ExpressibleByArgument, CaseIterable {
  case recorder, folder

  var scope: RetentionScope { self == .recorder ? .recorder : .folder }
}

enum OnFull: String, ExpressibleByArgument, CaseIterable {
  case stop, rotate

  var full: SpaceGuard.Full { self == .stop ? .stop : .rotate }
}
