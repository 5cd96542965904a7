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

  @Test func titleComesFirst() {
    #expect(LUTPurpose.doubt(["V-Log to 709", "slog3"], about: .rec709) == "'V-Log to 709' is for vlog")
    #expect(LUTPurpose.doubt(["look", "slog3"], about: .rec709) == "'slog3' is for slog3")
  }
}
