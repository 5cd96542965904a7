import ArgumentParser

/// `camrec golden record`.
struct GoldenRecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Make the goldens that a suite does not have yet.",
    discussion: """
      Those that are there stay as they are. Exit status: 0 where all are there, 5 where a case that has one of its \
      goldens differs from it, 64 where the suite says something wrong, 65 where a clip is missing, is another than the \
      suite says, or cannot be read.
      """)

  @OptionGroup var suite: SuiteOptions

  func run() throws { try suite.run(.record) }
}
