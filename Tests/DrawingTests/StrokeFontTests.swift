import Drawing
import Testing

@Suite struct StrokeFontTests {
  @Test func `a letter is drawn inside its box, the next beside it`() {
    var ends: [SIMD4<Double>] = []
    StrokeFont.strokes(of: "LL", 10, 20, height: 60) { ends.append([$0, $1, $2, $3]) }
    #expect(ends == [[10, 20, 10, 80], [10, 80, 50, 80], [66, 20, 66, 80], [66, 80, 106, 80]])
    #expect(StrokeFont.width(of: "LL", height: 60) == 96)
  }

  @Test func `what has no strokes is blank, and has a width`() {
    var count = 0
    StrokeFont.strokes(of: "ü ", 0, 0, height: 6) { _, _, _, _ in count += 1 }
    #expect(count == 0 && StrokeFont.width(of: "", height: 6) == 0)
    #expect(abs(StrokeFont.width(of: "ü ", height: 6) - 9.6) < 1e-9)
  }

  @Test func `small letters are drawn, and reach below the line at most by a third of a capital`() {
    for letter in "abcdefghijklmnopqrstuvwxyz°×·…≥–→←↑↓~" {
      var count = 0
      StrokeFont.strokes(of: String(letter), 0, 0, height: 6) { x0, y0, x1, y1 in
        count += 1
        #expect([x0, x1].allSatisfy { (0...4).contains($0) } && [y0, y1].allSatisfy { (0...8).contains($0) })
      }
      #expect(count > 0 && StrokeFont.draws(letter), "\(letter)")
    }
    #expect(!StrokeFont.draws("ü") && !StrokeFont.draws(" "))
  }
}
