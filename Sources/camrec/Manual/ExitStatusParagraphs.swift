/// What the exit status of a command says beyond the list that holds for all. For the manual page: help is for what
/// somebody types.
enum ExitStatusParagraphs {
  /// - Parameter command: its full name, `camrec lut check`.
  static func text(of command: String) -> String? { texts[command].map { "Exit status: \($0)" } }

  private static let texts = [
    "camrec record":
      "3 if the ledger or a warning names a loss, or if a film was deleted during the recording and copied; 69 if the "
      + "camera or microphone failed (what was recorded until then is kept); 74 if the output cannot be created or "
      + "written, its disk is full, or a deleted film is lost.",
    "camrec recover": "0 if every film is whole, 4 if --check found an unfinished one, 65 if nothing of a film can be "
      + "recovered.",
    "camrec rig check":
      "0 if every camera can record, 5 if the rig starts but a camera cannot record as things are now (a folder, a LUT "
      + "or a program is missing), 64 if something in the file is wrong, 65 if the file cannot be read or others can "
      + "write it.",
    "camrec status":
      "0 if they run, 69 if one of them does not, or has said nothing for more than 5 seconds. A recorder that ended "
      + "without a failure counts only if you name it.",
    "camrec doctor": "0 if all is well, 4 with warnings, 5 if a recording would fail.",
    "camrec verify": "0 without warnings and errors, 4 with warnings, 5 with errors.",
    "camrec compare":
      "0, or with limits 0 if they are kept; 5 if they are not, if a frame is missing, repeated or added, or if the "
      + "clips show nothing in common; 65 if a clip cannot be read, or the two differ in size.",
    "camrec golden check":
      "0 if every case holds, 5 if one differs or has no golden, 64 if the suite says something wrong, 65 if a clip is "
      + "missing, is not the one that the suite names, or cannot be read, or if a golden cannot; the worst of several.",
    "camrec golden record":
      "0 if all goldens are there, 5 if a case that has one of its goldens differs from it, 64 if the suite says "
      + "something wrong, 65 if a clip is missing, is not the one that the suite names, or cannot be read.",
    "camrec golden update": "as for 'camrec golden check', except that a difference is no fault once it is written.",
    "camrec lut check": "0 if nothing is odd, 4 if something is, 65 if a file cannot be read.",
    "camrec exposure replay":
      "0 if every decision is the same, 4 if one is not, with its line and both decisions, 65 if the file is no trace, "
      + "with its line.",
  ]
}
