import CSDL2
import Viewfinder

/// The latest picture of each recorder as a texture. Thread: main.
final class PictureTextures {
  private struct Picture {
    let texture: OpaquePointer
    let width, height: Int
  }

  private let renderer: OpaquePointer
  private var pictures: [ViewedRecorder.ID: Picture] = [:]

  init(_ renderer: OpaquePointer) { self.renderer = renderer }

  deinit { pictures.values.forEach { SDL_DestroyTexture($0.texture) } }

  /// - Returns: whether the renderer has taken it.
  func set(_ picture: borrowing DecodedPicture, for id: ViewedRecorder.ID) -> Bool {
    if pictures[id].map({ $0.width != picture.width || $0.height != picture.height }) ?? true {
      forget(id)
      guard
        let texture = SDL_CreateTexture(
          renderer, SDL_PIXELFORMAT_RGB888.rawValue, Int32(SDL_TEXTUREACCESS_STREAMING.rawValue),
          Int32(picture.width), Int32(picture.height))
      else { return false }
      SDL_SetTextureBlendMode(texture, SDL_BLENDMODE_NONE)
      pictures[id] = Picture(texture: texture, width: picture.width, height: picture.height)
    }
    guard let texture = pictures[id]?.texture else { return false }
    return picture.pixels.withUnsafeBytes { pixels in
      SDL_UpdateTexture(texture, nil, pixels.baseAddress, Int32(4 * picture.width)) == 0
    }
  }

  /// Forgets all others.
  func keep(_ ids: Set<ViewedRecorder.ID>) {
    for id in Array(pictures.keys) where !ids.contains(id) { forget(id) }
  }

  private func forget(_ id: ViewedRecorder.ID) {
    if let old = pictures.removeValue(forKey: id) { SDL_DestroyTexture(old.texture) }
  }

  /// Draws a part of a recorder's picture in a rectangle. One that has nearly that size is not scaled.
  func draw(_ id: ViewedRecorder.ID, _ part: PicturePart, in rect: ViewRect) {
    guard let picture = pictures[id], !rect.isEmpty else { return }
    func pixels(_ share: Double, _ length: Int) -> Int { Int((share * Double(length)).rounded()) }
    let (left, top) = (pixels(part.x, picture.width), pixels(part.y, picture.height))
    let width = max(1, pixels(part.x + part.width, picture.width) - left)
    let height = max(1, pixels(part.y + part.height, picture.height) - top)
    var source = SDL_Rect(x: Int32(left), y: Int32(top), w: Int32(width), h: Int32(height))
    var target = SDL_Rect(x: Int32(rect.x), y: Int32(rect.y), w: Int32(rect.width), h: Int32(rect.height))
    if abs(width - rect.width) <= PictureTextures.tolerance, abs(height - rect.height) <= PictureTextures.tolerance {
      (target.w, target.h) = (Int32(width), Int32(height))
    }
    SDL_RenderCopy(renderer, picture.texture, &source, &target)
  }

  /// Pixels: pictures have even sides.
  private static let tolerance = 2
}
