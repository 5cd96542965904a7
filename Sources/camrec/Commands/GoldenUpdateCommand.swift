import ArgumentParser

/// `camrec golden update`.
struct GoldenUpdateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "update", abstract: "Say what has changed, and write the goldens anew.")

  @Flag(help: "Leave goldens that hold as they are.") var changedOnly = false
  @OptionGroup var suite: SuiteOptions

  func run() throws { try suite.run(changedOnly ? .updateChanged : .update) }
}
