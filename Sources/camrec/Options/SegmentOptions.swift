import ArgumentParser
import Assembly

/// How a recording is divided into segments.
struct SegmentOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Continue in a new file, without a gap: after 10m of film, before the file exceeds 2GB, or at round times of day"
        + " (clock:10m).",
      discussion: """
        Segments are numbered take-0001.mov, take-0002.mov, …, continuing after the highest existing number; none is \
        ever replaced. A pattern in their name has the time of the first one. Played in order, they are the whole \
        recording. A segment lasts at least 1 s, so a file can exceed a very small size. On a FAT disk a new segment \
        always begins before 4 GiB.
        """, valueName: "LENGTH"),
    completion: .list(["10m", "1h", "2GB", "clock:10m", "clock:1h"]), transform: SegmentChoice.init(parsing:))
  var segment: SegmentChoice?
}
