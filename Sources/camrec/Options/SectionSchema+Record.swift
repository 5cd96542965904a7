import ArgumentParser
import Rig
import SectionFile

extension SectionSchema {
  /// The keys of a camera: the options of `camrec record`, taken from its help.
  ///
  /// - Throws: if the command line's description of itself cannot be read, which is a defect.
  static func ofRecord() throws -> SectionSchema {
    let root = try CommandInfo(dump: Camrec._dumpHelp())
    let record = root.leaves.first { $0.commandName == "record" }
    return SectionSchema(
      names: rig, keys: RigKey.allCases.map(\.rawValue), options: record?.sectionOptions ?? [], refused: reserved)
  }

  /// More cameras than any machine has ports for.
  private static let rig = Names(file: "rig file", one: "camera", all: "cameras", limit: 64)

  /// Options that the rig itself sets for its recordings.
  private static let reserved = [
    "json": "the rig reads the recordings' events itself; 'camrec rig --json' prints them",
    "name": "a recording is named after its camera",
    "log": "'camrec rig --log' applies to its recordings, too",
    "log-level": "'camrec rig --log-level' applies to its recordings, too",
    "until-input-ends": "every recording of a rig ends with the rig",
    "help": "run camrec record --help instead",
    "version": "run camrec --version instead",
  ]
}

extension CommandInfo {
  /// The keys of a file section that this command reads.
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
