import ArgumentParser

/// `camrec golden check`.
struct GoldenCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Say which pictures are not as in the goldens.",
    discussion: """
      Pictures are known again by what they show, and else by their times: one that is missing, is there twice or comes \
      later is said as that. Exit status: 0 where every case holds, 5 where one differs or has no golden, 64 where the \
      suite says something wrong, 65 where a clip is missing, is another than the suite says, or cannot be read, or a golden \
      cannot; of several the gravest.

      --json writes one object: format "camrec-golden" and its version, 1; suite, status, and cases: name, verdict (holds, \
      differs, error), seconds, error, and stages: stage (read, baked), outcome (holds, differs, unknown, there, \
      written), pictures, differences.
      """)

  @OptionGroup var suite: SuiteOptions

  func run() throws { try suite.run(.check) }
}
