/// The bytes of one image in a form that the bake does not read as it is: JPEG, RGB, a vendor's format.
///
/// Lent like a `Frame`; its end gives the memory back.
public struct EncodedImage: ~Copyable, Sendable {
  /// The V4L2 pixel format code: `MJPG`, `RGB3`, ….
  public let encoding: FourCC
  public let width: Int
  public let height: Int
  /// Bytes from one row to the next where the encoding has rows, else 0.
  public let stride: Int
  /// Bytes in use.
  public let byteCount: Int
  public let storage: FrameStorage
  private let owner: any FrameOwner

  public init(
    encoding: FourCC, width: Int, height: Int, stride: Int, byteCount: Int,
    storage: FrameStorage, owner: any FrameOwner
  ) {
    self.encoding = encoding
    self.width = width
    self.height = height
    self.stride = stride
    self.byteCount = byteCount
    self.storage = storage
    self.owner = owner
  }

  deinit { owner.frameEnded(storage) }

  public borrowing func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try unsafe body(UnsafeRawBufferPointer(start: storage.pointer(plane: 0), count: byteCount))
  }
}

/// Makes pictures of encoded images. Thread: one at a time.
public protocol ImageConverter: AnyObject, Sendable {
  /// The format of what comes out.
  var outputFormat: FrameFormat { get }

  /// Decodes or converts `image`; its memory goes back to its owner, on failure too.
  ///
  /// - Throws: `CamrecError` of code `device` for an image that does not decode; the next one may.
  func convert(_ image: consuming EncodedImage) throws(CamrecError) -> Frame
}
