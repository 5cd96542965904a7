import ArgumentParser

/// `camrec golden`.
struct GoldenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "golden", abstract: "Check that reference clips still give the same results.",
    usage: """
      camrec golden init FOLDER
      camrec golden add SUITE.yaml CLIP …
      camrec golden record SUITE.yaml [CASE …]
      camrec golden check [OPTION …] SUITE.yaml [CASE …]
      camrec golden update [--changed-only] SUITE.yaml [CASE …]
      """,
    discussion: """
      Begin with 'camrec golden init FOLDER' and 'camrec golden record FOLDER/suite.yaml'; 'camrec golden check' then \
      compares.

      A suite lists cases. Each has a clip, the clip's SHA-256, and options of 'camrec bake'. The goldens are text \
      files, one for each stage that a case compares:

        read       the frames as decoded from the clip
        baked      the frames as the encoder gets them
        decoded    the frames as decoded from the film
        sound      the audio of the film
        container  what the film's container says
        sidecar    what the clip's sidecar says

      The first three have one hash per frame, and sound has one per tenth of a second, each on a line of its own, in \
      FFmpeg's framemd5 format. For decoded, a case may also set limits on PSNR, SSIM and ΔE2000. \
      Documentation/Goldens.md describes suites and goldens.
      """, subcommands: [
        GoldenInitCommand.self, GoldenAddCommand.self, GoldenRecordCommand.self, GoldenCheckCommand.self,
        GoldenUpdateCommand.self,
      ])
}
