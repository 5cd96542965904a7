package import Cameras
import Frames

/// The latest frames of a camera, for whoever looks: a viewfinder, a snapshot. Recording never waits for it.
///
/// Thread: any.
public final class FrameTap: Sendable {
  /// As the camera delivered them, raw or encoded.
  public let captured: TapSlot
  /// As the film gets them: with its LUT or look. Filled while a film or a pre-roll bakes.
  public let baked: TapSlot

  package init(_ format: CameraFormat) {
    let most = FrameTap.mostBytes(width: format.width, height: format.height)
    captured = TapSlot(capacity: most)
    baked = TapSlot(capacity: most)
  }

  /// Readers of both slots.
  public var readerCount: Int { captured.readerCount + baked.readerCount }

  /// Bytes of the largest frame: 4:4:4 in words of 16 bits, with rows padded to 64 bytes. The system gives memory only
  /// to what is used of it.
  private static func mostBytes(width: Int, height: Int) -> Int { 3 * (2 * width + 64) * height }
}
