import ArgumentParser

/// `camrec golden check`.
struct GoldenCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Say what is not as in the goldens.",
    discussion: """
      Pictures are known again by what they show, and else by their times: one that is missing, is there twice or \
      comes later is said as that.

      With --repeat, --workers, --cpu or --bake-on each case is baked in every combination of these, and all have to \
      come to the same bits as the first, whatever the goldens say; else the first picture and its first sample are \
      named.

      --json prints, and --report FILE writes, one object: format "camrec-golden" and its version, 1; suite, \
      status, and cases: name, verdict \
      (holds, differs, error), seconds, error, and stages: stage (read, baked, decoded, sound, container, sidecar), \
      outcome (holds, differs, unknown, there, written), count, unit (frames, samples, facts), note, differences.
      """)

  @OptionGroup(title: "Determinism") var ways: VariantOptions
  @OptionGroup(title: "Sharing") var sharing: SharingOptions
  @OptionGroup var suite: SuiteOptions

  func run() throws { try suite.run(.check, ways: ways, sharing: sharing) }
}
