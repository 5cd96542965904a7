/// The bytes of one image in a format that the bake cannot read directly: JPEG, RGB, a vendor's format.
///
/// Lent like a `Frame`: its memory goes back to its owner when it ends.
public struct EncodedImage: ~Copyable, Sendable {
  /// The V4L2 pixel format code: `MJPG`, `RGB3`, ….
  public let encoding: FourCC
  public let width: Int
  public let height: Int
  /// Bytes from one row to the next if the encoding has rows, else 0.
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

/// Turns encoded images into frames. Thread: one at a time.
public protocol ImageConverter: AnyObject, Sendable {
  /// The format of the frames.
  var outputFormat: FrameFormat { get }

  /// Decodes or converts `image`; its memory goes back to its owner, even on failure.
  ///
  /// - Throws: `CamrecError` of code `device` for an image that cannot be decoded; the next one may succeed.
  func convert(_ image: consuming EncodedImage) throws(CamrecError) -> Frame
}
