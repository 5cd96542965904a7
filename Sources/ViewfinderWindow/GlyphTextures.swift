import CSDL2
import Viewfinder

/// Letters as textures, made when they are first drawn. Thread: main.
final class GlyphTextures {
  private struct Key: Hashable {
    let letter: Character
    let height: Int
  }

  private struct Glyph {
    let texture: OpaquePointer
    let left, top: Int32
    let width, height: Int32
  }

  private let renderer: OpaquePointer
  private var glyphs: [Key: Glyph] = [:]

  /// While a window is being resized, letters of many sizes are made.
  private static let most = 1000

  init(_ renderer: OpaquePointer) { self.renderer = renderer }

  deinit { clear() }

  private func clear() {
    glyphs.values.forEach { SDL_DestroyTexture($0.texture) }
    glyphs = [:]
  }

  /// Draws text with the upper left corner of its first letter at (x, y).
  ///
  /// - Parameter height: of capitals.
  func draw(_ text: String, x: Int, y: Int, height: Int, _ color: ViewColor) {
    guard height > 0 else { return }
    for (index, letter) in text.enumerated() where letter != " " {
      guard let glyph = glyph(letter, height) else { continue }
      var target = SDL_Rect(
        x: Int32(x + GlyphBitmap.place(of: index, height: height)) + glyph.left, y: Int32(y) + glyph.top,
        w: glyph.width, h: glyph.height)
      SDL_SetTextureColorMod(glyph.texture, color.red, color.green, color.blue)
      SDL_RenderCopy(renderer, glyph.texture, nil, &target)
    }
  }

  /// - Returns: `nil` if the renderer has no memory.
  private func glyph(_ letter: Character, _ height: Int) -> Glyph? {
    let key = Key(letter: letter, height: height)
    if let glyph = glyphs[key] { return glyph }
    if glyphs.count >= GlyphTextures.most { clear() }
    let bitmap = GlyphBitmap(letter, height: height)
    // White, as opaque as the letter covers the pixel.
    var pixels = bitmap.coverage.map { UInt32($0) << 24 | 0xFF_FFFF }
    guard
      let texture = SDL_CreateTexture(
        renderer, SDL_PIXELFORMAT_ARGB8888.rawValue, Int32(SDL_TEXTUREACCESS_STATIC.rawValue), Int32(bitmap.width),
        Int32(bitmap.height))
    else { return nil }
    SDL_UpdateTexture(texture, nil, &pixels, Int32(bitmap.width * MemoryLayout<UInt32>.stride))
    SDL_SetTextureBlendMode(texture, SDL_BLENDMODE_BLEND)
    let glyph = Glyph(
      texture: texture, left: Int32(bitmap.left), top: Int32(bitmap.top), width: Int32(bitmap.width),
      height: Int32(bitmap.height))
    glyphs[key] = glyph
    return glyph
  }
}
