import ArgumentParser

/// `camrec golden`.
struct GoldenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "golden", abstract: "Say whether reference clips still come out as they did.",
    usage: """
      camrec golden init FOLDER
      camrec golden add SUITE.yaml CLIP …
      camrec golden record SUITE.yaml [CASE …]
      camrec golden check [--jobs N] [--repeat N] [--workers N,…] [--cpu NAME,…] [--bake-on cpu,gpu] SUITE.yaml [CASE …]
      camrec golden update [--changed-only] SUITE.yaml [CASE …]
      """,
    discussion: """
      A suite names cases: a clip and its SHA-256, and what 'camrec bake' is told. Its goldens are texts in FFmpeg's \
      framemd5 format, a line for each picture: as the clip's decoder gives it (read), as the bake gives it to an encoder \
      (baked), and as a decoder gives it of the film (decoded, for which a case may say limits on PSNR, SSIM and ΔE2000); of \
      the film's sound (sound); and lists of what its container and the clip's sidecar say (container, sidecar). \
      Documentation/Goldens.md has the format.
      """, subcommands: [
        GoldenInitCommand.self, GoldenAddCommand.self, GoldenRecordCommand.self, GoldenCheckCommand.self, GoldenUpdateCommand.self,
      ])
}
