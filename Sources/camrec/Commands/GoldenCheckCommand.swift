import ArgumentParser

/// `camrec golden check`.
struct GoldenCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Report what differs from the goldens.",
    discussion: """
      Frames are matched by content, else by their times, so that camrec can report one as missing, repeated or late.

      With --repeat, --workers, --cpu or --bake-on, each case is baked in every combination of these, and all must \
      match the first to the bit, whatever the goldens say. If one does not, camrec names the first frame that differs \
      and the first sample in it.

      --json prints, and --report FILE writes, one object: format "camrec-golden" and version 1; suite, status, and \
      cases: name, verdict (holds, differs, error), seconds, error, and stages: stage (read, baked, decoded, sound, \
      container, sidecar), outcome (holds, differs, unknown, there, written), count, unit (frames, samples, facts), \
      note, differences.
      """)

  @OptionGroup(title: "Determinism") var ways: VariantOptions
  @OptionGroup(title: "Sharing") var sharing: SharingOptions
  @OptionGroup var suite: SuiteOptions

  func run() throws { try suite.run(.check, ways: ways, sharing: sharing) }
}
