import ArgumentParser
import Jobs

/// `camrec golden record`.
struct GoldenRecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Make the goldens that a suite does not have yet.",
    usage: "camrec golden record [OPTION …] SUITE.yaml [CASE …]",
    discussion: """
      Existing goldens are left unchanged.
      """)

  @OptionGroup var suite: SuiteOptions

  func run() throws { try suite.run(.record) }
}
