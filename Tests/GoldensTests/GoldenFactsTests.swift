import Frames
import Goldens
import Testing

@Suite struct GoldenFactsTests {
  private static let golden = GoldenFacts([
    .init("brand", "qt"), .init("track 1, rotation", "90"), .init("gap", "frame 3"), .init("gap", "frame 9"),
  ])

  @Test func textsAreReadBack() throws {
    let text = Self.golden.text
    #expect(text == "brand: qt\ntrack 1, rotation: 90\ngap: frame 3\ngap: frame 9\n")
    #expect(try GoldenFacts(text: text, path: "x") == Self.golden)
    #expect(try GoldenFacts(text: text.replacing("\n", with: "\r\n"), path: "x") == Self.golden)
    #expect(GoldenFacts([.init("a", "b\nc: d")]).text == "a: b c: d\n")
  }

  /// Goldens of older versions have a word too many.
  @Test func gapsAreReadAsTheyAreWrittenNow() throws {
    let old = "gap: frame 9, 3 by by overload (x)\ngap: no place, 2 by never came\ngap: frame 7, 1 by arrived damaged\n"
    let now = "gap: frame 9, 3 by overload (x)\ngap: no place, 2 never came\ngap: frame 7, 1 arrived damaged\n"
    #expect(try GoldenFacts(text: old, path: "x").text == now && GoldenFacts(text: now, path: "x").text == now)
  }

  @Test func differencesAreNamed() {
    #expect(Self.golden.differences(from: Self.golden) == [])
    let film = GoldenFacts([.init("track 1, rotation", "180"), .init("gap", "frame 3"), .init("end", "well")])
    #expect(
      film.differences(from: Self.golden) == [
        "brand is missing; it was qt", "track 1, rotation is 180, not 90", "gap is missing; it was frame 9",
        "end is new: well",
      ])
  }

  @Test(arguments: [
    ("brand: qt", "'x' is incomplete: its last line is cut off"),
    ("brand: qt\nnothing\n", "'x', line 2: this is not a fact; write a name, a colon, a space and a value"),
    ("", "'x' is incomplete: its last line is cut off"),
  ]) func whatIsNoListIsRefused(text: String, sentence: String) {
    let refused = #expect(throws: CamrecError.self) { try GoldenFacts(text: text, path: "x") }
    #expect(refused?.message == sentence && refused?.code == .input)
  }

  @Test func aFinding_isItsFigures_andNotItsWording() {
    func facts(_ name: String, _ value: String) -> GoldenFacts { GoldenFacts([.init(name, value)]) }
    let golden = facts("warning of moov/trak[2]", "the sound ends 0.251 s behind the picture")
    #expect(
      facts("warning of moov/trak[2]", "the audio ends 0.251 s after the picture").differences(from: golden) == [])
    let others = [
      facts("warning of moov/trak[2]", "the audio ends 0.25 s after the picture"),
      facts("error of moov/trak[2]", "the audio ends 0.251 s after the picture"),
    ]
    #expect(others.map { $0.differences(from: golden).count } == [1, 2])
    let (old, new) = ("counts frames of 1001 in 24000 ticks", "has 24000 ticks a second, and 1001 ticks a frame")
    #expect(facts("error of tmcd", new).differences(from: facts("error of tmcd", old)) == [])
    let (bytes, byte) = ("its last 1 bytes are not atoms", "its last 1 byte is not an atom")
    #expect(facts("note of the file", byte).differences(from: facts("note of the file", bytes)) == [])
    #expect(facts("end", "b").differences(from: facts("end", "a")) == ["end is b, not a"], "only findings")
  }
}
