import ArgumentParser

/// Many clips in one go.
struct BakeListOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Bake the clips of a list, a path a line (relative ones are meant from where it lies); a line that begins \
      with '#' is a comment. --output then names a film for each by '{clip}', which stands for the clip's name.
      """, valueName: "FILE"), completion: .file()) var list: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Clips of a list at a time. Default: 1.", valueName: "N"),
    transform: { try WholeNumber.parse($0, "the number of jobs is", in: 1...256) }) var jobs: Int?

  @OptionGroup var sharing: SharingOptions

  func validate() throws {
    guard list == nil else { return }
    let given = [("--engine", sharing.engine != .local), ("--shard", sharing.shard != nil)]
    if let name = given.first(where: \.1)?.0 { throw ValidationError("\(name) is for --list") }
  }
}
