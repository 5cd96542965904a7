import ArgumentParser

/// `camrec golden`.
struct GoldenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "golden", abstract: "Check that reference clips still give the same results.",
    usage: """
      camrec golden init FOLDER
      camrec golden add SUITE.yaml CLIP …
      camrec golden record SUITE.yaml [CASE …]
      camrec golden check [--jobs N] [--repeat N] [--workers N,…] [--cpu NAME,…] [--bake-on cpu,gpu] SUITE.yaml [CASE …]
      camrec golden update [--changed-only] SUITE.yaml [CASE …]
      """,
    discussion: """
      Begin with 'camrec golden init FOLDER' and 'camrec golden record FOLDER/suite.yaml'; 'camrec golden check' then \
      compares.

      A suite lists cases: a clip with its SHA-256, and options of 'camrec bake'. The goldens are text files. Those in \
      FFmpeg's framemd5 format have one line per frame: as decoded from the clip (read), as baked for the encoder \
      (baked), and as decoded from the film (decoded, for which a case may set limits on PSNR, SSIM and ΔE2000). \
      Another holds the film's audio (sound), and two list what the film's container and the clip's sidecar say \
      (container, sidecar). Documentation/Goldens.md describes the format.
      """, subcommands: [
        GoldenInitCommand.self, GoldenAddCommand.self, GoldenRecordCommand.self, GoldenCheckCommand.self,
        GoldenUpdateCommand.self,
      ])
}
