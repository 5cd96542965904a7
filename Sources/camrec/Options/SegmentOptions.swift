import ArgumentParser

/// Into which files a recording is divided.
struct SegmentOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Go on in the next file, without a gap: after 10m of film, before 2GB, or at the clock's full clock:10m.",
      discussion: """
        The files are numbered: take-0001.mov, take-0002.mov, …, going on behind the highest number that is there; none \
        is ever replaced. Played one after another they are the whole recording. On a FAT disk a new file begins before \
        4 GiB in any case.
        """, valueName: "length"),
    completion: .list(["10m", "1h", "2GB", "clock:10m", "clock:1h"]), transform: SegmentChoice.init(parsing:))
  var segment: SegmentChoice?
}
