import ArgumentParser
import Jobs

/// `camrec golden check`.
struct GoldenCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Report what differs from the goldens.",
    usage: "camrec golden check [OPTION …] SUITE.yaml [CASE …]",
    discussion: """
      camrec first matches frames by content, then the rest by time, so it can tell a missing frame from a moved, \
      repeated or late one.

      With --repeat, --workers, --cpu or --bake-on, camrec bakes each case in every combination of these. Every result \
      must have the same bits as the first, whatever the goldens say. If one does not, camrec names the first frame \
      that differs and the first sample in it.

      --json prints, and --report FILE writes, one object: format "camrec-golden" and version 1; suite, status, and \
      cases: name, verdict (holds, differs, error), seconds, error (why the case has no result; left out if it has \
      one), and stages (empty with an error): stage (read, baked, decoded, sound, container, sidecar), outcome, count \
      and unit (frames, samples, facts; left out for differs and unknown), note, differences. The outcomes are:

        holds    it is as in the golden, or within the limits
        differs  it is not
        unknown  there is no golden to compare with
        there    there is a golden, but nothing was compared with it
        written  the golden was written ('camrec golden record' and 'update')

      \(ExitStatusParagraphs.text(of: "camrec golden check") ?? "")
      """)

  @OptionGroup(title: "Determinism") var ways: VariantOptions
  @OptionGroup(title: "Splitting the work") var sharing: SharingOptions<CaseWork>
  @OptionGroup var suite: SuiteOptions

  func run() throws { try suite.run(.check, ways: ways, sharing: sharing) }
}
