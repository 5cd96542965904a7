/// The memory of one frame: up to three planes, owned by a pool or lent by a device.
///
/// A storage has one user at a time: the `Frame` that wraps it.
///
/// `@unchecked Sendable`: the pointers are constant; what they point at is touched only by the one noncopyable
/// `Frame` that holds the storage.
@safe public final class FrameStorage: @unchecked Sendable {
  private let base0: UnsafeMutableRawPointer
  private let base1: UnsafeMutableRawPointer?
  private let base2: UnsafeMutableRawPointer?

  /// A number by which the owner finds the storage again (a device buffer's index).
  public let index: Int

  /// - Parameter planes: the first byte of each plane; the owner keeps them valid while a frame is out.
  /// - Precondition: one to three planes.
  public init(planes: [UnsafeMutableRawPointer], index: Int = 0) {
    unsafe precondition((1...3).contains(planes.count), "a frame has one to three planes")
    unsafe base0 = planes[0]
    unsafe base1 = planes.count > 1 ? planes[1] : nil
    unsafe base2 = planes.count > 2 ? planes[2] : nil
    self.index = index
  }

  /// The first byte of `plane`.
  public func pointer(plane: Int) -> UnsafeMutableRawPointer {
    switch plane {
    case 0: return unsafe base0
    case 1: if let base = unsafe base1 { return unsafe base }
    case 2: if let base = unsafe base2 { return unsafe base }
    default: break
    }
    preconditionFailure("this frame has no plane \(plane)")
  }
}

/// Who lends frames: a pool, or a device with its mapped buffers.
public protocol FrameOwner: AnyObject, Sendable {
  /// Takes `storage` back. Called once per lending, on the thread on which the frame ended; does not allocate.
  func frameEnded(_ storage: FrameStorage)
}
