/// The memory of one frame: up to three planes, owned by a pool or lent by a device.
///
/// A storage has one user at a time: the `Frame` that wraps it.
///
/// `@unchecked Sendable`: the owner changes the pointers only while no frame is lent; only the one noncopyable `Frame`
/// that holds the storage touches the memory that they point to.
@safe public final class FrameStorage: @unchecked Sendable {
  private var base0: UnsafeMutableRawPointer
  private var base1: UnsafeMutableRawPointer?
  private var base2: UnsafeMutableRawPointer?

  /// The owner's number for this storage (a device buffer's index).
  public let index: Int

  /// - Parameter planes: the first byte of each plane; the owner keeps them valid while a frame is lent.
  /// - Precondition: one to three planes.
  public init(planes: [UnsafeMutableRawPointer], index: Int = 0) {
    unsafe precondition((1...3).contains(planes.count), "a frame has one to three planes")
    unsafe base0 = planes[0]
    unsafe base1 = planes.count > 1 ? planes[1] : nil
    unsafe base2 = planes.count > 2 ? planes[2] : nil
    self.index = index
  }

  /// Points to other memory, for an owner that gets new memory for every frame (a decoder).
  ///
  /// - Precondition: no frame of this storage is lent.
  public func move(
    to plane0: UnsafeMutableRawPointer, _ plane1: UnsafeMutableRawPointer?, _ plane2: UnsafeMutableRawPointer?
  ) {
    unsafe base0 = plane0
    unsafe base1 = plane1
    unsafe base2 = plane2
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

/// Lends frames: a pool, or a device with its mapped buffers.
public protocol FrameOwner: AnyObject, Sendable {
  /// Takes `storage` back. Called once for each lent frame, on the thread where it ended; does not allocate.
  func frameEnded(_ storage: FrameStorage)
}
