import ArgumentParser
import RigFile

extension RigSchema {
  /// What a camera may say: whatever `camrec record` takes, as its own help has it.
  ///
  /// - Throws: where the command line's description of itself cannot be read, which is a defect.
  static func ofRecord() throws -> RigSchema {
    let root = try CommandInfo(dump: Camrec._dumpHelp())
    let record = root.leaves.first { $0.commandName == "record" }
    let options = (record?.shownArguments ?? []).compactMap { argument -> Option? in
      guard argument.kind != "positional", let name = argument.names?.first(where: { $0.kind == "long" })?.name else {
        return nil
      }
      return Option(
        name, argument.kind == "flag" ? .flag : .value, words: argument.allValues ?? [],
        isRepeating: argument.isRepeating == true, valueName: argument.valueName ?? "value")
    }
    return RigSchema(options: options, refused: reserved)
  }

  /// What the rig says itself to the recordings that it starts.
  private static let reserved = [
    "json": "the rig reads the recordings' events itself; 'camrec rig --json' prints them",
    "name": "a recording of a rig is called as its camera",
    "log": "'camrec rig --log' is its recordings' as well",
    "log-level": "'camrec rig --log-level' is its recordings' as well",
    "until-input-ends": "every recording of a rig ends with the rig",
    "help": "'camrec record --help' is for people",
    "version": "'camrec --version' says it",
  ]
}
