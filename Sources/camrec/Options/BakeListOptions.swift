import ArgumentParser
import Assembly
import Jobs

/// Options for baking many clips.
struct BakeListOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Bake the clips in this list: a text file with one path per line.",
      discussion: """
        Relative paths start at the list's folder, and a line that begins with '#' is a comment. In --output, '{clip}' \
        stands for the clip's name, so that each film gets its own name. --engine and --shard require --list.
        """, valueName: "FILE"), completion: .file()) var list: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp(
      "Number of clips to bake at the same time. Default: 1.", valueName: "N"),
    transform: { try WholeNumber.parse($0, "the number of jobs is", in: 1...256) }) var jobs: Int?

  @OptionGroup var sharing: SharingOptions<ClipWork>

  func validate() throws {
    guard list == nil else { return }
    let given = [("--engine", sharing.engine != .local), ("--shard", sharing.shard != nil)]
    if let name = given.first(where: \.1)?.0 { throw ValidationError("\(name) requires --list") }
  }
}
