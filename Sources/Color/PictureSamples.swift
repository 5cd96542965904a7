public import Frames

/// The code values of a frame as plain numbers, one array per component, rows packed.
public struct PictureSamples: Hashable, Sendable {
  public let width: Int
  public let height: Int
  public let chroma: ChromaSubsampling
  /// `width` × `height`.
  public var luma: [Int]
  /// `chromaWidth` × `chromaHeight` each.
  public var cb: [Int]
  public var cr: [Int]

  /// - Precondition: the arrays have the sizes that `width`, `height` and `chroma` ask for.
  public init(width: Int, height: Int, chroma: ChromaSubsampling, luma: [Int], cb: [Int], cr: [Int]) {
    self.width = width
    self.height = height
    self.chroma = chroma
    self.luma = luma
    self.cb = cb
    self.cr = cr
    precondition(luma.count == width * height, "one luma sample a pixel")
    precondition(cb.count == chromaWidth * chromaHeight && cr.count == cb.count, "one chroma sample a block")
  }

  /// Odd sizes round up: the last block holds the remaining pixels.
  public var chromaWidth: Int { chroma.samples(width: width) }
  public var chromaHeight: Int { chroma.rows(height: height) }

  /// The index into `cb` and `cr` of the block that the pixel belongs to.
  public func block(x: Int, y: Int) -> Int {
    x / chroma.across + chromaWidth * (y / chroma.down)
  }
}
