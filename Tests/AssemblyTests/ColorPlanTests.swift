import Assembly
import Frames
import Movies
import Testing

/// Which colours go into the bake and come out of it, and what needs a LUT.
struct ColorPlanTests {
  private func plan(
    _ camera: ColorDescription, in colorIn: String? = nil, out colorOut: String? = nil, changes: Bool = false,
    container: Container = .mov
  ) throws -> ColorPlan {
    try ColorPlan(
      camera: camera, colorIn: try colorIn.map { try ColorName(parsing: $0) },
      colorOut: try colorOut.map { try ColorName(parsing: $0) }, changesColors: changes, container: container)
  }

  private func refusal(
    _ camera: ColorDescription, in colorIn: String? = nil, out colorOut: String
  ) -> CamrecError? {
    do {
      _ = try plan(camera, in: colorIn, out: colorOut)
      return nil
    } catch { return error as? CamrecError }
  }

  @Test func withoutALUTTheColoursStay_inLimitedRange() throws {
    var full = ColorDescription.rec601
    full.range = .full
    let plan = try plan(full)
    #expect(plan.input == full && plan.output == .rec601 && plan.warnings == [])
    #expect(try self.plan(.appleLog).output == .appleLog)
  }

  @Test func withALUTAFilmIsRec709_unlessItIsSaid() throws {
    #expect(try plan(.appleLog, changes: true).output == .rec709)
    #expect(try plan(.appleLog, out: "hlg", changes: true).output.transfer == .hlg)
    #expect(try plan(.rec709, in: "vlog", changes: true).input.primaries == .vGamut)
  }

  @Test func aNameWithoutARangeKeepsTheCameras() throws {
    var full = ColorDescription.rec709
    full.range = .full
    #expect(try plan(full, in: "slog3", changes: true).input.range == .full)
    #expect(try plan(full, in: "slog3-limited", changes: true).input.range == .limited)
  }

  /// A .mkv states its range, and a hash recording has none to state.
  @Test(arguments: Container.allCases) func onlyAMovInFullRangeIsWarnedOf(_ container: Container) throws {
    let plan = try plan(.rec709, out: "rec709-full", container: container)
    #expect(plan.output.range == .full && plan.warnings == (container == .mov ? [ColorPlan.fullRange] : []))
  }

  @Test func whatOnlyALUTCanConvertIsRefused_andNamed() {
    let both = refusal(.appleLog, out: "rec709"), curve = refusal(.rec709, out: "srgb")
    let primaries = refusal(.rec709, out: "rec2020")
    #expect(both?.code == .usage)
    #expect(both?.message.contains("the transfer and primaries of the input, apple-log") == true)
    #expect(curve?.message.contains("the transfer of the input, rec709") == true)
    #expect(primaries?.message.contains("the primaries of the input, rec709") == true)
    #expect(refusal(.rec709, in: "pq", out: "pq-full") == nil, "a range changes without a LUT")
  }

  /// `camrec lut make` makes no LUT for these.
  @Test(arguments: [("pq", "rec709"), ("hlg", "rec709"), ("slog3", "rec2020"), ("rec709", "srgb")])
  func aLUTThatCamrecCannotMake_isNotPromised(colorIn: String, colorOut: String) {
    let refused = refusal(.rec709, in: colorIn, out: colorOut)
    #expect(
      refused?.message.hasSuffix("; give --lut FILE.cube, a LUT for \(colorIn), or leave out --color-out") == true,
      "\(String(describing: refused))")
    let made = refusal(.rec709, in: "slog3", out: "rec709")
    #expect(
      made?.message.hasSuffix(
        "; give --lut FILE.cube (camrec lut make --from NAME --to NAME makes one), or leave out --color-out") == true)
  }

  @Test func whatIsNotKnownMayBeAnything() throws {
    let unknown = ColorDescription(matrix: .rec709, range: .limited, transfer: .unspecified, primaries: .unspecified)
    #expect(try plan(unknown, out: "apple-log").output == .appleLog)
  }

  @Test func everyNameNamesItsColours() throws {
    for (name, color) in ColorName.all {
      #expect(ColorName.name(of: color) == name)
      var full = color
      full.range = .full
      #expect(ColorName.name(of: full) == name + "-full")
      #expect(try ColorName(parsing: name).description(range: .full) == full)
    }
    let odd = ColorDescription(matrix: .rec601, range: .limited, transfer: .pq, primaries: .vGamut)
    #expect(ColorName.name(of: odd) == "rec601/pq/v-gamut")
  }

  /// A sidecar has such a name of a camera with MJPEG: JPEG's matrix is that of Rec. 601.
  @Test(arguments: ColorRange.allCases) func aNameOfPartsIsReadAsWritten(range: ColorRange) throws {
    for matrix in ColorMatrix.allCases {
      for transfer in TransferCharacteristic.allCases {
        for primaries in ColorPrimaries.allCases {
          let color = ColorDescription(matrix: matrix, range: range, transfer: transfer, primaries: primaries)
          let name = try #require(ColorName.named(ColorName.name(of: color)))
          #expect(name.description(range: .limited) == color)
        }
      }
    }
    for text in ["", "rec601", "rec601/logc3", "rec601/logc3/x", "x/logc3/v-gamut", "rec601/logc3/v-gamut/", "//"] {
      #expect((ColorName.named(text) == nil) == (text != "rec601"), "\(text)")
    }
    #expect(throws: CamrecError.self) { try ColorName(parsing: "rec601/logc3/alexa-wide-gamut") }
  }
}
