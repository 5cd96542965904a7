import ArgumentParser

/// `camrec golden`.
struct GoldenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "golden", abstract: "Say whether reference clips still come out as they did.",
    usage: """
      camrec golden record SUITE.yaml [CASE …]
      camrec golden check [--jobs N] [--json FILE] [--junit FILE] SUITE.yaml [CASE …]
      camrec golden update [--changed-only] SUITE.yaml [CASE …]
      """,
    discussion: """
      A suite names cases: a clip and its SHA-256, and what 'camrec bake' is told. Its goldens are texts in FFmpeg's \
      framemd5 format, a line for each picture: as the clip's decoder gives it (read), and as the bake gives it to an \
      encoder (baked). Documentation/Goldens.md has the format.
      """, subcommands: [GoldenRecordCommand.self, GoldenCheckCommand.self, GoldenUpdateCommand.self])
}
