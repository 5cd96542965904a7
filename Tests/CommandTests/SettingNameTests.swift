import Frames
import TestKit
import Testing

/// The settings that sentences speak of are options of the command line.
@Suite struct SettingNameTests {
  @Test func everySettingIsAnOption() throws {
    let program = try CamrecBinary.find()
    let help = try ["record", "bake", "compare", "ctl"].map { try program.run([$0, "--help"]).standardOutput }
    let options = Set(help.joined(separator: "\n").matches(of: /--[a-z][a-z-]*/).map { String($0.0) })
    for setting in SettingName.allCases { #expect(options.contains(setting.option), "\(setting.option)") }
  }
}
