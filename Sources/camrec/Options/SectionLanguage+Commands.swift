import ArgumentParser
import Assembly
import Jobs
import SectionFile

extension SectionLanguage {
  /// The language of a command's options.
  ///
  /// - Parameter value: what the parsed command means.
  fileprivate init<Command: ParsableCommand>(
    _ schema: SectionSchema, _ command: Command.Type, _ value: @escaping (Command) -> Value
  ) {
    self.init(schema: schema) { (words) throws(ArgumentRefusal) in
      do { return value(try Command.parse(words)) } catch {
        throw ArgumentRefusal(message: Command.message(for: error), reason: RefusedValue(error)?.reason)
      }
    }
  }
}

extension SectionLanguage<ServiceSettings> {
  /// What a rig file may say of a camera: the options of `camrec record`.
  ///
  /// - Throws: if the command line's description of itself cannot be read, which is a defect.
  static func cameras() throws -> SectionLanguage {
    SectionLanguage(try .ofRecord(), RecordCommand.self, \.settings)
  }
}

extension SectionLanguage<GoldenCaseSettings> {
  /// What a suite may say of a case.
  ///
  /// - Throws: if the options' description of themselves cannot be read, which is a defect.
  static func cases() throws -> SectionLanguage {
    let words = try CommandInfo(dump: GoldenCaseWords._dumpHelp())
    return SectionLanguage(.cases(words.sectionOptions), GoldenCaseWords.self, \.settings)
  }
}

extension SectionSchema {
  fileprivate static func cases(_ options: [Option]) -> SectionSchema {
    SectionSchema(
      names: Names(file: "suite", one: "case", all: "cases", limit: 10_000), keys: ["goldens"], options: options,
      refused: [
        "workers": "goldens do not depend on the number of workers",
        "bake-on": "goldens do not depend on the device", "cores": "goldens do not depend on the number of cores",
        "overwrite": "the encoded film is removed again", "json": "use --report FILE on the command line",
        "help": "run camrec golden --help instead", "version": "run camrec --version instead",
      ], byteLimit: 8 << 20)
  }
}
