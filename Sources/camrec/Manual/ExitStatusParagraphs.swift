/// What a command's exit status means beyond the general list. The manual page prints it, unless the command's own help
/// has it.
enum ExitStatusParagraphs {
  /// - Parameter command: its full name, `camrec lut check`.
  static func text(of command: String) -> String? { texts[command].map { "Exit status: \($0)" } }

  private static let texts = [
    "camrec record":
      "3 if the ledger or a warning names a loss, if the microphone failed during the recording, if the camera failed "
      + "and camrec waited for it, or if a film was deleted meanwhile and copied; 69 if the camera failed otherwise "
      + "(what was recorded until then is kept), or if the camera or microphone was missing at the start; 74 if the "
      + "output cannot be created or written, its disk is full, or a deleted film is lost.",
    "camrec recover":
      "0 if nothing is left to do; 4 if --check found something to do; 65 if nothing of a film can be recovered; 74 if"
        + " a film is in use, or cannot be written. If several apply, the worst: the first of 74, 65 and 4.",
    "camrec rig check":
      "0 if no finding keeps a camera from recording; 5 if the rig starts but a camera cannot record now (a folder, a"
        + " LUT or a program is missing); 64 if there is a mistake in the file; 65 if the file cannot be read, or if"
        + " others can write to it.",
    "camrec status":
      "0 if the recorders run; 69 if there is none, or if one of them does not run, or has not written its state file"
        + " for more than 5 seconds. One that ended without a failure makes it 69 only if you name it.",
    "camrec doctor": "0 if all is well; 4 with warnings; 5 if a recording would fail.",
    "camrec verify":
      "0 if there are no warnings or errors; 4 for warnings; 5 for errors; 65 if a film cannot be read; 74 if it is in"
        + " use.",
    "camrec compare":
      "0 if no frame is missing, repeated, added or in another order and all given limits are met; 5 otherwise, also if"
        + " the clips have nothing in common; 64 if FFmpeg's filters are not installed; 65 if a clip cannot be read or"
        + " lacks the timecode or the numbers that --align needs, or if the clips differ in size, or, with --align"
        + " timecode, in frame rate.",
    "camrec golden check":
      "0 if every case holds; 5 if a case differs or has no golden; 64 if there is a mistake in the suite; 65 if a"
        + " clip is missing, cannot be read, does not have the SHA-256 in the suite or lacks what a case needs, or if"
        + " the suite, a LUT or a golden cannot be read;"
        + " 69 if the GPU failed or a Slurm job cannot run; 70 if a Slurm job ended without all results; 74 if a file"
        + " or standard output cannot be written; 130 if the run was interrupted."
        + " If several apply, the worst: the first of 130, 70, 74, 69, 64, 65 and 5.",
    "camrec golden record":
      "0 if all goldens exist; 5 if a case differs from a golden that it already has, or breaks its limits; 64 if there"
        + " is a mistake in the suite; 65, 74 and 130 as for 'camrec golden check'.",
    "camrec golden update": "as for 'camrec golden check', but a difference that was written no longer counts.",
    "camrec lut check": "0 without findings; 4 with findings; 65 if a file cannot be read.",
    "camrec look list": "0 if every look file can be read; 65 if one has a mistake; the others are listed.",
    "camrec look info": "64 if there is no such look; 65 if its file or table has a mistake, with the line.",
    "camrec look export":
      "64 if there is no such look; 65 if its file or table has a mistake, with the line; 74 if the .cube file exists "
      + "already or cannot be written.",
    "camrec exposure replay":
      "0 if every decision is the same; 4 if one differs, with its line and both decisions; 65 if the file is not a"
        + " trace, with the line.",
  ]
}
