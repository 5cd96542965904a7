import Color
import Frames
import Testing

/// What a LUT's name says of the pictures that it is for.
@Suite struct LUTPurposeTests {
  @Test(arguments: [
    ("log2709", TransferCharacteristic.rec709, "'log2709' is for log footage" as String?),
    ("log2709", .appleLog, nil), ("log2709", .slog3, nil), ("log2709", .unspecified, nil),
    ("Sony S-Log3 to Rec709", .rec709, "'Sony S-Log3 to Rec709' is for slog3"), ("Sony S-Log3 to Rec709", .slog3, nil),
    ("Sony_SLog3_SGamut3Cine", .vlog, "'Sony_SLog3_SGamut3Cine' is for slog3"),
    ("ARRI LogC4-to-Gamma24", .logC3, "'ARRI LogC4-to-Gamma24' is for logc4"),
    ("Apple Log", .rec709, "'Apple Log' is for apple-log"),
    ("AppleLogToRec709", .srgb, "'AppleLogToRec709' is for apple-log"),
    ("nlog_film", .rec709, "'nlog_film' is for log footage"),
    ("nlog_film", .vlog, "'nlog_film' is for another log curve"), ("Rec709 to LogC3", .rec709, nil),
    ("Golden Logic", .rec709, nil), ("Film's Logo", .rec709, nil), ("Log Cine", .appleLog, nil),
    ("S Log3", .rec709, "'S Log3' is for slog3"),
    ("warm", .rec709, nil), ("Catalogue of Dialogues", .rec709, nil), ("Analog look", .rec709, nil), ("", .pq, nil),
  ])
  func nameAndInput(name: String, input: TransferCharacteristic, doubt: String?) {
    #expect(LUTPurpose.doubt([name], about: input) == doubt)
  }

  /// As camrec itself names them.
  @Test(arguments: [
    ("Portra 400 (portra-400, version 2), rec709 to rec709", TransferCharacteristic.appleLog, "rec709" as String?),
    ("Portra 400 (portra-400, version 2), srgb to rec709", .slog3, "srgb"), ("srgb to rec709", .vlog, "srgb"),
    ("display-p3 to rec709", .slog3, "display-p3"), ("hlg to rec709", .pq, "hlg"), ("pq to rec709", .pq, nil),
    ("srgb to rec709", .rec709, nil), ("rec709 to rec709", .srgb, nil), ("rec601 to rec709", .rec709, nil),
    ("rec709 to rec709", .unspecified, nil), ("Rec709 to LogC3", .appleLog, "rec709"),
    ("Ode to Joy (ode, version 1), apple-log to rec709", .rec709, "apple-log"),
    ("apple-log rec2020 to rec709", .appleLog, nil), ("rec709", .appleLog, nil),
    ("PQ Rec2020 to Rec709", .pq, nil), ("HLG Rec2020 to Rec709", .hlg, nil), ("PQ Rec2020 to Rec709", .hlg, "pq"),
    ("HLG Rec2020 to Rec709", .rec709, "hlg"), ("Rec2020 PQ to Rec709", .pq, nil),
  ])
  func ownTitles(name: String, input: TransferCharacteristic, source: String?) {
    #expect(LUTPurpose.doubt([name], about: input) == source.map { "'\(name)' is for \($0)" })
  }

  @Test(arguments: [
    ("display-p3 to rec709", ColorPrimaries.rec709, "display-p3" as String?), ("display-p3 to srgb", .displayP3, nil),
    ("display-p3 to srgb", .unspecified, nil), ("srgb to rec709", .displayP3, "srgb"),
    ("rec709 to rec709", .smpte170m, nil), ("rec2020 to rec709", .rec709, "rec2020"),
  ])
  func primaries(name: String, primaries: ColorPrimaries, source: String?) {
    let doubt = LUTPurpose.doubt([name], about: .rec709, primaries: primaries)
    #expect(doubt == source.map { "'\(name)' is for \($0)" })
  }

  /// An Apple Log film says its primaries, but no curve: there is no number for it.
  @Test(arguments: [
    ("vlog v-gamut to rec709", ColorPrimaries.rec2020, "vlog" as String?),
    ("slog3 s-gamut3.cine to rec709", .rec2020, "slog3"), ("slog3", .rec709, nil),
    ("apple-log rec2020 to rec709", .rec2020, nil), ("apple-log rec2020 to rec709", .rec709, nil),
    ("flog2", .rec2020, nil), ("clog3", .rec2020, nil), ("slog2", .rec2020, nil), ("log2709", .rec2020, nil),
    ("pq to rec709", .rec2020, nil), ("hlg to rec709", .rec2020, nil), ("rec2020 to rec709", .rec2020, nil),
    ("rec709 to rec709", .rec2020, "rec709"), ("rec709 to rec709", .rec709, nil), ("warm", .rec2020, nil),
    ("vlog v-gamut to rec709", .unspecified, nil),
  ])
  func aCurveThatIsNotSaid(name: String, primaries: ColorPrimaries, source: String?) {
    let doubt = LUTPurpose.doubt([name], about: .unspecified, primaries: primaries)
    #expect(doubt == source.map { "'\(name)' is for \($0)" })
  }

  /// What comes out of LUTs, and what the film is tagged.
  static let outputs: [(String, ColorDescription, String?)] = [
    ("vlog v-gamut to display-p3", .rec709, "display-p3"),
    ("vlog v-gamut to display-p3", displayP3, nil), ("vlog v-gamut to rec709", displayP3, "rec709"),
    ("vlog v-gamut to rec709", .rec709, nil), ("vlog v-gamut to srgb", .rec709, nil),
    ("vlog v-gamut to rec709", .vlog, "rec709"), ("Rec709 to LogC3", .rec709, "logc3"), ("slog3 to vlog", .vlog, nil),
    ("Portra 400 (portra-400, version 2), rec709 to display-p3", .rec709, "display-p3"),
    ("slog3 s-gamut3.cine to rec709, Portra 400 (portra-400, version 2), rec709 to display-p3", displayP3, nil),
    ("Rec709 to Rec2020", .rec709, "rec2020"), ("Rec709 to Rec2020", .rec2020, nil),
    ("Rec709 to Rec2020 PQ", .rec2020, "pq"), ("HLG Rec2020 to PQ Rec2020", .rec2020, "pq"),
    ("Ode to Joy, slog3 s-gamut3.cine to display-p3", .rec709, "display-p3"), ("V-Log to V-709", displayP3, nil),
    ("Ode to Joy", displayP3, nil), ("display-p3", .rec709, nil), ("to", .rec709, nil),
  ]

  @Test(arguments: LUTPurposeTests.outputs)
  func coloursThatComeOut(name: String, output: ColorDescription, target: String?) {
    #expect(LUTPurpose.doubt([name], aboutOutput: output) == target.map { "'\(name)' gives \($0)" })
  }

  static let displayP3 = ColorDescription(matrix: .rec709, range: .limited, transfer: .srgb, primaries: .displayP3)

  @Test func titleComesFirst() {
    #expect(LUTPurpose.doubt(["vlog to srgb", "vlog to display-p3"], aboutOutput: .rec709) == nil)
    #expect(
      LUTPurpose.doubt(["look", "vlog to display-p3"], aboutOutput: .rec709) == "'vlog to display-p3' gives display-p3")
    #expect(LUTPurpose.doubt(["V-Log to 709", "slog3"], about: .rec709) == "'V-Log to 709' is for vlog")
    #expect(LUTPurpose.doubt(["look", "slog3"], about: .rec709) == "'slog3' is for slog3")
  }
}
