import ArgumentParser
import SectionFile

extension SectionSchema {
  /// What a camera may say: whatever `camrec record` takes, as its own help has it.
  ///
  /// - Throws: where the command line's description of itself cannot be read, which is a defect.
  static func ofRecord() throws -> SectionSchema {
    let root = try CommandInfo(dump: Camrec._dumpHelp())
    let record = root.leaves.first { $0.commandName == "record" }
    return SectionSchema(
      names: rig, keys: RigKey.allCases.map(\.rawValue), options: record?.sectionOptions ?? [], refused: reserved)
  }

  /// More cameras than any machine has ports for.
  private static let rig = Names(file: "rig file", one: "camera", all: "cameras", limit: 64)

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

extension CommandInfo {
  /// What a section of a file may say that is read by this command.
  var sectionOptions: [SectionSchema.Option] {
    shownArguments.compactMap { argument in
      guard argument.kind != "positional", let name = argument.names?.first(where: { $0.kind == "long" })?.name else {
        return nil
      }
      return SectionSchema.Option(
        name, argument.kind == "flag" ? .flag : .value, words: argument.allValues ?? [],
        isRepeating: argument.isRepeating == true, valueName: argument.valueName ?? "value")
    }
  }
}
