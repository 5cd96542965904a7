import Testing
import Viewfinder

@Suite struct GlyphBitmapTests {
  @Test(arguments: [8, 12, 16, 40]) func aLetter_isDrawnWithinItsImage(height: Int) {
    for letter in "Aag0°→q" {
      let glyph = GlyphBitmap(letter, height: height)
      #expect(glyph.coverage.count == glyph.width * glyph.height && glyph.coverage.contains { $0 > 200 })
      for x in 0..<glyph.width {
        #expect(glyph.coverage[x] == 0 && glyph.coverage[(glyph.height - 1) * glyph.width + x] == 0)
      }
      for y in 0..<glyph.height {
        #expect(glyph.coverage[y * glyph.width] == 0 && glyph.coverage[(y + 1) * glyph.width - 1] == 0)
      }
    }
    #expect(!GlyphBitmap(" ", height: height).coverage.contains { $0 > 0 })
  }

  @Test func aStem_isAsBroadAsItsStroke() {
    let glyph = GlyphBitmap("I", height: 60)
    let row = (0..<glyph.width).map { Double(glyph.coverage[(30 - glyph.top) * glyph.width + $0]) / 255 }
    #expect(abs(row.reduce(0, +) - 8) < 0.5)
  }

  @Test func letters_standBesideOneAnother() {
    #expect(GlyphBitmap.place(of: 0, height: 12) == 0 && GlyphBitmap.place(of: 10, height: 60) == 560)
  }
}
