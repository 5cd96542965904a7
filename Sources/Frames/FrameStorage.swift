/// The memory of one frame: up to three planes, owned by a pool or lent by a device.
///
/// A storage has one user at a time: the `Frame` that wraps it.
///
/// `@unchecked Sendable`: the owner changes the pointers only while no frame is out; what they point at is touched only
/// by the one noncopyable `Frame` that holds the storage.
@safe public final class FrameStorage: @unchecked Sendable {
  private var base0: UnsafeMutableRawPointer
  private var base1: UnsafeMutableRawPointer?
  private var base2: UnsafeMutableRawPointer?

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

  /// Points at other memory: for an owner whose memory comes from elsewhere for every frame (a decoder's).
  ///
  /// - Precondition: no frame of this storage is out.
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

/// Who lends frames: a pool, or a device with its mapped buffers.
public protocol FrameOwner: AnyObject, Sendable {
  /// Takes `storage` back. Called once per lending, on the thread on which the frame ended; does not allocate.
  func frameEnded(_ storage: FrameStorage)
}
