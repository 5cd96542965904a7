/// One frame: its samples and what they mean. Moved, never shared. When it ends, its memory goes back to its owner,
/// which lives as long as any of its frames.
///
/// Thread: any, one at a time. Nothing here allocates.
public struct Frame: ~Copyable, Sendable {
  public private(set) var format: FrameFormat
  public let storage: FrameStorage
  private let owner: any FrameOwner

  /// Takes over `storage`, whose planes are at least as large as `format` says.
  public init(format: FrameFormat, storage: FrameStorage, owner: any FrameOwner) {
    self.format = format
    self.storage = storage
    self.owner = owner
  }

  deinit { owner.frameEnded(storage) }

  /// Changes the colour description; the samples stay as they are.
  public mutating func describe(as color: ColorDescription) { format.color = color }

  /// The bytes of `plane` (rows × stride), for the duration of `body`.
  public borrowing func withPlane<R>(_ plane: Int, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try unsafe body(UnsafeRawBufferPointer(start: storage.pointer(plane: plane), count: format.planeBytes(plane)))
  }

  /// The bytes of `plane` (rows × stride), to write, for the duration of `body`.
  public mutating func withMutablePlane<R>(
    _ plane: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> R
  ) rethrows -> R {
    let count = format.planeBytes(plane)
    return try unsafe body(UnsafeMutableRawBufferPointer(start: storage.pointer(plane: plane), count: count))
  }
}
